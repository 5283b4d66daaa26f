"""Chains of certificates between us and OpenSSL, both ways: what is refused, and the alert that tells the peer."""

import ssl

from authority import Authority
from client import Connect, answer
from peers import ScriptedServer, openssl_server
from server import Server

REQUEST = b"GET / HTTP/1.0\r\n\r\n"


class Chains(Connect):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.authority.folder
        cls.middle = Authority(folder, "middle", above=cls.authority)
        cls.lower = Authority(folder, "lower", above=cls.middle)
        cls.deep = cls.lower.issue("deep")

    def chain(self, *authorities):
        return self.file("chain.pem", b"".join(a.certificate.read_bytes() for a in authorities))

    def test_intermediates(self):
        for sent in ([self.lower, self.middle], [self.middle, self.lower], [self.lower, self.middle, self.authority],
                     [self.stranger, self.middle, self.lower]):
            with self.subTest([a.folder.name for a in sent]):
                with openssl_server(self.deep, "-cert_chain", self.chain(*sent), "-www") as server:
                    done = self.connect(server.port, input=REQUEST)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("verified      yes", done.stderr)

    def test_an_intermediate_is_missing(self):
        for sent in ([self.lower], [self.middle], [self.lower, self.stranger]):
            with self.subTest([a.folder.name for a in sent]):
                with openssl_server(self.deep, "-cert_chain", self.chain(*sent), "-www") as server:
                    self.assert_fails(self.connect(server.port, input=REQUEST), "issuer", "unknown")

    def test_an_end_entity_is_no_authority(self):
        class Impostor(Authority):
            def __init__(self, folder, certificate, key):
                self.folder = folder / "impostor"
                self.folder.mkdir()
                (self.folder / "index").write_text("")
                (self.folder / "serial").write_text("2000")
                self.certificate, self.key = certificate, key

        impostor = Impostor(self.folder, *self.good)
        with openssl_server(impostor.issue("victim"), "-cert_chain", self.good[0], "-www") as server:
            self.assert_fails(self.connect(server.port, input=REQUEST), "good")

    def test_rsa_all_the_way(self):
        """Each signature of another kind: PKCS#1 with SHA-384, PSS with a long salt, PSS under a key for nothing else."""
        pss = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:max"]
        root = Authority(self.folder, "rsa", kind="rsa:3072", signing=["-md", "sha384"])
        middle = Authority(self.folder, "rsa-middle", above=root, kind="rsa:2048", signing=pss)
        lower = Authority(self.folder, "rsa-lower", above=middle, kind="rsa-pss:2048", signing=["-md", "sha512"])
        for kind in ("rsa:2048", "rsa-pss:2048", "ed25519", "P-521"):
            leaf = lower.issue(kind, kind=kind)
            with self.subTest(kind), openssl_server(leaf, "-cert_chain", self.chain(lower, middle), "-www") as server:
                done = self.connect(server.port, ca=root.certificate, input=REQUEST)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("verified      yes", done.stderr)
        with openssl_server(leaf, "-cert_chain", self.chain(lower, middle), "-www") as server:
            self.assert_fails(self.connect(server.port, input=REQUEST), "issuer", "unknown")

    def test_rsa_that_is_too_weak(self):
        """A key of 1024 bits, and a signature over SHA-1."""
        weak = ["-cipher", "DEFAULT@SECLEVEL=0", "-www"]
        sha1 = Authority(self.folder, "sha1", kind="rsa:2048", signing=["-md", "sha1"])
        short = Authority(self.folder, "short", kind="rsa:1024")
        for root, kind, words in ((self.authority, "rsa:1024", ["too short", "RSA 1024"]),
                                  (short, "P-256", ["too short", "RSA 1024"]),
                                  (sha1, "P-256", ["cannot be checked", "sha1WithRSAEncryption"])):
            with self.subTest(kind=kind, words=words), openssl_server(root.issue(kind, kind=kind), *weak) as server:
                self.assert_fails(self.connect(server.port, ca=root.certificate, input=REQUEST), *words)

    def test_the_server_hears_why(self):
        past = {"start": "20200101000000Z", "end": "20200301000000Z"}
        for certificate, ca, reason in ((self.good, self.stranger, "UNKNOWN_CA"),
                                        (self.authority.issue("old", **past), None, "CERTIFICATE_EXPIRED"),
                                        (self.authority.issue("wrong", "DNS:example.org"), None, "CERTIFICATE"),
                                        (self.authority.issue("client", purpose="clientAuth"), None, "CERTIFICATE")):
            with self.subTest(reason):
                with ScriptedServer(certificate, answer) as server:
                    self.assert_fails(self.connect(server.port, ca=ca and ca.certificate), "sent alert")
                self.assertIsInstance(server.error, ssl.SSLError)
                self.assertRegex(server.error.reason, f"ALERT_.*{reason}")

    def test_we_serve_the_chain(self):
        site = self.folder / "site"
        site.mkdir()
        (site / "index.html").write_text("<p>hello")
        trusting = ssl.create_default_context(cafile=str(self.authority.certificate))
        full = self.file("full.pem", b"".join(f.read_bytes() for f in (self.deep[0], self.lower.certificate,
                                                                       self.middle.certificate)))
        with Server(site, "-C", full, "-K", self.deep[1]) as server:
            self.assertEqual(server.get("/", trusting)[2], b"<p>hello")
            done = self.connect(server.port, "-q", input=REQUEST)
            self.assertEqual((done.returncode, done.stdout[-8:]), (0, b"<p>hello"), done.stderr)
        with Server(site, "-C", self.deep[0], "-K", self.deep[1]) as server:
            with self.assertRaises(ssl.SSLCertVerificationError):
                server.get("/", trusting)
            server.wait_for(server.errors, "^tenon: .*received alert unknown_ca")


if __name__ == "__main__":
    import unittest
    unittest.main()
