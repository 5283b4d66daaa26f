"""`tenon connect` and `openssl s_server`."""

import json
import socket
import threading

from client import Connect
from conversation import PATIENCE, Conversation
from peers import COSTLY_GROUPS, GROUPS, SCHEMES, SUITES, needs, openssl_server
from program import command

REQUEST = b"GET / HTTP/1.0\r\n\r\n"


def setUpModule():
    needs("openssl")


class WithoutChangeCipherSpec:
    """A relay on a port of its own that takes them out of what the client sends. `s_server -stateless` stumbles on the
    one between the two ClientHellos, OpenSSL's own client's as well."""

    def __init__(self, port):
        self.to = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(PATIENCE)
        self.port = self.listener.getsockname()[1]
        self.threads = [threading.Thread(target=self._up, daemon=True)]

    def _up(self):
        client, _ = self.listener.accept()
        server = socket.create_connection(("127.0.0.1", self.to))
        self.threads.append(threading.Thread(target=self._down, args=(server, client), daemon=True))
        self.threads[-1].start()
        with client.makefile("rb") as records:
            while head := records.read(5):
                body = records.read(int.from_bytes(head[3:], "big"))
                if head[0] != 20:
                    server.sendall(head + body)
        server.shutdown(socket.SHUT_WR)

    @staticmethod
    def _down(server, client):
        with server, client:
            while data := server.recv(1 << 16):
                client.sendall(data)

    def __enter__(self):
        self.threads[0].start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        for thread in self.threads:
            thread.join(PATIENCE)


class OpenSSL(Connect):
    def report(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return json.loads(done.stderr)

    def talk(self, server, *options):
        return Conversation(command("connect", "--ca", self.authority.certificate, "--sni", "localhost", *options,
                                    f"127.0.0.1:{server.port}"))

    def test_each_suite_and_group(self):
        for suite in SUITES:
            for group in GROUPS:
                with self.subTest(suite=suite, group=group):
                    with openssl_server(self.good, "-ciphersuites", suite, "-groups", group, "-www") as server:
                        done = self.connect(server.port, "--json", input=REQUEST)
                    told = self.report(done)
                    self.assertTrue(done.stdout.startswith(b"HTTP/1.0 200 ok"), done.stdout)
                    self.assertIn(suite.encode(), done.stdout)
                    self.assertEqual((told["version"], told["suite"], told["group"]), ("TLSv1.3", suite, group))
                    self.assertEqual(told["signature"], "ecdsa_secp256r1_sha256")
                    self.assertIs(told["verified"], True)
                    self.assertIs(told["retried"], group != "x25519")

    def test_certificates_of_each_type(self):
        made = {}
        for kind, scheme in SCHEMES:
            made[kind] = made.get(kind) or self.authority.issue(kind, kind=kind)
            with self.subTest(kind=kind, scheme=scheme), \
                    openssl_server(made[kind], "-sigalgs", scheme, "-www") as server:
                told = self.report(self.connect(server.port, "--json", input=REQUEST))
                self.assertEqual((told["signature"], told["verified"]), (scheme, True))

    def test_suites_and_groups_that_we_ask_for(self):
        with openssl_server(self.good, "-www") as server:
            for suite in SUITES:
                for group in GROUPS:
                    with self.subTest(suite=suite, group=group):
                        done = self.connect(server.port, "--json", "--suites", suite.lower(), "--groups", group.upper())
                        told = self.report(done)
                        self.assertEqual((told["suite"], told["group"], told["retried"]), (suite, group, False))

    def test_groups_that_take_long(self):
        """We have them for who asks for them: at once, and by a retry."""
        for group in COSTLY_GROUPS:
            with self.subTest(group), openssl_server(self.good, "-groups", group, "-www") as server:
                self.assert_fails(self.connect(server.port, "-q", input=REQUEST), "handshake_failure")
                for groups in (group, f"x25519,{group}"):
                    told = self.report(self.connect(server.port, "--json", "--groups", groups, input=REQUEST))
                    self.assertEqual((told["group"], told["retried"]), (group, groups != group))

    def test_server_without_middlebox_compatibility(self):
        with openssl_server(self.good, "-no_middlebox", "-groups", "secp256r1", "-www") as server:
            self.assertIs(self.report(self.connect(server.port, "--json", input=REQUEST))["retried"], True)

    def test_a_cookie(self):
        for groups in ("x25519:secp256r1", "secp256r1"):
            with self.subTest(groups), openssl_server(self.good, "-stateless", "-groups", groups) as server, \
                    WithoutChangeCipherSpec(server.port) as relay, self.talk(relay, "--json") as client:
                client.hear('"retried":true')
                client.say("with a cookie\n")
                server.hear("with a cookie\n")
                client.end()

    def test_a_certificate_is_asked_of_us(self):
        with openssl_server(self.good, "-verify", "1", "-www") as server:
            self.assertIs(self.report(self.connect(server.port, "--json", input=REQUEST))["verified"], True)
        with openssl_server(self.good, "-Verify", "1", "-www") as server:
            self.assert_fails(self.connect(server.port, "-q", input=REQUEST), "certificate_required")

    def test_many_tickets(self):
        with openssl_server(self.good, "-num_tickets", "20", "-www") as server:
            done = self.connect(server.port, "-q", input=REQUEST)
        self.assertEqual((done.returncode, done.stdout[:15]), (0, b"HTTP/1.0 200 ok"), done.stderr)

    def test_small_records(self):
        with openssl_server(self.good, "-max_send_frag", "512", "-www") as server:
            done = self.connect(server.port, "-q", input=REQUEST)
        self.assertEqual((done.returncode, b"</HTML>" in done.stdout), (0, True), done.stderr)

    def test_key_updates(self):
        """`k` updates the server's keys, `K` asks for ours as well; each must hold for what comes after it."""
        with openssl_server(self.good, "-msg") as server, self.talk(server) as client:
            client.hear("verified      yes")
            ours = 0
            for turn, letter in enumerate("kKkKKk", 1):
                server.say(letter + "\n")
                server.hear(">>> TLS 1.3, Handshake .*KeyUpdate", turn)
                server.say(f"down {turn}\n")
                client.hear(f"down {turn}\n")
                if letter == "K":
                    ours += 1
                    server.hear("<<< TLS 1.3, Handshake .*KeyUpdate", ours)
                client.say(f"up {turn}\n")
                server.hear(f"up {turn}\n")
            client.end()


if __name__ == "__main__":
    import unittest
    unittest.main()
