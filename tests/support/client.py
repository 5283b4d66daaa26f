"""`tenon connect` and certificates that it trusts."""

import tempfile
from pathlib import Path

from authority import Authority
from program import InFolder, run
from server import read_all


def answer(tls):
    """Reads to the client's end, says what it got, and closes as it should."""
    got = read_all(tls)
    tls.sendall(b"got " + got)
    tls.unwrap()


class Connect(InFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.authority = Authority(Path(folder.name))
        cls.stranger = Authority(Path(folder.name), "stranger")
        cls.good = cls.authority.issue("good")

    def connect(self, port, *options, ca=None, host=None, **how):
        """Asks for `localhost` at 127.0.0.1, unless told otherwise: a machine need not know the name."""
        how.setdefault("text", False)
        if "stdin" not in how:
            how.setdefault("input", b"")
        name = [] if host or "--sni" in options else ["--sni", "localhost"]
        trust = ca or self.authority.certificate
        done = run("connect", "--ca", trust, *name, *options, f"{host or '127.0.0.1'}:{port}", **how)
        done.stderr = done.stderr.decode() if isinstance(done.stderr, bytes) else done.stderr
        return done
