"""`tenon serve` on a port of its own."""

import re
import signal
import socket
import ssl
import subprocess
import time
from pathlib import Path

from conversation import PATIENCE
from program import InFolder, command


class Server:
    """`tenon serve` on a free port; its files are in `folder`."""

    def __init__(self, folder, *arguments):
        self.log = (folder.parent / f"{folder.name}.log").open("w+")
        self.errors = (folder.parent / f"{folder.name}.errors").open("w+")
        self.process = subprocess.Popen(command("serve", "-p", "0", "-D", folder, *arguments), stdout=self.log,
                                        stderr=self.errors)

    def __enter__(self):
        found = self.wait_for(self.log, r"^https://(\S+):(\d+)/$")
        self.host, self.port = found[1].strip("[]"), int(found[2])
        return self

    def __exit__(self, kind, *_):
        while self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(0.5)
            except subprocess.TimeoutExpired:
                pass  # it lets an answer be finished: the second signal does not
        self.log.close()
        self.errors.close()
        if kind is None and self.process.returncode not in (0, -signal.SIGKILL):
            raise AssertionError(f"exit status {self.process.returncode}: {self.told(self.errors)}")

    def told(self, file):
        return Path(file.name).read_text()

    def wait_for(self, file, pattern):
        """Waits until the file has a line like that."""
        deadline = time.monotonic() + PATIENCE
        while True:
            text = self.told(file)
            found = re.search(pattern, text, re.M)
            if found:
                return found
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"no {pattern} in {text!r}; errors: {self.told(self.errors)!r}")
            time.sleep(0.02)

    def connect(self, context=None, name="localhost"):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        return (context or insecure()).wrap_socket(plain, server_hostname=name)

    def get(self, path, context=None, name="localhost", fields=""):
        """(status, fields, body) of one GET."""
        with self.connect(context, name) as tls:
            tls.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n".encode())
            head, body = read_all(tls).split(b"\r\n\r\n", 1)
            return int(head.split()[1]), head.decode(), body

    def memory(self):
        """Resident, in KiB."""
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1])

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def insecure():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def read_all(tls):
    parts = []
    while part := tls.recv(65536):
        parts.append(part)
    return b"".join(parts)


class Served(InFolder):
    def setUp(self):
        super().setUp()
        self.site = self.folder / "site"
        self.site.mkdir()
        self.file("site/index.html", "<p>hello")
