"""`tenon serve` and `gnutls-cli`."""

import json
import subprocess

from authority import self_signed
from conversation import PATIENCE, Conversation
from peers import GROUPS, SCHEMES, SUITES, gnutls_client, gnutls_priority, gnutls_scheme, needs
from server import Server, Served

REQUEST = b"GET /.tenon/connection HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def setUpModule():
    needs("gnutls-cli")


class GnuTLS(Served):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Server(self.site))

    def client(self, *options, **how):
        return subprocess.run(gnutls_client(self.server.port, *options, **how), input=REQUEST, capture_output=True,
                              timeout=PATIENCE, check=False)

    def page(self, *options, **how):
        done = self.client(*options, **how)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.split(b"\r\n\r\n", 1)[1])

    def test_each_suite_and_group(self):
        for suite in SUITES:
            for group in GROUPS:
                with self.subTest(suite=suite, group=group):
                    page = self.page("--alpn=http/1.1", priority=gnutls_priority([suite], [group]))
                    self.assertEqual((page["version"], page["suite"], page["group"], page["retried"], page["alpn"]),
                                     ("TLSv1.3", suite, group, False, "http/1.1"))

    def test_certificates_of_each_type(self):
        for kind, scheme in SCHEMES:
            certificate, key = self_signed(self.folder, kind)
            priority = f"{gnutls_priority()}:{gnutls_scheme(scheme)}"
            with self.subTest(kind=kind, scheme=scheme), Server(self.site, "-C", certificate, "-K", key) as server:
                done = subprocess.run(gnutls_client(server.port, priority=priority), input=REQUEST, capture_output=True,
                                      timeout=PATIENCE, check=False)
                self.assertEqual(json.loads(done.stdout.split(b"\r\n\r\n", 1)[1])["signature"], scheme, done.stderr)

    def test_nothing_in_common(self):
        for priority in (gnutls_priority(groups=["x448"]), gnutls_priority().replace(
                "-CIPHER-ALL", "-SIGN-ALL:+SIGN-RSA-PSS-RSAE-SHA256:-CIPHER-ALL")):
            with self.subTest(priority):
                done = self.client(priority=priority)
                self.assertNotEqual(done.returncode, 0)
                self.server.wait_for(self.server.errors, "^tenon: .*alert handshake_failure")
        self.assertEqual(self.page()["version"], "TLSv1.3")

    def test_small_records(self):
        self.file("site/some", b"0123456789" * 5000)
        done = subprocess.run(gnutls_client(self.server.port, "--recordsize", "512"), capture_output=True,
                              timeout=PATIENCE, check=False,
                              input=b"GET /some HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        self.assertEqual(done.stdout.split(b"\r\n\r\n", 1)[1], b"0123456789" * 5000)

    def test_key_updates(self):
        with Conversation(gnutls_client(self.server.port, "--inline-commands")) as client:
            for turn in range(1, 4):
                client.say("^rekey^\n")
                client.say(b"GET /.tenon/connection HTTP/1.1\r\nHost: x\r\n\r\n")
                client.hear('"version": "TLSv1.3"', turn)
        self.assertNotIn("alert", self.server.told(self.server.errors))

    def test_resumption_that_we_do_not_have(self):
        """It connects twice, the second time for a resumption that we gave no ticket for."""
        done = self.client("--resume")
        self.assertEqual(done.stdout.count(b'"version": "TLSv1.3"'), 1, done.stdout)
        self.assertNotIn("alert", self.server.told(self.server.errors))


if __name__ == "__main__":
    import unittest
    unittest.main()
