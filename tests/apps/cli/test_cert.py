"""`tenon cert`: what it writes is read by OpenSSL and by itself; what it cannot read, it says."""

import json
import os
import stat
import subprocess
import unittest

from program import InFolder, command, openssl, run


class SelfSigned(InFolder):
    def make(self, *arguments):
        """Makes c.pem and k.pem; the certificate as `cert show --json` tells it."""
        done = run("cert", "self-signed", "-o", self.folder / "c.pem", "-k", self.folder / "k.pem", *arguments)
        self.assert_done(done)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        return self.show(self.folder / "c.pem")[0]

    def show(self, path):
        done = run("cert", "show", "--json", path)
        self.assert_done(done)
        return json.loads(done.stdout)

    def test_openssl_accepts_it(self):
        self.make("example.org", "*.example.org", "192.0.2.7", "2001:db8::7")
        path = self.folder / "c.pem"
        self.assertIn("OK", openssl("verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", path, path))
        for check, name in [("-verify_hostname", "example.org"), ("-verify_hostname", "www.example.org"),
                            ("-verify_ip", "192.0.2.7"), ("-verify_ip", "2001:db8::7")]:
            self.assertIn("OK", openssl("verify", check, name, "-CAfile", path, path))
        with self.assertRaises(AssertionError):
            openssl("verify", "-verify_hostname", "example.com", "-CAfile", path, path)

    def test_openssl_and_show_agree(self):
        shown = self.make("--cn", "A Name", "--days", "30", "a.test")
        text = openssl("x509", "-in", self.folder / "c.pem", "-noout", "-text", "-fingerprint", "-sha256", "-serial",
                       "-subject", "-nameopt", "RFC2253")
        self.assertEqual(shown["subject"], "CN=A Name")
        self.assertEqual(shown["issuer"], "CN=A Name")
        self.assertIn("subject=CN=A Name", text)
        self.assertIn("Signature Algorithm: ecdsa-with-SHA256", text)
        self.assertEqual(shown["signature_algorithm"], "ecdsa-with-SHA256")
        self.assertIn("ASN1 OID: prime256v1", text)
        self.assertEqual(shown["key"], "ECDSA P-256")
        self.assertIn("Fingerprint=" + shown["sha256"].upper(), text)
        self.assertIn("serial=" + shown["serial"].replace(":", "").upper(), text)
        self.assertEqual(shown["version"], 3)
        self.assertIs(shown["ca"], False)
        self.assertIs(shown["valid_now"], True)
        self.assertEqual(shown["validity"], "expires in 30 days")
        self.assertIn("digitalSignature", shown["key_usage"])
        self.assertIn("serverAuth", shown["extended_key_usage"])
        until = openssl("x509", "-in", self.folder / "c.pem", "-noout", "-enddate", "-dateopt", "iso_8601").strip()
        self.assertEqual("notAfter=" + shown["not_after"].replace(" UTC", "Z"), until)

    def test_the_key_belongs_to_it(self):
        self.make()
        public = openssl("x509", "-in", self.folder / "c.pem", "-noout", "-pubkey")
        self.assertEqual(openssl("pkey", "-in", self.folder / "k.pem", "-pubout"), public)
        self.assertTrue((self.folder / "k.pem").read_text().startswith("-----BEGIN PRIVATE KEY-----\n"))

    def test_each_type_of_key(self):
        for kind, key, signature, usage in (
                ("p256", "ECDSA P-256", "ecdsa-with-SHA256", ["digitalSignature"]),
                ("p384", "ECDSA P-384", "ecdsa-with-SHA384", ["digitalSignature"]),
                ("p521", "ECDSA P-521", "ecdsa-with-SHA512", ["digitalSignature"]),
                ("ed25519", "Ed25519", "Ed25519", ["digitalSignature"]),
                ("rsa-2048", "RSA 2048", "sha256WithRSAEncryption", ["digitalSignature", "keyEncipherment"]),
                ("rsa-3072", "RSA 3072", "sha256WithRSAEncryption", ["digitalSignature", "keyEncipherment"]),
                ("rsa-4096", "RSA 4096", "sha256WithRSAEncryption", ["digitalSignature", "keyEncipherment"]),
                ("rsa-pss-2048", "RSA-PSS 2048", "RSASSA-PSS", ["digitalSignature"])):
            with self.subTest(kind):
                shown = self.make("--force", "--key-type", kind)
                path = self.folder / "c.pem"
                self.assertEqual((shown["key"], shown["signature_algorithm"], shown["key_usage"]),
                                 (key, signature, usage))
                self.assertIn("OK", openssl("verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", path, path))
                self.assertEqual(openssl("pkey", "-in", self.folder / "k.pem", "-pubout"),
                                 openssl("x509", "-in", path, "-noout", "-pubkey"))

    def test_key_types_that_there_are_not(self):
        for kind, why in (("p224", "there is p256, "), ("rsa", "there is p256, "), ("", "there is p256, "),
                          ("rsa-1024", "2048 to 8192 bits"), ("rsa-2050", "2048 to 8192 bits")):
            with self.subTest(kind):
                done = run("cert", "self-signed", "--key-type", kind)
                self.assert_fails(done, f"tenon: --key-type {kind}: ", why, status=2)
                self.assertEqual(done.stdout, "")
        key = self.file("k.pem", run("cert", "self-signed").stdout)
        self.assert_fails(run("cert", "self-signed", "--key-type", "p384", "--key", key), "one of them", status=2)

    def test_default_names(self):
        shown = self.make()
        self.assertEqual([(n["type"], n["value"]) for n in shown["names"]],
                         [("dns", "localhost"), ("ip", "127.0.0.1"), ("ip", "::1")])
        self.assertEqual(shown["subject"], "CN=localhost")

    def test_a_long_name_is_no_common_name(self):
        long, short = "x" * 60 + ".example.org", "example.org"
        for names, label in [([long, short], short), ([long], "self-signed"), (["y" * 60 + ".org"], "y" * 60 + ".org")]:
            with self.subTest(label):
                shown = self.make("--force", *names)
                self.assertEqual(shown["subject"], "CN=" + label)
                self.assertEqual([n["value"] for n in shown["names"]], names)

    def test_a_thousand_names(self):
        names = [f"host-{i}.example.org" for i in range(1000)]
        self.assertEqual([n["value"] for n in self.make(*names)["names"]], names)

    def test_to_standard_output(self):
        done = run("cert", "self-signed")
        self.assert_done(done)
        both = self.file("both.pem", done.stdout)
        self.assertEqual(done.stdout.count("-----BEGIN "), 2)
        self.assertEqual(openssl("x509", "-in", both, "-noout", "-pubkey"), openssl("pkey", "-in", both, "-pubout"))

    def test_keys_and_serials_are_new_each_time(self):
        first, second = run("cert", "self-signed").stdout, run("cert", "self-signed").stdout
        self.assertNotEqual(self.show(self.file("1", first))[0]["serial"], self.show(self.file("2", second))[0]["serial"])
        self.assertNotEqual(first.split("PRIVATE KEY")[1], second.split("PRIVATE KEY")[1])

    def test_file_modes(self):
        for umask, cert in [(0o022, 0o644), (0o077, 0o600), (0, 0o644)]:
            with self.subTest(oct(umask)):
                before = os.umask(umask)
                try:
                    self.make("--force")
                finally:
                    os.umask(before)
                self.assertEqual(stat.S_IMODE((self.folder / "c.pem").stat().st_mode), cert)
                self.assertEqual(stat.S_IMODE((self.folder / "k.pem").stat().st_mode), 0o600)

    def test_existing_files_are_left_alone(self):
        for taken in ("c.pem", "k.pem"):
            with self.subTest(taken):
                path = self.file(taken, "precious")
                done = run("cert", "self-signed", "-o", self.folder / "c.pem", "-k", self.folder / "k.pem")
                self.assert_fails(done, f"{path}: File exists (-f replaces it)")
                self.assertEqual([p.name for p in self.folder.iterdir()], [taken])
                self.assertEqual(path.read_text(), "precious")
                path.unlink()

    def test_force_replaces_and_tightens(self):
        key = self.file("k.pem", "old")
        key.chmod(0o644)
        self.file("c.pem", "old")
        self.make("--force")
        self.assertEqual(stat.S_IMODE(key.stat().st_mode), 0o600)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["c.pem", "k.pem"])

    def test_places_that_cannot_be_written(self):
        for path, why in [(self.folder / "no" / "c.pem", "No such file or directory"), (self.folder, "Is a directory"),
                          ("/dev/full", "No space left on device")]:
            for option, other in (("-o", "-k"), ("-k", "-o")):
                for force in ([], ["--force"]):
                    with self.subTest(path=path, option=option, force=force):
                        done = run("cert", "self-signed", option, path, other, self.folder / "other.pem", *force)
                        self.assert_fails(done, f"{path}: {why}")
                        self.assertEqual(list(self.folder.iterdir()), [])

    def test_existing_keys_in_every_form(self):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.folder / "sec1.pem")
        source = self.folder / "sec1.pem"
        openssl("pkcs8", "-topk8", "-nocrypt", "-in", source, "-out", self.folder / "pkcs8.pem")
        openssl("pkcs8", "-topk8", "-nocrypt", "-in", source, "-outform", "DER", "-out", self.folder / "pkcs8.der")
        openssl("ec", "-in", source, "-outform", "DER", "-out", self.folder / "sec1.der")
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", self.folder / "params.pem")
        openssl("genrsa", "-traditional", "-out", self.folder / "pkcs1.pem", "2048")
        openssl("rsa", "-traditional", "-in", self.folder / "pkcs1.pem", "-outform", "DER", "-out",
                self.folder / "pkcs1.der")
        openssl("pkcs8", "-topk8", "-nocrypt", "-in", self.folder / "pkcs1.pem", "-out", self.folder / "rsa8.pem")
        openssl("genpkey", "-algorithm", "ed25519", "-out", self.folder / "ed.pem")
        for name in ("sec1.pem", "pkcs8.pem", "pkcs8.der", "sec1.der", "params.pem", "pkcs1.pem", "pkcs1.der", "rsa8.pem",
                     "ed.pem"):
            with self.subTest(name):
                done = run("cert", "self-signed", "--key", self.folder / name)
                self.assert_done(done)
                self.assertNotIn("PRIVATE", done.stdout)
                certificate = self.file("c.pem", done.stdout)
                form = ["-inform", "DER"] if name.endswith("der") else []
                self.assertEqual(openssl("x509", "-in", certificate, "-noout", "-pubkey"),
                                 openssl("pkey", "-in", self.folder / name, *form, "-pubout"))

    def test_keys_that_cannot_be_used(self):
        openssl("genrsa", "-out", self.folder / "short.pem", "1024")
        openssl("genrsa", "-primes", "3", "-out", self.folder / "three.pem", "2048")
        openssl("genpkey", "-algorithm", "ed448", "-out", self.folder / "ed448.pem")
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.folder / "ec.pem")
        openssl("pkcs8", "-topk8", "-in", self.folder / "ec.pem", "-passout", "pass:x", "-out", self.folder / "enc.pem")
        self.file("empty.pem")
        self.file("garbage.pem", os.urandom(1000).replace(b"-----BEGIN", b""))
        self.file("text.pem", "0 is where this begins\n")
        self.file("cut.pem", (self.folder / "ec.pem").read_bytes()[:80])
        for name, why in [("short.pem", "2048 to 8192 bits"), ("three.pem", "more than two primes"),
                          ("ed448.pem", "not supported"), ("enc.pem", "encrypted"), ("empty.pem", "no private key"),
                          ("garbage.pem", ""), ("text.pem", ""), ("cut.pem", ""), ("absent.pem", "No such file"),
                          (".", "Is a directory")]:
            with self.subTest(name):
                path = f"{self.folder}/{name}"
                done = run("cert", "self-signed", "--key", path)
                self.assert_fails(done, f"tenon: {path}: ", why)
                self.assertEqual(done.stdout, "")


class Show(InFolder):
    def setUp(self):
        super().setUp()
        self.pem = run("cert", "self-signed", "--cn", "one", "one.test").stdout
        self.one = self.pem[:self.pem.index("-----BEGIN PRIVATE")]
        self.two = self.one.replace(self.one, run("cert", "self-signed", "--cn", "two", "two.test").stdout)
        self.der = subprocess.run(["openssl", "x509", "-outform", "DER"], input=self.one.encode(), capture_output=True,
                                  check=True).stdout

    def subjects(self, *arguments, **options):
        done = run("cert", "show", "--json", *arguments, **options)
        self.assert_done(done)
        return [c["subject"] for c in json.loads(done.stdout)]

    def test_for_people(self):
        done = run("cert", "show", self.file("c.pem", self.one))
        self.assert_done(done)
        for line in ["certificate 1", "  subject       CN=one", "  issuer        CN=one", "  key           ECDSA P-256",
                     "  signature     ecdsa-with-SHA256", "  names         one.test", "  CA            no",
                     "  purpose       TLS server"]:
            self.assertIn(line + "\n", done.stdout)
        self.assertRegex(done.stdout, r"\n  valid         \S+ \S+ UTC to \S+ \S+ UTC, expires in 365 days\n")
        self.assertRegex(done.stdout, r"\n  SHA-256       ([0-9a-f]{2}:){31}[0-9a-f]{2}\n")
        self.assertRegex(done.stdout, r"\n  key usage     .*digital signature")

    def test_forms(self):
        self.assertEqual(self.subjects(self.file("c.der", self.der)), ["CN=one"])
        self.assertEqual(self.subjects(self.file("c.pem", self.pem)), ["CN=one"])
        self.assertEqual(self.subjects("-", input=self.pem), ["CN=one"])
        self.assertEqual(self.subjects(self.file("both.pem", "0 words\n" + self.two + "words\n" + self.pem)),
                         ["CN=two", "CN=one"])
        self.assertEqual(self.subjects(self.file("crlf.pem", "\ufeff" + self.pem.replace("\n", "\r\n"))), ["CN=one"])

    def test_several_are_counted(self):
        done = run("cert", "show", self.file("both.pem", self.one + self.two))
        self.assertEqual([line for line in done.stdout.splitlines() if line.startswith("certificate")],
                         ["certificate 1", "certificate 2"])

    def test_expired_and_not_yet_valid(self):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.folder / "k.pem")
        for start, end, words in [("20200101000000Z", "20200201000000Z", "expired "),
                                  ("20990101000000Z", "21000101000000Z", "becomes valid in ")]:
            with self.subTest(words):
                done = subprocess.run(
                    ["openssl", "ca", "-batch", "-selfsign", "-notext", "-config", "/dev/stdin", "-keyfile",
                     self.folder / "k.pem", "-startdate", start, "-enddate", end, "-in", self.request(), "-out",
                     self.folder / "c.pem"], input=self.ca_settings(), capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                shown = json.loads(run("cert", "show", "--json", self.folder / "c.pem").stdout)[0]
                self.assertTrue(shown["validity"].startswith(words), shown["validity"])
                self.assertIs(shown["valid_now"], False)

    def request(self):
        path = self.folder / "r.pem"
        openssl("req", "-new", "-key", self.folder / "k.pem", "-subj", "/O=Tenon/CN=dated", "-out", path)
        return path

    def ca_settings(self):
        self.file("index")
        self.file("serial", "01")
        return (f"[ca]\ndefault_ca=x\n[x]\ndatabase={self.folder}/index\nserial={self.folder}/serial\n"
                f"new_certs_dir={self.folder}\ndefault_md=sha256\npolicy=p\n[p]\nO=optional\nCN=supplied\n")

    def test_a_strange_certificate(self):
        """An RSA CA whose names hold quotes, commas, control characters and other alphabets."""
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.folder / "k.pem", "-out",
                self.folder / "c.pem", "-utf8", "-subj", '/O=Größe, "x"/CN=a\x1b[31mb', "-addext",
                "basicConstraints=critical,CA:TRUE,pathlen:3", "-addext", "keyUsage=keyCertSign,cRLSign", "-addext",
                "subjectAltName=email:a@b.test,DNS:c.test,URI:https://d.test/")
        text = run("cert", "show", self.folder / "c.pem")
        self.assert_done(text)
        self.assertNotIn("\x1b", text.stdout)
        self.assertIn("  CA            yes, at most 3 further CAs below it\n", text.stdout)
        self.assertIn("  key usage     signs certificates, signs CRLs\n", text.stdout)
        self.assertIn("  key           RSA", text.stdout)
        shown = json.loads(run("cert", "show", "--json", self.folder / "c.pem").stdout)[0]
        self.assertNotIn("\x1b", shown["subject"])
        self.assertEqual(shown["path_length"], 3)
        self.assertEqual(shown["key_usage"], ["keyCertSign", "cRLSign"])
        self.assertIsNone(shown["extended_key_usage"])
        self.assertEqual([n["type"] for n in shown["names"]], ["other", "dns", "other"])

    def test_what_cannot_be_read(self):
        self.file("empty.pem")
        self.file("garbage.pem", b"\x00\xff" * 500)
        self.file("zero.pem", b"0" * 500)
        self.file("key.pem", self.pem[self.pem.index("-----BEGIN PRIVATE"):])
        self.file("cut.pem", self.one[:200])
        self.file("body.pem", "-----BEGIN CERTIFICATE-----\nnot base 64!\n-----END CERTIFICATE-----\n")
        self.file("hollow.pem", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n")
        self.file("cut.der", self.der[:-1])
        self.file("long.der", self.der + b"\0")
        for name, why in [("absent.pem", "No such file or directory"), (".", "Is a directory"),
                          ("empty.pem", "no certificate in it"), ("garbage.pem", "no certificate in it"),
                          ("key.pem", "no certificate in it"), ("zero.pem", "certificate 1: "),
                          ("cut.pem", "certificate 1: "), ("body.pem", "certificate 1: "),
                          ("hollow.pem", "certificate 1: "), ("cut.der", "certificate 1: "),
                          ("long.der", "certificate 1: ")]:
            for form in ([], ["--json"]):
                with self.subTest(name=name, form=form):
                    done = run("cert", "show", *form, f"{self.folder}/{name}")
                    self.assert_fails(done, f"tenon: {self.folder}/{name}: {why}")
                    self.assertEqual(done.stdout, "")

    def test_the_good_ones_among_bad_ones_are_shown(self):
        bad = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
        path = self.file("mixed.pem", self.one + bad + self.two)
        done = run("cert", "show", "--json", path)
        self.assert_fails(done, f"{path}: certificate 2: ")
        self.assertEqual([c["subject"] for c in json.loads(done.stdout)], ["CN=one", "CN=two"])

    def test_no_permission(self):
        path = self.file("c.pem", self.one)
        path.chmod(0)
        self.folder.chmod(0o755)
        somebody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            done = run("cert", "show", path, **somebody)
        except PermissionError:
            self.skipTest("the program is where only root finds it")
        self.assert_fails(done, f"{path}: Permission denied")

    def test_standard_input_that_fails(self):
        done = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *command("cert", "show", "-")], capture_output=True,
                              text=True, timeout=60, check=False)
        self.assert_fails(done, "tenon: -: Bad file descriptor")

    def test_an_endless_file_is_refused(self):
        self.assert_fails(run("cert", "show", "/dev/zero"), "/dev/zero: File too large")


if __name__ == "__main__":
    unittest.main()
