"""`tenon connect` and `gnutls-serv`."""

import json
import os

from client import Connect
from peers import COSTLY_GROUPS, GROUPS, SCHEMES, SUITES, gnutls_priority, gnutls_scheme, gnutls_server, needs

REQUEST = b"GET / HTTP/1.0\r\n\r\n"


def setUpModule():
    needs("gnutls-serv")


class GnuTLS(Connect):
    def report(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return json.loads(done.stderr)

    def test_each_suite_and_group(self):
        for suite in SUITES:
            for group in GROUPS:
                with self.subTest(suite=suite, group=group):
                    with gnutls_server(self.good, "--http", priority=gnutls_priority([suite], [group])) as server:
                        done = self.connect(server.port, "--json", input=REQUEST)
                    told = self.report(done)
                    self.assertIn(b"HTTP/1.0 200", done.stdout)
                    self.assertEqual((told["suite"], told["group"], told["retried"]), (suite, group, group != "x25519"))
                    self.assertIs(told["verified"], True)

    def test_groups_that_take_long(self):
        for group in COSTLY_GROUPS:
            with self.subTest(group), gnutls_server(self.good, "--http",
                                                    priority=gnutls_priority(groups=[group])) as server:
                told = self.report(self.connect(server.port, "--json", "--groups", f"x25519,{group}", input=REQUEST))
                self.assertEqual((told["group"], told["retried"]), (group, True))

    def test_certificates_of_each_type(self):
        made = {}
        for kind, scheme in SCHEMES:
            made[kind] = made.get(kind) or self.authority.issue(kind, kind=kind)
            with self.subTest(kind=kind, scheme=scheme), \
                    gnutls_server(made[kind], "--http", priority=f"{gnutls_priority()}:{gnutls_scheme(scheme)}") as server:
                told = self.report(self.connect(server.port, "--json", input=REQUEST))
                self.assertEqual((told["signature"], told["verified"]), (scheme, True))

    def test_a_certificate_is_asked_of_us(self):
        """By default it asks, of some authority's; that we have none is told to it."""
        with gnutls_server(self.good, "--http", "--x509cafile", self.authority.certificate) as server:
            self.assertIs(self.report(self.connect(server.port, "--json", input=REQUEST))["verified"], True)
        with gnutls_server(self.good, "--http", "--require-client-cert") as server:
            self.assert_fails(self.connect(server.port, "-q", input=REQUEST), "certificate_required")

    def test_alpn(self):
        with gnutls_server(self.good, "--http", "--alpn=http/1.1") as server:
            self.assertEqual(self.report(self.connect(server.port, "--json", "--alpn", "h2,http/1.1",
                                                      input=REQUEST))["alpn"], "http/1.1")
        with gnutls_server(self.good, "--http", "--alpn=h3", "--alpn-fatal") as server:
            self.assert_fails(self.connect(server.port, "--alpn", "http/1.1", input=REQUEST), "no_application_protocol")

    def test_much_data_both_ways(self):
        """It echoes line by line."""
        lines = b"".join(os.urandom(40).hex().encode() + b"\n" for _ in range(50_000))
        with gnutls_server(self.good, "--echo") as server:
            done = self.connect(server.port, "-q", input=lines)
        self.assertEqual((done.returncode, len(done.stdout), done.stdout == lines), (0, len(lines), True), done.stderr)

    def test_refusals(self):
        past = {"start": "20200101000000Z", "end": "20200301000000Z"}
        future = {"start": "20980101000000Z", "end": "20990301000000Z"}
        for label, how, words in (("wrong", {"names": "DNS:example.org"}, ["localhost", "not for"]),
                                  ("old", past, ["expired", "2020-03-01"]), ("young", future, ["not valid", "2098"])):
            with self.subTest(label), gnutls_server(self.authority.issue(label, **how), "--http") as server:
                done = self.connect(server.port, "-q", input=REQUEST)
                self.assert_fails(done, *words)
                self.assertEqual(done.stdout, b"")
        with gnutls_server(self.good, "--http") as server:
            self.assert_fails(self.connect(server.port, "-q", input=REQUEST, ca=self.stranger.certificate), "issuer",
                              "unknown")


if __name__ == "__main__":
    import unittest
    unittest.main()
