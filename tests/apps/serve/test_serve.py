"""`tenon serve` from outside: its command line, its certificates, its answers over TLS, its end."""

import hashlib
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path

from authority import Authority
from program import InFolder, command, openssl, run

EMPTY_LOG = re.compile(r"^https://\S+/\n$")


class Server:
    """`tenon serve` on a free port; its files are in `folder`."""

    def __init__(self, folder, *arguments):
        self.log = (folder.parent / f"{folder.name}.log").open("w+")
        self.errors = (folder.parent / f"{folder.name}.errors").open("w+")
        self.process = subprocess.Popen(command("serve", "-p", "0", "-D", folder, *arguments), stdout=self.log,
                                        stderr=self.errors)

    def __enter__(self):
        found = self.wait_for(self.log, r"^https://(\S+):(\d+)/$")
        self.host, self.port = found[1].strip("[]"), int(found[2])
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()
        self.errors.close()

    def wait_for(self, file, pattern):
        """Waits until the file has a line like that."""
        deadline = time.monotonic() + 30
        while True:
            text = Path(file.name).read_text()
            found = re.search(pattern, text, re.M)
            if found:
                return found
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"no {pattern} in {text!r}; errors: {Path(self.errors.name).read_text()!r}")
            time.sleep(0.02)

    def connect(self, context=None, name="localhost"):
        plain = socket.create_connection(("localhost", self.port), timeout=30)
        return (context or insecure()).wrap_socket(plain, server_hostname=name)

    def get(self, path, context=None, name="localhost", fields=""):
        """(status, fields, body) of one GET."""
        with self.connect(context, name) as tls:
            tls.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n".encode())
            head, body = read_all(tls).split(b"\r\n\r\n", 1)
            return int(head.split()[1]), head.decode(), body

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(30)


def insecure():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def read_all(tls):
    parts = []
    while part := tls.recv(65536):
        parts.append(part)
    return b"".join(parts)


class Served(InFolder):
    def setUp(self):
        super().setUp()
        self.site = self.folder / "site"
        self.site.mkdir()
        self.file("site/index.html", "<p>hello")


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

    def test_each_suite_and_group_is_told(self):
        request = b"GET /.tenon/connection HTTP/1.0\r\n\r\n"
        with Server(self.site) as server:
            for suite in ("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"):
                # The client's first group is the one that it sends a share for: P-384 forces a retry.
                for groups, group, retried in (("X25519", "x25519", False), ("P-256", "secp256r1", False),
                                               ("P-384:P-256", "secp256r1", True)):
                    out = subprocess.run(
                        ["openssl", "s_client", "-quiet", "-connect", f"localhost:{server.port}", "-tls1_3",
                         "-ciphersuites", suite, "-groups", groups, "-alpn", "http/1.1"],
                        input=request, capture_output=True, timeout=60, check=False).stdout
                    page = json.loads(out.split(b"\r\n\r\n", 1)[1])
                    self.assertEqual((page["suite"], page["group"], page["retried"], page["alpn"]),
                                     (suite, group, retried, "http/1.1"))

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

    def test_curl(self):
        with Server(self.site) as server:
            url = f"https://localhost:{server.port}/"
            done = subprocess.run(["curl", "-sk", url, "-o", self.folder / "a", url, "-o", self.folder / "b", "-w",
                                   "%{http_code} %{num_connects} "], capture_output=True, text=True, timeout=60,
                                  check=False)
            self.assertEqual(done.stdout, "200 1 200 0 ")
            self.assertEqual((self.folder / "b").read_text(), "<p>hello")


class Trouble(Served):
    def test_not_tls(self):
        """Each gets one line on standard error that says who and why, and nobody else notices."""
        with Server(self.site) as server:
            for first, why in ((b"GET / HTTP/1.1\r\n\r\n", "plain HTTP"), (b"\x00" * 64, "TLS"), (b"", "close")):
                with socket.create_connection(("127.0.0.1", server.port), timeout=30) as plain:
                    plain.sendall(first)
                    plain.shutdown(socket.SHUT_WR)
                    peer = "127.0.0.1:%d" % plain.getsockname()[1]
                    while plain.recv(4096):
                        pass
                server.wait_for(server.errors, rf"^tenon: {re.escape(peer)}: .*{why}")
            self.assertEqual(server.get("/")[0], 200)

    def test_refused_versions(self):
        old = insecure()
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        with Server(self.site) as server:
            with self.assertRaises(ssl.SSLError):
                server.connect(old)
            server.wait_for(server.errors, r"^tenon: \S+: .*protocol_version")
            self.assertEqual(server.get("/")[0], 200)

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
            self.assertEqual(server.process.wait(30), 0)

    def test_an_answer_is_finished(self):
        contents = os.urandom(1 << 20) * 32
        self.file("site/large", contents)
        with Server(self.site) as server, server.connect() as tls:
            tls.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            start = tls.recv(1)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.2)
            with self.assertRaises(OSError):  # no new connection
                server.connect()
            answer = start + read_all(tls)
            self.assertEqual(answer.split(b"\r\n\r\n", 1)[1], contents)
            self.assertEqual(server.process.wait(30), 0)

    def test_the_second_signal_ends_at_once(self):
        self.file("site/large", bytes(64 << 20))
        with Server(self.site) as server, server.connect() as tls:
            tls.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            tls.recv(1)
            server.process.send_signal(signal.SIGINT)
            time.sleep(0.2)
            self.assertIsNone(server.process.poll())
            began = time.monotonic()
            self.assertEqual(server.end(signal.SIGINT), 0)
            self.assertLess(time.monotonic() - began, 2)
