"""`tenon serve` from outside: its command line, its certificates, its answers over TLS, its end."""

import hashlib
import json
import os
import re
import signal
import socket
import ssl
import threading
import time
from pathlib import Path

from authority import Authority
from conversation import PATIENCE, wait_until
from peers import listens
from program import openssl, run
from server import Server, Served, insecure, read_all

EMPTY_LOG = re.compile(r"^https://\S+/\n$")


class CommandLine(Served):
    def test_help(self):
        done = run("serve", "--help")
        self.assert_done(done)
        for option in ("-p PORT", "-l ADDR", "-D DIR", "-C CERT.pem", "-K KEY.pem", "-B", "-v"):
            self.assertIn(option, done.stdout)

    def test_bad_usage(self):
        for arguments in (["-p", "65536"], ["-p", "-1"], ["-p", "http"], ["-p", ""], ["-p"], ["-l", "localhost"],
                          ["-l", "1.2.3"], ["-D", ""], ["-K", "key.pem"], ["-x"], ["--bogus"], ["site"]):
            with self.subTest(arguments):
                self.assert_fails(run("serve", *arguments), status=2)

    def test_what_is_missing_is_named(self):
        missing = self.folder / "absent"
        for option in ("-D", "-C"):
            with self.subTest(option):
                self.assert_fails(run("serve", "-p", "0", option, missing), str(missing), "No such file")
        text = self.file("text", "no certificate")
        self.assert_fails(run("serve", "-p", "0", "-D", text), str(text), "Not a directory")

    def test_port_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            self.assert_fails(self.quiet("-l", "127.0.0.1", "-p", port), str(port), "in use")

    def quiet(self, *arguments):
        """Runs it with a certificate, so that nothing is told of one made on the spot."""
        certificate, key = Authority(self.folder).issue("good")
        return run("serve", "-D", self.site, "-C", certificate, "-K", key, *arguments)

    def test_address_that_is_not_ours(self):
        self.assert_fails(self.quiet("-l", "198.51.100.1", "-p", 0), "198.51.100.1")


class Certificates(Served):
    def setUp(self):
        super().setUp()
        self.authority = Authority(self.folder)

    def trusting(self):
        return ssl.create_default_context(cafile=str(self.authority.certificate))

    def test_made_on_the_spot(self):
        with Server(self.site, "-l", "127.0.0.2") as server:
            told = server.wait_for(server.errors, r"made a certificate for (.*); its SHA-256 fingerprint is (\S+)$")
            with socket.create_connection(("127.0.0.2", server.port)) as plain, insecure().wrap_socket(plain) as tls:
                der = tls.getpeercert(binary_form=True)
        self.assertEqual(hashlib.sha256(der).hexdigest().upper(), told[2].replace(":", ""))
        names = told[1].split(", ")
        for name in ("localhost", "127.0.0.1", "::1", "127.0.0.2"):
            self.assertIn(name, names)
        pem = self.file("made.pem", ssl.DER_cert_to_PEM_cert(der))
        for check, name in (("-verify_hostname", "localhost"), ("-verify_ip", "127.0.0.2"), ("-verify_ip", "::1")):
            openssl("verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", pem, check, name, pem)
        self.assertIn("id-ecPublicKey", openssl("x509", "-in", pem, "-noout", "-text"))

    def test_verified(self):
        certificate, key = self.authority.issue("good")
        with Server(self.site, "-C", certificate, "-K", key) as server:
            self.assertEqual(server.get("/", self.trusting())[2], b"<p>hello")

    def test_key_in_the_certificate_file(self):
        certificate, key = self.authority.issue("good")
        both = self.file("both.pem", key.read_bytes() + certificate.read_bytes())
        with Server(self.site, "-C", both) as server:
            self.assertEqual(server.get("/", self.trusting())[0], 200)

    def test_keys_find_their_certificates(self):
        one = self.authority.issue("one", "DNS:one.example")
        two = self.authority.issue("two", "DNS:two.example,DNS:*.two.example")
        with Server(self.site, "-K", two[1], "-C", one[0], "-K", one[1], "-C", two[0]) as server:
            for name in ("one.example", "two.example", "a.two.example"):
                self.assertEqual(server.get("/", self.trusting(), name)[0], 200)
            with self.assertRaises(ssl.SSLCertVerificationError):
                server.get("/", self.trusting(), "three.example")

    def test_a_certificate_out_of_date_is_served_with_a_warning(self):
        for dates, words in (({"start": "20200101000000Z", "end": "20200301000000Z"}, "expired on 2020-03-01"),
                             ({"start": "20980101000000Z", "end": "20990301000000Z"}, "is not valid before 2098-01-01")):
            certificate, key = self.authority.issue("dated", **dates)
            with self.subTest(words), Server(self.site, "-C", certificate, "-K", key) as server:
                server.wait_for(server.errors, rf"^tenon: {re.escape(str(certificate))}: warning: .* {words} ")
                self.assertEqual(server.get("/")[0], 200)

    def test_mismatches(self):
        certificate, key = self.authority.issue("good")
        other_certificate, other_key = self.authority.issue("other")
        for arguments, words in (
                (["-C", certificate], [str(certificate), "missing"]),
                (["-C", certificate, "-K", other_key], [str(certificate), "belongs"]),
                (["-C", certificate, "-K", key, "-K", other_key], [str(other_key), "belongs"]),
                (["-C", certificate, "-C", other_certificate, "-K", key], [str(other_certificate), "belongs"]),
                (["-C", key, "-K", key], [str(key), "no certificate"]),
                (["-C", certificate, "-K", certificate], [str(certificate), "no private key"]),
                (["-C", certificate, "-K", self.file("empty")], ["empty", "no private key"]),
                (["-C", self.file("text", "x" * 5000)], ["text"]),
                (["-C", self.file("broken", certificate.read_text()[:300]), "-K", key], ["broken"]),
                (["-C", "/dev/zero"], ["/dev/zero"])):
            with self.subTest(arguments):
                self.assert_fails(run("serve", "-p", "0", "-D", self.site, *arguments), *words)


class Answers(Served):
    def test_connection_page(self):
        with Server(self.site) as server:
            _, head, body = server.get("/.tenon/connection")
        self.assertIn("Content-Type: application/json\r\n", head)
        self.assertIn("Cache-Control: no-store", head)
        page = json.loads(body)
        self.assertEqual((page["version"], page["server_name"], page["alpn"], page["retried"]),
                         ("TLSv1.3", "localhost", "", False))
        self.assertEqual(page["bytes_sent"], 0)
        self.assertGreater(page["bytes_received"], 0)

    def test_pipelining(self):
        with Server(self.site) as server, server.connect() as tls:
            tls.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 100 + b"GET /absent HTTP/1.0\r\n\r\n")
            answers = read_all(tls)
            self.assertEqual(answers.count(b"HTTP/1.1 200 OK\r\n"), 100)
            self.assertEqual(answers.count(b"<p>hello"), 100)
            self.assertEqual(answers.count(b"HTTP/1.1 404 Not Found\r\n"), 1)

    def test_large_file_to_several_at_once(self):
        contents = os.urandom(1 << 20) * 16
        self.file("site/large", contents)
        wrong = []

        def fetch(server):
            if server.get("/large")[2] != contents:
                wrong.append(1)

        with Server(self.site) as server:
            threads = [threading.Thread(target=fetch, args=(server,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(server.get("/large", fields="Range: bytes=5000000-5000099\r\n")[2],
                             contents[5000000:5000100])
        self.assertEqual(wrong, [])

    def test_a_slow_reader_costs_a_window(self):
        self.file("site/large", bytes(256 << 20))
        with Server(self.site) as server:
            def memory():
                return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{server.process.pid}/status").read_text())[1])

            before = memory()
            readers = [server.connect() for _ in range(4)]
            for tls in readers:
                tls.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
                tls.recv(1)
            time.sleep(0.5)
            self.assertLess(memory() - before, 16 << 10)
            for tls in readers:
                tls.close()

    def test_two_directories(self):
        second = self.folder / "second"
        second.mkdir()
        self.file("second/index.html", "second")
        self.file("second/only", "only")
        with Server(self.site, "-D", second) as server:
            self.assertEqual(server.get("/")[2], b"<p>hello")
            self.assertEqual(server.get("/only")[2], b"only")

    def test_access_log(self):
        with Server(self.site) as server:
            server.get("/?\"'%0a")
            server.wait_for(server.log, r'^(127\.0\.0\.1|::1) - - \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] '
                            r'"GET /\?\\x22\'%0a HTTP/1\.1" 200 8 TLSv1\.3 TLS_\w+$')


class Trouble(Served):
    def test_unknown_application_protocol(self):
        other = insecure()
        other.set_alpn_protocols(["h2"])
        with Server(self.site) as server:
            with self.assertRaises(ssl.SSLError):
                server.connect(other)
            server.wait_for(server.errors, r"^tenon: \S+: .*no_application_protocol")

    def test_bad_requests(self):
        for text, status in ((b"GET / HTTP/1.1\r\n\r\n", 400), (b"GET / HTTP/1.1\nHost: x\n\n", 400),
                             (b"GET /" + b"a" * 9000, 414), (b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 17000, 431),
                             (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n", 413),
                             (b"BREW / HTTP/1.1\r\n\r\n", 501)):
            with self.subTest(text[:20]), Server(self.site) as server, server.connect() as tls:
                tls.sendall(text)
                answer = read_all(tls)
                self.assertTrue(answer.startswith(b"HTTP/1.1 %d " % status), answer)
                self.assertIn(b"Connection: close\r\n", answer)


class Ends(Served):
    def wait_until_closed(self, server):
        """The first thing that a signal does: there are no new connections."""
        wait_until(lambda: not listens(server.port), "the end of listening")

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), Server(self.site) as server:
                self.assertEqual(server.end(number), 0)
                self.assertRegex(Path(server.log.name).read_text(), EMPTY_LOG)

    def test_idle_connections_are_closed_in_order(self):
        with Server(self.site) as server, server.connect() as tls:
            tls.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertIn(b"<p>hello", tls.recv(4096))
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(tls.recv(1), b"")  # a close_notify: anything else raises
            tls.close()
            self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_an_answer_is_finished(self):
        contents = os.urandom(1 << 20) * 32
        self.file("site/large", contents)
        with Server(self.site) as server, server.connect() as tls:
            tls.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            start = tls.recv(1)
            server.process.send_signal(signal.SIGTERM)
            self.wait_until_closed(server)
            answer = start + read_all(tls)
            self.assertEqual(answer.split(b"\r\n\r\n", 1)[1], contents)
            self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_the_second_signal_ends_at_once(self):
        self.file("site/large", bytes(64 << 20))
        with Server(self.site) as server, server.connect() as tls:
            tls.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            tls.recv(1)
            began = time.monotonic()
            server.process.send_signal(signal.SIGINT)
            self.wait_until_closed(server)
            self.assertIsNone(server.process.poll())
            self.assertEqual(server.end(signal.SIGINT), 0)
            self.assertLess(time.monotonic() - began, 4.9)  # when it would have ended without the second
