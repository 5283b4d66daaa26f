"""Other people's servers and clients: Python's ssl (OpenSSL) for what has to be scripted, the programs as they are."""

import re
import shutil
import socket
import ssl
import threading
import time
import unittest

from conversation import PATIENCE, Conversation

SUITES = ("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")
GROUPS = ("x25519", "secp256r1", "secp384r1", "secp521r1", "ffdhe2048", "ffdhe3072", "ffdhe4096")
COSTLY_GROUPS = ("ffdhe6144", "ffdhe8192")  # that we have when they are asked for
# Keys of certificates, as authority.new_key() makes them, and what they sign TLS 1.3 handshakes with.
SCHEMES = (("P-256", "ecdsa_secp256r1_sha256"), ("P-384", "ecdsa_secp384r1_sha384"),
           ("P-521", "ecdsa_secp521r1_sha512"), ("ed25519", "ed25519"), ("rsa:2048", "rsa_pss_rsae_sha256"),
           ("rsa:2048", "rsa_pss_rsae_sha384"), ("rsa:2048", "rsa_pss_rsae_sha512"), ("rsa:3072", "rsa_pss_rsae_sha512"),
           ("rsa-pss:2048", "rsa_pss_pss_sha256"),
           ("rsa-pss:2048", "rsa_pss_pss_sha384"), ("rsa-pss:2048", "rsa_pss_pss_sha512"))


class ScriptedServer:
    """Accepts one connection on a thread and lets `script(tls)` speak; `error` is what it raised."""

    def __init__(self, certificate, script, alpn=None, before_tls=None, address="127.0.0.1"):
        self.error = None
        self.script = script
        self.before_tls = before_tls
        self.server_name = None
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(*certificate)
        self.context.sni_callback = self._on_server_name
        if alpn:
            self.context.set_alpn_protocols(alpn)
        self.listener = socket.create_server((address, 0), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
        self.listener.settimeout(30)
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _on_server_name(self, _socket, name, _context):
        self.server_name = name

    def _run(self):
        try:
            plain, _ = self.listener.accept()
            plain.settimeout(60)
            with plain:
                if self.before_tls:
                    self.before_tls(plain)
                    return
                with self.context.wrap_socket(plain, server_side=True) as tls:
                    self.script(tls)
        except OSError as error:
            self.error = error

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.thread.join(60)


class ServerProgram(Conversation):
    """A server of somebody else's on a free port of 127.0.0.1."""

    def __init__(self, command, folder=None):
        self.port = free_port()
        super().__init__([str(part).replace("PORT", str(self.port)) for part in command], cwd=folder)

    def __enter__(self):
        deadline = time.monotonic() + PATIENCE
        while not listens(self.port):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise AssertionError(f"{self.process.args}: {self.heard.decode(errors='replace')}")
            time.sleep(0.02)
        return self


def needs(*programs):
    """Skips the test, the class (called in setUpClass) or the file (in setUpModule) where one is not installed."""
    for program in programs:
        if shutil.which(program) is None:
            raise unittest.SkipTest(f"{program} is not installed")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def listens(port):
    """Whether somebody listens, found without connecting."""
    wanted = re.compile(rf"^\s*\d+: [0-9A-F]+:{port:04X} [0-9A-F]+:0000 0A ", re.M)
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(table, encoding="ascii") as lines:
                if wanted.search(lines.read()):
                    return True
        except FileNotFoundError:
            pass
    return False


def openssl_server(certificate, *more, folder=None):
    return ServerProgram(["openssl", "s_server", "-accept", "127.0.0.1:PORT", "-tls1_3", "-cert", certificate[0],
                          "-key", certificate[1], *more], folder)


def gnutls_server(certificate, *more, priority="NORMAL:-VERS-ALL:+VERS-TLS1.3"):
    return ServerProgram(["gnutls-serv", "--port", "PORT", "--x509certfile", certificate[0], "--x509keyfile",
                          certificate[1], "--priority", priority, *more])


def gnutls_priority(suites=SUITES, groups=GROUPS):
    """GnuTLS's words for these suites and groups of TLS 1.3, the first one first."""
    words = {"TLS_AES_128_GCM_SHA256": "AES-128-GCM", "TLS_AES_256_GCM_SHA384": "AES-256-GCM",
             "TLS_CHACHA20_POLY1305_SHA256": "CHACHA20-POLY1305", "x25519": "GROUP-X25519",
             "secp256r1": "GROUP-SECP256R1", "secp384r1": "GROUP-SECP384R1",
             "secp521r1": "GROUP-SECP521R1", "x448": "GROUP-X448",
             **{f"ffdhe{bits}": f"GROUP-FFDHE{bits}" for bits in (2048, 3072, 4096, 6144, 8192)}}
    none = "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:-GROUP-ALL"
    return ":".join([none] + ["+" + words[name] for name in [*suites, *groups]])


def gnutls_scheme(name):
    """GnuTLS's words for this signature scheme and no other."""
    words = name.upper().replace("_", "-").replace("RSA-PSS-PSS", "RSA-PSS").replace("ED25519", "EDDSA-ED25519")
    return f"-SIGN-ALL:+SIGN-{words}"


def openssl_client(port, *more):
    return ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", "localhost", *more]


def gnutls_client(port, *more, priority=gnutls_priority()):
    """What the server sends is all that it prints."""
    return ["gnutls-cli", "--insecure", "--logfile=/dev/null", "--priority", priority, "--port", str(port),
            "--sni-hostname=localhost", *more, "127.0.0.1"]
