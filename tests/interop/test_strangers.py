"""Old clients, other protocols, scanners and the very slow at the server's door: each gets the right alert or a closed
connection, and one line of the log says who and why. The server goes on."""

import random
import re
import socket
import ssl
import struct
import subprocess
import threading
import time

from conversation import PATIENCE
from peers import gnutls_client, needs, openssl_client
from server import Server, Served, insecure

UNEXPECTED_MESSAGE, RECORD_OVERFLOW, PROTOCOL_VERSION = 10, 22, 70
HTTP = "the peer speaks plain HTTP to a TLS port"
NO_TLS = "the peer does not speak TLS"
NOT_ALLOWED = "a record arrived whose type is not allowed here"
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset

# An SSLv2-format hello, of a client that has TLS 1.0 as well; and SSL 2.0's own.
SSL2_TO_TLS1 = bytes.fromhex("802e 0103 01 0015 0000 0010 010080 030080 0700c0 050080 060040 0a0080 020080") + bytes(16)
SSL2 = bytes.fromhex("801c 0100 02 0003 0000 0010 010080") + bytes(16)

# name, what it says, the alert that it gets (None: none), why in the log
STRANGERS = (
    ("plain HTTP", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", UNEXPECTED_MESSAGE, HTTP),
    ("HTTP upload", b"POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + bytes(100000), UNEXPECTED_MESSAGE, HTTP),
    ("proxy", b"CONNECT example.org:443 HTTP/1.1\r\n\r\n", UNEXPECTED_MESSAGE, HTTP),
    ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", UNEXPECTED_MESSAGE, HTTP),
    ("SSH", b"SSH-2.0-OpenSSH_9.2\r\n", UNEXPECTED_MESSAGE, NO_TLS),
    ("SMTP", b"EHLO example.org\r\n", UNEXPECTED_MESSAGE, NO_TLS),
    ("RDP", bytes.fromhex("0300001300e00000000000010008000b000000"), UNEXPECTED_MESSAGE, NO_TLS),
    ("zeros", bytes(64), UNEXPECTED_MESSAGE, NO_TLS),
    ("random", random.Random(8).randbytes(20000), UNEXPECTED_MESSAGE, NO_TLS),
    ("SSLv2 format", SSL2_TO_TLS1, PROTOCOL_VERSION, "no protocol version in common"),
    ("SSL 2.0", SSL2, PROTOCOL_VERSION, "no protocol version in common"),
    ("a record too long", b"\x16\x03\x01\xff\xff" + bytes(100), RECORD_OVERFLOW, "a record is longer"),
    ("an empty record", b"\x16\x03\x01\x00\x00", UNEXPECTED_MESSAGE, "empty"),
    ("application data", b"\x17\x03\x03\x00\x10" + bytes(16), UNEXPECTED_MESSAGE, NOT_ALLOWED),
    ("heartbeat", b"\x18\x03\x02\x00\x03\x01\x40\x00", UNEXPECTED_MESSAGE, ""),
    ("an alert", b"\x15\x03\x01\x00\x02\x02\x28", None, "received alert handshake_failure"),
    ("nothing", b"", None, "the peer closed the connection"),
    ("three bytes", b"\x16\x03\x01", None, "the peer closed the connection"),
)


class Strangers(Served):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Server(self.site))

    def visit(self, first, ends=True):
        """(our address, what the server answers) of a connection that begins with these bytes."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE) as plain:
            answer = b""
            try:
                plain.sendall(first)
                if ends:
                    plain.shutdown(socket.SHUT_WR)
                while part := plain.recv(4096):
                    answer += part
            except ConnectionError:
                pass  # it had heard enough
            return "127.0.0.1:%d" % plain.getsockname()[1], answer

    def assert_told(self, peer, why):
        """Exactly one line about this peer."""
        who = rf"^tenon: {re.escape(peer)}: "
        self.server.wait_for(self.server.errors, who + f".*{why}")
        self.assertEqual(len(re.findall(who, self.server.told(self.server.errors), re.M)), 1)

    def assert_goes_on(self):
        self.assertEqual(self.server.get("/")[2], b"<p>hello")

    def test_each_gets_its_answer(self):
        for name, first, alert, why in STRANGERS:
            for ends in (True, False) if alert else (True,):
                with self.subTest(name, ends=ends):
                    peer, answer = self.visit(first, ends)
                    self.assertEqual(answer, b"" if alert is None else b"\x15\x03\x03\x00\x02\x02" + bytes([alert]))
                    self.assert_told(peer, why)
        self.assert_goes_on()

    def test_scanners(self):
        """Many connect and go, in order or with a reset, having said nothing or a little."""
        for first in (b"", b"\x16\x03"):
            for linger in (None, RESET):
                peers = []
                for _ in range(50):
                    with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE) as plain:
                        plain.sendall(first)
                        if linger:
                            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                        peers.append("127.0.0.1:%d" % plain.getsockname()[1])
                for peer in peers:
                    self.assert_told(peer, "connection")
        self.assert_goes_on()

    def assert_refused_three_times(self):
        line = r".*no protocol version in common \(sent alert protocol_version\)\n"
        self.server.wait_for(self.server.errors, f"(?s)({line}){{3}}")

    def test_old_openssl(self):
        needs("openssl")
        for version in ("-tls1_2", "-tls1_1", "-tls1"):
            with self.subTest(version):
                done = subprocess.run(openssl_client(self.server.port, version, "-cipher", "ALL:@SECLEVEL=0"), input="",
                                      capture_output=True, text=True, timeout=PATIENCE, check=False)
                self.assertIn("alert protocol version", done.stderr)
        self.assert_refused_three_times()
        self.assert_goes_on()

    def test_old_gnutls(self):
        needs("gnutls-cli")
        for version in ("1.2", "1.1", "1.0"):
            with self.subTest(version):
                done = subprocess.run(gnutls_client(self.server.port, priority=f"NORMAL:-VERS-ALL:+VERS-TLS{version}"),
                                      input="", capture_output=True, text=True, timeout=PATIENCE, check=False)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("alert", done.stderr + done.stdout)
        self.assert_refused_three_times()
        self.assert_goes_on()

    def drip(self, data, connection, cut):
        """Byte by byte, much too slowly, until the server has had enough; when that was."""
        try:
            for byte in data:
                connection.sendall(bytes([byte]))
                connection.settimeout(0.25)
                try:
                    if not connection.recv(4096):
                        break
                except TimeoutError:
                    pass
        except OSError:
            pass
        cut.append(time.monotonic())

    def test_the_very_slow(self):
        """A ClientHello, or a request, that comes a byte at a time has ten seconds, like all others."""
        hello = ssl.MemoryBIO()
        client = insecure().wrap_bio(ssl.MemoryBIO(), hello)
        with self.assertRaises(ssl.SSLWantReadError):
            client.do_handshake()
        plain = socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE)
        tls = self.server.connect()
        silent = socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE)
        peer = "127.0.0.1:%d" % plain.getsockname()[1]
        began, cut = time.monotonic(), []
        drips = [threading.Thread(target=self.drip, args=(data, connection, cut))
                 for data, connection in ((hello.read(), plain), (b"GET / HTTP/1.1\r\nA: " + b"a" * 1000, tls))]
        for thread in drips:
            thread.start()
        while any(thread.is_alive() for thread in drips) and time.monotonic() - began < PATIENCE:
            self.assert_goes_on()
            time.sleep(0.25)
        for thread in drips:
            thread.join(1)
        self.assertEqual(len(cut), 2)
        self.assertGreater(min(cut) - began, 8)
        self.assert_told(peer, "timed out in the handshake")
        self.assertEqual(silent.recv(1), b"")
        self.assert_told("127.0.0.1:%d" % silent.getsockname()[1], "timed out in the handshake")
        self.assert_told("127.0.0.1:%d" % tls.getsockname()[1], "timed out")
        for connection in (plain, tls, silent):
            connection.close()


if __name__ == "__main__":
    import unittest
    unittest.main()
