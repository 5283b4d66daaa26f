"""What the tests of the program share: running it, and a folder that goes away."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TENON = os.environ["TENON"]
SANITIZED = "/asan/" in TENON  # slower, and memory is not what it was
# A sanitizer's report must not pass for an ordinary failure.
os.environ["ASAN_OPTIONS"] = "exitcode=99"
os.environ["UBSAN_OPTIONS"] = "exitcode=99:print_stacktrace=1"
os.environ.pop("SSL_CERT_FILE", None)


def command(*arguments):
    return [TENON, *(a if isinstance(a, bytes) else str(a) for a in arguments)]


def run(*arguments, **options):
    """Runs the program with its output captured as text; input is empty unless given."""
    options.setdefault("stdout", subprocess.PIPE)
    if "stdin" not in options:
        options.setdefault("input", "")
    options.setdefault("text", True)
    return subprocess.run(command(*arguments), stderr=subprocess.PIPE, timeout=60, check=False, **options)


def openssl(*arguments, **options):
    """Runs openssl, which must succeed; its standard output as text."""
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False,
                          **options)
    if done.returncode != 0:
        raise AssertionError(f"openssl {arguments}: {done.stderr}")
    return done.stdout


class InFolder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, contents=""):
        path = self.folder / name
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return path

    def assert_done(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)

    def assert_fails(self, done, *words, status=1):
        """One line on stderr that begins with `tenon: ` and has these words."""
        self.assertEqual(done.returncode, status, (done.stdout, done.stderr))
        self.assertTrue(done.stderr.startswith("tenon: "), done.stderr)
        if status == 1:
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
