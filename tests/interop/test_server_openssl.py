"""`tenon serve` and `openssl s_client`."""

import json
import subprocess

from authority import self_signed
from conversation import PATIENCE, Conversation, wait_until
from peers import SCHEMES, SUITES, needs, openssl_client, openssl_server
from program import openssl, run
from server import Server, Served

PAGE = "/.tenon/connection"
REQUEST = f"GET {PAGE} HTTP/1.0\r\n\r\n".encode()
KEPT = f"GET {PAGE} HTTP/1.1\r\nHost: x\r\n\r\n"
# The client's first group is the one that it sends a share for: one that we do not have forces a retry.
GROUPS = (("X25519", "x25519", False), ("P-256", "secp256r1", False), ("P-384", "secp384r1", False),
          ("P-521", "secp521r1", False), ("ffdhe2048", "ffdhe2048", False), ("ffdhe3072", "ffdhe3072", False),
          ("ffdhe4096", "ffdhe4096", False), ("X448:P-256", "secp256r1", True), ("X448:P-384", "secp384r1", True),
          ("X448:P-521:X25519", "x25519", True), ("X448:ffdhe2048", "ffdhe2048", True),
          ("ffdhe8192:ffdhe3072", "ffdhe3072", True))


def setUpModule():
    needs("openssl")


class OpenSSL(Served):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Server(self.site))

    def client(self, *options, request=REQUEST):
        return subprocess.run(openssl_client(self.server.port, "-tls1_3", *options), input=request, capture_output=True,
                              timeout=PATIENCE, check=False)

    def page(self, *options):
        return json.loads(self.client("-quiet", *options).stdout.split(b"\r\n\r\n", 1)[1])

    def test_each_suite_and_group(self):
        for suite in SUITES:
            for groups, group, retried in GROUPS:
                with self.subTest(suite=suite, groups=groups):
                    page = self.page("-ciphersuites", suite, "-groups", groups, "-alpn", "http/1.1")
                    self.assertEqual((page["version"], page["suite"], page["group"], page["retried"], page["alpn"]),
                                     ("TLSv1.3", suite, group, retried, "http/1.1"))

    def test_certificates_of_each_type(self):
        for kind, scheme in SCHEMES:
            certificate, key = self_signed(self.folder, kind)
            with self.subTest(kind=kind, scheme=scheme), Server(self.site, "-C", certificate, "-K", key) as server:
                done = subprocess.run(openssl_client(server.port, "-tls1_3", "-quiet", "-verify_return_error", "-CAfile",
                                                     certificate, "-sigalgs", scheme), input=REQUEST,
                                      capture_output=True, timeout=PATIENCE, check=False)
                self.assertEqual(json.loads(done.stdout.split(b"\r\n\r\n", 1)[1])["signature"], scheme, done.stderr)

    def test_certificates_of_ours(self):
        """With the client's own choice of schemes."""
        for kind, scheme in (("p256", "ecdsa_secp256r1_sha256"), ("ed25519", "ed25519"),
                             ("rsa-4096", "rsa_pss_rsae_sha256"), ("rsa-pss-2048", "rsa_pss_pss_sha256")):
            certificate, key = self.folder / f"{kind}.pem", self.folder / f"{kind}-key.pem"
            self.assert_done(run("cert", "self-signed", "--key-type", kind, "-o", certificate, "-k", key))
            with self.subTest(kind), Server(self.site, "-C", certificate, "-K", key) as server:
                done = subprocess.run(openssl_client(server.port, "-tls1_3", "-quiet", "-verify_return_error", "-CAfile",
                                                     certificate), input=REQUEST, capture_output=True, timeout=PATIENCE,
                                      check=False)
                self.assertEqual(json.loads(done.stdout.split(b"\r\n\r\n", 1)[1])["signature"], scheme, done.stderr)

    def test_two_certificates_for_one_name(self):
        pairs = [self_signed(self.folder, kind) for kind in ("rsa:2048", "P-256")]
        files = [word for certificate, key in pairs for word in ("-C", certificate, "-K", key)]
        with Server(self.site, *files) as server:
            for offered, scheme in (("rsa_pss_rsae_sha256:ecdsa_secp256r1_sha256", "ecdsa_secp256r1_sha256"),
                                    ("rsa_pss_rsae_sha256", "rsa_pss_rsae_sha256")):
                done = subprocess.run(openssl_client(server.port, "-tls1_3", "-quiet", "-sigalgs", offered), input=REQUEST,
                                      capture_output=True, timeout=PATIENCE, check=False)
                self.assertEqual(json.loads(done.stdout.split(b"\r\n\r\n", 1)[1])["signature"], scheme, done.stderr)

    def test_an_rsa_key_signs_no_handshake_with_pkcs1(self):
        certificate, key = self_signed(self.folder, "rsa:2048")
        with Server(self.site, "-C", certificate, "-K", key) as server:
            for schemes in ("rsa_pkcs1_sha256", "rsa_pss_pss_sha256", "rsa_pkcs1_sha1"):
                done = subprocess.run(openssl_client(server.port, "-tls1_3", "-cipher", "DEFAULT@SECLEVEL=0", "-sigalgs",
                                                     f"{schemes}:ecdsa_secp256r1_sha256"), input=REQUEST,
                                      capture_output=True, timeout=PATIENCE, check=False)
                self.assertIn(b"alert handshake failure", done.stderr)

    def test_nothing_in_common(self):
        for options in (["-groups", "X448"], ["-groups", "ffdhe6144:ffdhe8192"], ["-ciphersuites", "TLS_AES_128_CCM_SHA256"],
                        ["-sigalgs", "rsa_pss_rsae_sha256"]):
            with self.subTest(options):
                self.assertIn(b"alert handshake failure", self.client(*options).stderr)
        self.assertEqual(self.page()["version"], "TLSv1.3")

    def test_without_middlebox_compatibility(self):
        self.assertEqual(self.page("-no_middlebox", "-groups", "X448:P-256")["retried"], True)

    def test_key_updates(self):
        """`k` updates the client's keys, `K` asks for ours as well; each must hold for what comes after it."""
        with Conversation(openssl_client(self.server.port, "-tls1_3", "-msg")) as client:
            client.hear("read R BLOCK|Verify return code")
            ours = 0
            for turn, command in enumerate("kKkKKk", 1):
                client.say(command + "\n")
                client.hear("KEYUPDATE\n", turn)
                if command == "K":
                    ours += 1
                    client.hear("<<< TLS 1.3, Handshake .*KeyUpdate", ours)
                client.say(KEPT)
                client.hear('"version": "TLSv1.3"', turn)
            client.say("Q\n")
            self.assertEqual(client.process.wait(PATIENCE), 0)
        self.assertEqual(self.server.told(self.server.errors).count("\n"), 1)  # of the certificate

    def test_small_records(self):
        field = "A: " + "a" * 4000 + "\r\n"
        done = self.client("-quiet", "-max_send_frag", "512", request=f"GET / HTTP/1.0\r\n{field}\r\n".encode())
        self.assertIn(b"<p>hello", done.stdout)

    def foreign_session(self):
        """The file of a session with somebody else's server, whose ticket allows early data."""
        certificate, key, session = (self.folder / name for name in ("c.pem", "k.pem", "session.pem"))
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
                "-out", certificate, "-days", "10", "-subj", "/CN=localhost")
        with openssl_server((certificate, key), "-early_data", "-num_tickets", "1") as other:
            with Conversation(openssl_client(other.port, "-tls1_3", "-sess_out", session)) as client:
                client.say("hello\n")  # s_server sends its ticket when something arrives
                wait_until(lambda: session.exists() and "-----END" in session.read_text(), "a session")
        self.assertIn("Max Early Data: 16384", openssl("sess_id", "-in", session, "-noout", "-text"))
        return session

    def test_a_foreign_ticket_and_early_data_are_passed_over(self):
        session = self.foreign_session()
        early = self.file("early", b"GET /early HTTP/1.1\r\nHost: x\r\n\r\n" * 200)
        for groups, group, retried in GROUPS:
            for more in ([], ["-early_data", early]):
                with self.subTest(groups=groups, more=more):
                    done = self.client("-sess_in", session, "-groups", groups, "-ign_eof", *more)
                    self.assertIn(b"New, TLSv1.3", done.stdout)
                    self.assertEqual(b"Early data was rejected" in done.stdout, bool(more), done.stdout)
                    page = json.loads(done.stdout[done.stdout.index(b'{"version"'):].split(b"\n")[0])
                    self.assertEqual((page["group"], page["retried"], page["bytes_received"]),
                                     (group, retried, len(REQUEST)))
        self.assertNotIn("/early", self.server.told(self.server.log))
        self.assertEqual(self.server.told(self.server.errors).count("\n"), 1)


if __name__ == "__main__":
    import unittest
    unittest.main()
