"""`tenon connect` against servers of other people's: data both ways, how it ends, what it refuses and why."""

import hashlib
import json
import os
import socket
import subprocess
import threading
import time
import unittest
from pathlib import Path

from client import Connect, answer
from peers import SUITES, ScriptedServer, free_port, openssl_server
from program import SANITIZED, command, run
from server import read_all


def has_ipv6():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        return True
    except OSError:
        return False


class Data(Connect):
    def test_both_ways_with_half_close(self):
        with ScriptedServer(self.good, answer) as server:
            done = self.connect(server.port, input=b"hello")
        self.assertEqual((done.returncode, done.stdout), (0, b"got hello"), done.stderr)

    def test_nothing_at_all(self):
        with ScriptedServer(self.good, answer) as server:
            done = self.connect(server.port)
        self.assertEqual((done.returncode, done.stdout), (0, b"got "), done.stderr)

    def test_the_peer_may_close_first(self):
        def script(tls):
            tls.sendall(b"bye")
            tls.unwrap()

        with ScriptedServer(self.good, script) as server:
            reading, writing = os.pipe()  # an input that does not end
            done = self.connect(server.port, stdin=reading)
            os.close(reading), os.close(writing)
        self.assertEqual((done.returncode, done.stdout), (0, b"bye"), done.stderr)

    def test_files_as_input_and_output(self):
        data = os.urandom(300_000)
        source = self.file("in", data)
        with ScriptedServer(self.good, answer) as server, open(source, "rb") as stdin, \
                open(self.folder / "out", "wb") as stdout:
            done = self.connect(server.port, stdin=stdin, stdout=stdout)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "out").read_bytes(), b"got " + data)

    def test_sockets_as_input_and_output(self):
        ours, theirs = socket.socketpair()
        with ScriptedServer(self.good, answer) as server, ours, theirs:
            ours.sendall(b"over a socket")
            ours.shutdown(socket.SHUT_WR)
            done = self.connect(server.port, stdin=theirs, stdout=theirs)
            theirs.close()
            self.assertEqual((done.returncode, ours.recv(100)), (0, b"got over a socket"), done.stderr)

    def test_the_descriptors_of_others_stay_blocking(self):
        reading, writing = os.pipe()
        os.close(writing)
        out_reading, out_writing = os.pipe()
        with ScriptedServer(self.good, answer) as server:
            done = self.connect(server.port, stdin=reading, stdout=out_writing)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.get_blocking(reading) and os.get_blocking(out_writing))
        for fd in (reading, out_reading, out_writing):
            os.close(fd)

    def test_pipes_that_somebody_made_non_blocking(self):
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        threading.Timer(0.3, lambda: (os.write(writing, b"late"), os.close(writing))).start()
        with ScriptedServer(self.good, answer) as server:
            done = self.connect(server.port, stdin=reading)
        os.close(reading)
        self.assertEqual((done.returncode, done.stdout), (0, b"got late"), done.stderr)

    def test_full_duplex(self):
        """Both sides write much before either stops: nobody may wait for the other."""
        chunk, count = os.urandom(1 << 16), 200

        def script(tls):
            for _ in range(count):
                tls.sendall(chunk)
                left = len(chunk)
                while left:
                    left -= len(tls.recv(left))
            tls.unwrap()

        with ScriptedServer(self.good, script) as server:
            done = self.connect(server.port, input=chunk * count)
        self.assertEqual(done.returncode, 0, (done.stderr, server.error))
        self.assertEqual(hashlib.sha256(done.stdout).digest(), hashlib.sha256(chunk * count).digest())


class Bulk(Connect):
    """100 MB through pipes, the other side slow at first; memory stays flat."""
    CHUNK = os.urandom(1 << 20)
    COUNT = 100
    ROOM = (400 if SANITIZED else 16) << 10  # KiB

    def start(self, port, **how):
        return subprocess.Popen(command("connect", "-q", "--ca", self.authority.certificate, f"127.0.0.1:{port}"),
                                **how)

    def digest(self):
        whole = hashlib.sha256()
        for _ in range(self.COUNT):
            whole.update(self.CHUNK)
        return whole.hexdigest()

    def assert_small(self, process):
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        self.assertLess(int(status.split("VmHWM:")[1].split()[0]), self.ROOM)

    def test_down(self):
        measured = threading.Event()

        def script(tls):
            for _ in range(self.COUNT):
                tls.sendall(self.CHUNK)
            measured.wait(60)
            tls.unwrap()

        with ScriptedServer(self.good, script) as server:
            process = self.start(server.port, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
            time.sleep(0.5)
            got = hashlib.sha256()
            for _ in range(self.COUNT):
                got.update(process.stdout.read(len(self.CHUNK)))
            self.assert_small(process)
            measured.set()
            self.assertEqual(process.stdout.read(), b"")
            process.stdout.close()
            self.assertEqual(process.wait(60), 0)
        self.assertEqual((got.hexdigest(), server.error), (self.digest(), None))

    def test_up(self):
        got = hashlib.sha256()

        def script(tls):
            time.sleep(0.5)
            while part := tls.recv(1 << 16):
                got.update(part)
            tls.unwrap()

        with ScriptedServer(self.good, script) as server:
            process = self.start(server.port, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            for _ in range(self.COUNT):
                process.stdin.write(self.CHUNK)
            self.assert_small(process)
            process.stdin.close()
            self.assertEqual(process.wait(60), 0)
        self.assertEqual((got.hexdigest(), server.error), (self.digest(), None))


class Negotiation(Connect):
    def told(self, server, *options, **how):
        done = self.connect(server.port, *options, **how)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_for_people(self):
        with ScriptedServer(self.good, answer, alpn=["http/1.1"]) as server:
            told = self.told(server, "--alpn", "h2,http/1.1")
        for line in [f"connected to 127.0.0.1:{server.port}", "  version       TLSv1.3", "  group         x25519",
                     "  signature     ecdsa_secp256r1_sha256", "  protocol      http/1.1", "  server name   localhost",
                     "  certificate   CN=good", "  verified      yes"]:
            self.assertIn(line + "\n", told)
        self.assertIn("issued by CN=ca, ECDSA P-256, expires in 50 days\n", told)

    def test_for_machines(self):
        with ScriptedServer(self.good, answer, alpn=["two", "one"]) as server:
            told = json.loads(self.told(server, "--json", "--alpn", "one,two"))
        self.assertEqual(told["alpn"], "two")  # the server's choice
        self.assertEqual(told["server_name"], "localhost")
        self.assertEqual(told["peer"], f"127.0.0.1:{server.port}")
        self.assertEqual(told["chain"][0]["subject"], "CN=good")
        self.assertEqual(told["chain"][0]["names"][0], {"type": "dns", "value": "localhost"})
        self.assertEqual(told["group_id"], 0x1d)

    def test_quiet(self):
        for option in ("-q", "--quiet"):
            with ScriptedServer(self.good, answer) as server:
                self.assertEqual(self.told(server, option), "")

    def test_server_name(self):
        other = self.authority.issue("other", names="DNS:other.test")
        with ScriptedServer(other, answer) as server:
            self.told(server, "--sni", "other.test")
            self.assertEqual(server.server_name, "other.test")

    def test_a_host_is_its_server_name(self):
        try:
            socket.getaddrinfo("localhost", 443)
        except OSError:
            self.skipTest("this machine does not know localhost")
        with ScriptedServer(self.good, answer) as server:
            self.told(server, host="localhost")
            self.assertEqual(server.server_name, "localhost")

    def test_an_address_is_no_server_name(self):
        with ScriptedServer(self.good, answer) as server:
            self.told(server, host="127.0.0.1")
            self.assertIsNone(server.server_name)

    @unittest.skipUnless(has_ipv6(), "there is no IPv6 here")
    def test_an_ipv6_address(self):
        with ScriptedServer(self.good, answer, address="::1") as server:
            told = json.loads(self.told(server, "--json", host="[::1]"))
            self.assertIsNone(server.server_name)  # an address is none
        self.assertEqual((told["peer"], told["verified"]), (f"[::1]:{server.port}", True))

    def test_ca_from_the_environment(self):
        with ScriptedServer(self.good, answer) as server:
            done = run("connect", f"127.0.0.1:{server.port}",
                       env={**os.environ, "SSL_CERT_FILE": str(self.authority.certificate)})
        self.assert_done(done)


class Refusals(Connect):
    def refused(self, certificate, *words, options=(), **how):
        with ScriptedServer(certificate, answer) as server:
            done = self.connect(server.port, *options, input=b"secret", **how)
        self.assert_fails(done, f"tenon: {how.get('host', '127.0.0.1')}:{server.port}: ", *words)
        self.assertEqual(done.stdout, b"")

    def test_wrong_name(self):
        self.refused(self.authority.issue("wrong", names="DNS:example.org"), "localhost", "not for")
        self.refused(self.good, "not for", host="127.0.0.1", options=["--sni", "example.org"])
        self.refused(self.authority.issue("no-ip", names="DNS:localhost"), "not for", host="127.0.0.1")

    def test_dates(self):
        self.refused(self.authority.issue("old", start="20200101000000Z", end="20200301000000Z"), "expired",
                     "2020-03-01")
        self.refused(self.authority.issue("young", start="20980101000000Z", end="20990301000000Z"), "not valid",
                     "2098-01-01")

    def test_unknown_issuer(self):
        self.refused(self.good, "issuer", "unknown", ca=self.stranger.certificate)

    def test_self_signed(self):
        own = self.folder / "c.pem", self.folder / "k.pem"
        self.assert_done(run("cert", "self-signed", "-o", own[0], "-k", own[1]))
        self.refused(own, "self-signed")
        with ScriptedServer(own, answer) as server:
            self.assertEqual(self.connect(server.port, ca=own[0]).returncode, 0)

    def test_wrong_purpose(self):
        self.refused(self.authority.issue("client", purpose="clientAuth"), "extended key usage")

    def test_insecure_accepts_all_of_them(self):
        wrong = self.stranger.issue("wrong", names="DNS:example.org", start="20200101000000Z", end="20200301000000Z")
        with ScriptedServer(wrong, answer) as server:
            done = self.connect(server.port, "--insecure", input=b"x")
        self.assertEqual((done.returncode, done.stdout), (0, b"got x"), done.stderr)
        self.assertIn("verified      NO", done.stderr)


class Failures(Connect):
    def test_trust_that_cannot_be_read(self):
        self.file("empty")
        self.file("garbage", b"\xff" * 100)
        for name, why in [("absent", "No such file or directory"), (".", "Is a directory"),
                          ("empty", "no certificate in it"), ("garbage", "no certificate in it")]:
            with self.subTest(name):
                done = self.connect(1, ca=f"{self.folder}/{name}")
                self.assert_fails(done, f"tenon: {self.folder}/{name}: {why}")

    def test_trust_that_nobody_named(self):
        done = run("connect", "localhost:1", env={**os.environ, "SSL_CERT_FILE": f"{self.folder}/absent"})
        self.assert_fails(done, f"tenon: {self.folder}/absent: No such file or directory (--ca names")

    def test_nobody_listens(self):
        port = free_port()
        self.assert_fails(self.connect(port), f"tenon: 127.0.0.1:{port}: ", "connection refused")

    def test_no_such_host(self):
        self.assert_fails(self.connect(443, "--timeout", "20", host="does-not-exist.invalid"), "does-not-exist.invalid")

    def test_a_silent_server_runs_into_the_timeout(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            begin = time.monotonic()
            done = self.connect(listener.getsockname()[1], "--timeout", "1")
            self.assertLess(time.monotonic() - begin, 10)
        self.assert_fails(done, "timed out")

    def test_a_server_without_tls(self):
        def plain(connection):
            connection.recv(1000)
            connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")
            connection.recv(1000)

        with ScriptedServer(self.good, None, before_tls=plain) as server:
            done = self.connect(server.port)
        self.assert_fails(done, "TLS")

    def test_an_end_without_close_notify(self):
        def script(tls):
            tls.sendall(b"half of it")
            read_all(tls)
            os.close(tls.detach())

        with ScriptedServer(self.good, script) as server:
            done = self.connect(server.port, input=b"x")
        self.assertEqual((done.returncode, done.stdout), (1, b"half of it"), done.stderr)
        self.assertIn("without close_notify", done.stderr)

    def test_a_reset_loses_nothing_that_came_before(self):
        def script(tls):
            tls.sendall(b"half of it")
            time.sleep(0.2)  # our close_notify is left unread, which makes the end a reset
            os.close(tls.detach())

        with ScriptedServer(self.good, script) as server:
            done = self.connect(server.port, "-q")
        self.assert_fails(done, f"tenon: 127.0.0.1:{server.port}: ")
        self.assertEqual(done.stdout, b"half of it")

    def flood(self, tls):
        while True:
            tls.sendall(bytes(1 << 16))

    def test_a_broken_output_pipe_is_an_error(self):
        reading, writing = os.pipe()
        threading.Timer(0.3, os.close, [reading]).start()
        with ScriptedServer(self.good, self.flood) as server:
            done = self.connect(server.port, "-q", stdout=writing)
        os.close(writing)
        self.assert_fails(done, "tenon: standard output: Broken pipe")

    def test_a_full_disk_is_an_error(self):
        with ScriptedServer(self.good, self.flood) as server, open("/dev/full", "wb") as full:
            done = self.connect(server.port, "-q", stdout=full)
        self.assert_fails(done, "tenon: standard output: No space left on device")

    def test_input_that_cannot_be_read(self):
        folder = os.open(self.folder, os.O_RDONLY)
        with ScriptedServer(self.good, answer) as server:
            done = self.connect(server.port, "-q", stdin=folder)
        os.close(folder)
        self.assert_fails(done, "tenon: standard input: Is a directory")

    def test_nothing_in_common(self):
        with openssl_server(self.good, "-ciphersuites", SUITES[0]) as server:
            done = self.connect(server.port, "--suites", SUITES[1])
        self.assert_fails(done, "handshake_failure")

    def test_a_rejected_protocol(self):
        with openssl_server(self.good, "-alpn", "h2") as server:
            done = self.connect(server.port, "--alpn", "http/1.1")
        self.assert_fails(done, "no_application_protocol")


if __name__ == "__main__":
    unittest.main()
