"""A program that is talked to while it runs."""

import re
import subprocess
import threading
import time

PATIENCE = 60  # seconds for whatever must happen; a loaded machine under a sanitizer takes its time


def wait_until(happens, what):
    """Until the function says so."""
    deadline = time.monotonic() + PATIENCE
    while not happens():
        if time.monotonic() > deadline:
            raise AssertionError(f"after {PATIENCE} seconds, not yet: {what}")
        time.sleep(0.02)


class Conversation:
    """What the program prints, on both outputs, is gathered and can be waited for."""

    def __init__(self, command, **how):
        self.heard = b""
        self.news = threading.Condition()
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, bufsize=0, **how)
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self):
        while part := self.process.stdout.read(1 << 16):
            with self.news:
                self.heard += part
                self.news.notify_all()
        with self.news:
            self.news.notify_all()

    def say(self, text):
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode())

    def hear(self, pattern, times=1):
        """Waits until it has printed that so many times; what it has printed by then."""
        deadline = time.monotonic() + PATIENCE
        with self.news:
            while len(re.findall(pattern.encode(), self.heard)) < times:
                if time.monotonic() > deadline or not self.listener.is_alive():
                    heard = self.heard.decode(errors="replace")
                    raise AssertionError(f"{self.process.args}: no {pattern!r} in {heard}")
                self.news.wait(1)
            return self.heard

    def end(self):
        """Closes its input and waits for it; its exit status."""
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.listener.join()
        self.process.stdin.close()
        self.process.stdout.close()
