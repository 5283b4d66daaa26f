"""`tenon serve` and the HTTP clients that people have: curl, wget (over GnuTLS on Debian), Python's http.client."""

import hashlib
import http.client
import json
import os
import re
import ssl
import subprocess

from authority import Authority
from conversation import PATIENCE
from peers import needs
from server import Server, Served


class Files(Served):
    def setUp(self):
        super().setUp()
        authority = Authority(self.folder)
        certificate, key = authority.issue("good")
        self.trust = str(authority.certificate)
        self.large = os.urandom(1 << 20) * 5
        self.file("site/large.bin", self.large)
        self.file("site/text.txt", "0123456789" * 100)
        self.server = self.enterContext(Server(self.site, "-C", certificate, "-K", key))
        self.url = f"https://localhost:{self.server.port}"  # curl needs nobody to know where that is

    def run_client(self, *command):
        done = subprocess.run([str(part) for part in command], capture_output=True, timeout=PATIENCE, check=False,
                              cwd=self.folder, env={"PATH": os.environ["PATH"], "HOME": str(self.folder)})
        return done.returncode, done.stdout, done.stderr

    def assert_large(self, name):
        got = (self.folder / name).read_bytes()
        self.assertEqual(hashlib.sha256(got).digest(), hashlib.sha256(self.large).digest())


class Curl(Files):
    @classmethod
    def setUpClass(cls):
        needs("curl")

    def curl(self, *arguments):
        status, out, errors = self.run_client("curl", "-sS", "--cacert", self.trust, *arguments)
        self.assertEqual(status, 0, errors)
        return out

    def test_a_page(self):
        self.assertEqual(self.curl(self.url + "/"), b"<p>hello")
        self.assertEqual(self.curl("-o", "large", self.url + "/large.bin"), b"")
        self.assert_large("large")

    def test_it_believes_the_certificate_only_where_it_should(self):
        status, _, errors = self.run_client("curl", "-sS", self.url + "/")
        self.assertEqual(status, 60, errors)
        status, _, errors = self.run_client("curl", "-sS", "--cacert", self.trust, "--resolve",
                                            f"other.test:{self.server.port}:127.0.0.1",
                                            f"https://other.test:{self.server.port}/")
        self.assertEqual(status, 60, errors)

    def test_alpn(self):
        for more, alpn in ((["--http1.1"], "http/1.1"), ([], "http/1.1"), (["--http1.0"], "http/1.0"),
                           (["--no-alpn"], "")):
            with self.subTest(more):
                self.assertEqual(json.loads(self.curl(*more, self.url + "/.tenon/connection"))["alpn"], alpn)

    def test_ranges(self):
        for asked, expected in (("0-99", self.large[:100]), ("100-", self.large[100:]), ("-7", self.large[-7:]),
                                ("1048575-1048576", self.large[1048575:1048577])):
            with self.subTest(asked):
                self.assertEqual(self.curl("-r", asked, self.url + "/large.bin"), expected)
        self.assertEqual(self.curl("-o", "/dev/null", "-w", "%{http_code}", "-r", "99999999-", self.url + "/large.bin"),
                         b"416")

    def test_resuming_a_download(self):
        self.file("part", self.large[:1234567])
        self.curl("-C", "-", "-o", "part", self.url + "/large.bin")
        self.assert_large("part")

    def test_head(self):
        head = self.curl("-I", self.url + "/text.txt").decode()
        self.assertRegex(head, r"^HTTP/1\.1 200 OK\r\n")
        self.assertIn("Content-Length: 1000\r\n", head)
        self.assertTrue(head.endswith("\r\n\r\n"))

    def test_not_modified(self):
        code = ["-o", "/dev/null", "-w", "%{http_code} %{size_download}"]
        self.assertEqual(self.curl(*code, "--etag-save", "tag", self.url + "/text.txt"), b"200 1000")
        self.assertEqual(self.curl(*code, "--etag-compare", "tag", self.url + "/text.txt"), b"304 0")
        self.curl("-R", "-o", "copy", self.url + "/text.txt")
        self.assertEqual(self.curl(*code, "-z", "copy", self.url + "/text.txt"), b"304 0")
        self.file("site/text.txt", "changed")
        self.assertEqual(self.curl(*code, "--etag-compare", "tag", self.url + "/text.txt"), b"200 7")

    def test_keep_alive(self):
        names = ["/", "/text.txt", "/absent", "/large.bin", "/"]
        arguments = [part for name in names for part in ("-o", "/dev/null", self.url + name)]
        out = self.curl("-w", "%{http_code} %{num_connects}\n", *arguments).decode().split("\n")[:-1]
        self.assertEqual(out, ["200 1", "200 0", "404 0", "200 0", "200 0"])

    def test_many_at_once(self):
        self.curl("-Z", "--parallel-immediate", "-o", "large#1", self.url + "/large.bin?[1-8]")
        for i in range(1, 9):
            self.assert_large(f"large{i}")

    def test_uploads_are_refused_before_they_are_over(self):
        with open(self.folder / "sparse", "wb") as sparse:
            sparse.truncate(256 << 20)
        for more in ([], ["-H", "Expect:"], ["-X", "POST", "-H", "Expect:"], ["-X", "POST"]):
            with self.subTest(more):
                out = self.curl("-T", "sparse", *more, "-o", "/dev/null", "-w", "%{http_code} %{size_upload}",
                                self.url + "/upload").decode().split()
                self.assertEqual(out[0], "413")
                self.assertLess(int(out[1]), 32 << 20)
        self.assertEqual(self.curl("-d", "a=b", "-o", "/dev/null", "-w", "%{http_code}", self.url + "/"), b"405")
        self.assertEqual(self.curl(self.url + "/"), b"<p>hello")


class Wget(Files):
    @classmethod
    def setUpClass(cls):
        needs("wget")

    def wget(self, *arguments):
        status, out, errors = self.run_client("wget", "-nv", f"--ca-certificate={self.trust}", *arguments)
        self.assertEqual(status, 0, errors)
        return out, errors

    def setUp(self):
        super().setUp()
        self.url = self.url.replace("localhost", "127.0.0.1")

    def test_pages_on_one_connection(self):
        self.assertEqual(self.wget("-O", "-", self.url + "/", self.url + "/text.txt")[0],
                         b"<p>hello" + b"0123456789" * 100)

    def test_resuming_a_download(self):
        self.file("large.bin", self.large[:1234567])
        self.wget("-c", self.url + "/large.bin")
        self.assert_large("large.bin")

    def test_only_what_is_newer(self):
        self.wget("-N", self.url + "/text.txt")
        before = os.stat(self.folder / "text.txt").st_ino
        os.truncate(self.folder / "text.txt", 1000)
        self.wget("-N", self.url + "/text.txt")
        self.assertEqual(os.stat(self.folder / "text.txt").st_ino, before)
        self.assertRegex(self.server.told(self.server.log), r'"GET /text.txt HTTP/1.1" 304 0')

    def test_a_certificate_for_somebody_else(self):
        status, _, errors = self.run_client("wget", "-nv", "-O", "-", self.url + "/")
        self.assertEqual(status, 5, errors)


class HttpClient(Files):
    def test_a_kept_connection(self):
        client = http.client.HTTPSConnection("127.0.0.1", self.server.port, timeout=PATIENCE,
                                             context=ssl.create_default_context(cafile=self.trust))
        for method, path, fields, status, body in (
                ("GET", "/", {}, 200, b"<p>hello"), ("HEAD", "/large.bin", {}, 200, b""),
                ("GET", "/large.bin", {"Range": "bytes=5-14"}, 206, self.large[5:15]),
                ("GET", "/absent", {}, 404, None), ("GET", "/large.bin", {}, 200, self.large)):
            with self.subTest(method=method, path=path, fields=fields):
                client.request(method, path, headers=fields)
                response = client.getresponse()
                got = response.read()
                self.assertEqual(response.status, status)
                if body is not None:
                    self.assertEqual(got, body)
        version = client.sock.version()
        client.close()
        self.assertEqual(version, "TLSv1.3")
        ports = set(re.findall(r"^(\S+) - - ", self.server.told(self.server.log), re.M))
        self.assertEqual(len(ports), 1)


if __name__ == "__main__":
    import unittest
    unittest.main()
