"""tenon speed: its rows, its JSON, and what is wrong said so."""

import json
import os
import subprocess
import unittest

from program import InFolder, command, run

QUICK = ("--seconds", "0.0005")
SIZES = [16, 64, 256, 1024, 1350, 4096, 16384, 65536]
SIZED = {"name", "size", "bytes_per_s", "cycles_per_byte"}
COUNTED = {"name", "ops_per_s", "cycles_per_op"}
# What people's scripts ask for.
PROMISED = """
    aes-128-gcm aes-128-gcm-open aes-256-gcm aes-256-gcm-open chacha20-poly1305 chacha20-poly1305-open
    aes-128-ccm aes-128-ccm-8-open aes-128-cbc aes-256-cbc-open aes-128-ctr 3des-cbc 3des-cbc-open
    aes-128-cbc-hmac-sha1 aes-128-cbc-hmac-sha1-open aes-256-cbc-hmac-sha384-etm aes-128-cbc-hmac-sha256-etm-open
    md5 sha1 sha224 sha256 sha384 sha512 sha3-256 sha3-384 sha3-512 shake128 shake256
    hmac-md5 hmac-sha1 hmac-sha256 hmac-sha384 hmac-sha512 hkdf-sha256 hkdf-sha384
    prf-tls10 prf-sha256 prf-sha384
    random hmac-drbg-sha256 hmac-drbg-sha256-no-reseed hmac-drbg-sha512-no-pr hmac-drbg-sha1-pr
    x25519 x25519-keygen x25519-answer ecdh-p256 ecdh-p256-keygen ecdh-p384 ecdh-p384-keygen ecdh-p521
    ffdhe2048 ffdhe2048-keygen ffdhe3072 ffdhe4096-answer ffdhe8192
    x25519mlkem768 x25519mlkem768-keygen x25519mlkem768-answer secp256r1mlkem768 secp384r1mlkem1024
    ml-kem-768-keygen ml-kem-768-encap ml-kem-768-decap ml-kem-1024-encap
    ecdsa-p256-sign ecdsa-p256-verify ecdsa-p384-sign ecdsa-p384-verify ecdsa-p521-sign ecdsa-p521-verify
    ed25519-sign ed25519-verify ed25519-keygen
    rsa-2048-sign rsa-2048-verify rsa-2048-keygen rsa-3072-sign rsa-3072-verify rsa-3072-keygen
    rsa-4096-sign rsa-4096-verify rsa-4096-keygen rsa-pss-2048-sign rsa-pss-2048-verify rsa-pss-4096-sign
    p256-mul p256-sqr p384-mul p384-sqr p384-reduce mul-6x6 p384-mul-parallel mul-6x6-parallel
    tls13-ecdsa-p256-x25519 tls13-ecdsa-p256-x25519-server tls13-ecdsa-p256-secp256r1
    tls13-ecdsa-p256-ffdhe2048 tls13-ecdsa-p384-x25519 tls13-ed25519-x25519 tls13-rsa-2048-x25519
    tls13-rsa-2048-x25519-server
    tls13-aes-128-gcm-write tls13-aes-128-gcm-read tls13-aes-256-gcm-write tls13-aes-256-gcm-read
    tls13-chacha20-poly1305-write tls13-chacha20-poly1305-read
""".split()


def names():
    return run("speed", "--list").stdout.split()


class Rows(InFolder):
    def rows(self, *arguments):
        done = run("speed", "--json", *QUICK, *arguments)
        self.assert_done(done)
        self.assertEqual(done.stderr, "")
        rows = json.loads(done.stdout)
        self.assertIsInstance(rows, list)
        for row in rows:
            self.check(row)
        return rows

    def check(self, row):
        self.assertIsInstance(row["name"], str)
        self.assertEqual(set(row), SIZED if "size" in row else COUNTED, row)
        figures = dict(row)
        del figures["name"]
        if "size" in figures:
            self.assertIsInstance(figures.pop("size"), int)
            self.assertGreater(row["size"], 0)
        for key, value in figures.items():
            if value is None:
                self.assertTrue(key.startswith("cycles"), row)  # no time stamp counter
                continue
            self.assertIsInstance(value, float, row)
            self.assertGreater(value, 0, row)

    def test_names_are_listed_once(self):
        listed = names()
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual(set(PROMISED) - set(listed), set())
        for name in listed:
            self.assertRegex(name, r"^[a-z0-9]+(-[a-z0-9_]+)*$")

    def test_every_name_is_measured(self):
        rows = self.rows("--sizes", "16,1350,65536")
        self.assertEqual(list(dict.fromkeys(row["name"] for row in rows)), names())

    def test_a_name_alone(self):
        for name in names():
            with self.subTest(name):
                rows = self.rows("--sizes", "48", name)
                self.assertEqual([row["name"] for row in rows], [name])
                self.assertEqual([row["size"] for row in rows if "size" in row], [48] if "size" in rows[0] else [])

    def test_sizes(self):
        for name in "aes-128-gcm", "chacha20-poly1305-open", "sha256", "random", "tls13-aes-128-gcm-read":
            self.assertEqual([row["size"] for row in self.rows(name)], SIZES, name)
        self.assertEqual([row["size"] for row in self.rows("sha256", "--sizes", "1,1350,2")], [1, 1350, 2])
        # Whole blocks.
        self.assertEqual([row["size"] for row in self.rows("aes-128-cbc", "--sizes", "1,1350,64")], [16, 1344, 64])
        self.assertEqual([row["size"] for row in self.rows("3des-cbc-open", "--sizes", "1,31")], [8, 24])
        # More than a record, more than a request.
        self.assertEqual(len(self.rows("aes-128-cbc-hmac-sha1", "hmac-drbg-sha256", "--sizes", "100000")), 2)
        self.assertEqual(len(self.rows("sha256", "aes-256-gcm", "random", "--sizes", "1048576")), 3)

    def test_a_name_is_exact_or_a_beginning(self):
        def measured(*arguments):
            return list(dict.fromkeys(row["name"] for row in self.rows("--sizes", "16", *arguments)))

        self.assertEqual(measured("aes-128-gcm"), ["aes-128-gcm"])
        self.assertEqual(measured("aes-128-gc"), ["aes-128-gcm", "aes-128-gcm-open"])
        self.assertEqual(measured("AES-128-GCM"), ["aes-128-gcm"])
        self.assertEqual(measured("x25519", "sha256", "x25519"), ["sha256", "x25519"])
        self.assertEqual(measured("ecdsa-p256"), ["ecdsa-p256-sign", "ecdsa-p256-verify"])

    def test_list_takes_names(self):
        done = run("speed", "--list", "hmac-sha256", "ecdsa-p256-")
        self.assert_done(done)
        self.assertEqual(done.stdout.split(), ["hmac-sha256", "ecdsa-p256-sign", "ecdsa-p256-verify"])

    def test_text(self):
        done = run("speed", *QUICK, "aes-128-gcm", "x25519", "--sizes", "64")
        self.assert_done(done)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[1], r"^CPU level (portable|sse|avx2|avx512);")
        self.assertEqual(lines[3].split(), ["name", "size", "path", "rate", "cycles"])
        self.assertRegex(lines[4], r"^aes-128-gcm +64  [a-z]\w+ +[\d.]+ MB/s +([\d.]+ /byte|-)$")
        self.assertRegex(lines[5], r"^x25519 +-  (adx|portable) +[\d.]+ op/s +(\d+ /op|-)$")
        self.assertEqual(len(lines), 6)

    def test_public_keys_name_their_path(self):
        done = run("speed", *QUICK, "x25519mlkem768", "ecdsa-p384", "rsa-2048-verify", "ffdhe2048", "ml-kem-768-encap",
                   "p384-mul", env=dict(os.environ, TENON_CPU="portable"))
        self.assert_done(done)
        paths = {line.split()[0]: line.split()[2] for line in done.stdout.splitlines()[4:]}
        self.assertEqual(paths, {"x25519mlkem768": "portable+portable", "ecdsa-p384-sign": "portable",
                                 "ecdsa-p384-verify": "portable", "rsa-2048-verify": "portable",
                                 "ffdhe2048": "portable", "ml-kem-768-encap": "portable", "p384-mul": "portable"})

    def test_what_is_known_of_their_cost(self):
        """Whatever the machine: a figure that is not of the operation that the row names would be far off."""
        rows = {row["name"]: row["ops_per_s"] for row in self.rows("ecdh-p256", "p256-mul", "p384-mul", "p384-reduce",
                                                                   "rsa-2048-sign", "rsa-2048-verify", "ffdhe2048")}
        for quick, slow, times in [("p256-mul", "ecdh-p256", 200), ("p384-reduce", "rsa-2048-verify", 50),
                                   ("rsa-2048-verify", "rsa-2048-sign", 5), ("rsa-2048-verify", "ffdhe2048", 3)]:
            self.assertGreater(rows[quick], times * rows[slow], (quick, slow))

    def test_the_level_is_the_one_that_is_allowed(self):
        done = run("speed", *QUICK, "aes", "sha2", "--sizes", "64", env=dict(os.environ, TENON_CPU="portable"))
        self.assert_done(done)
        self.assertIn("\nCPU level portable;", done.stdout)
        for line in done.stdout.splitlines()[4:]:
            self.assertEqual(line.split()[2], "portable", line)


class BadUsage(InFolder):
    def test_what_is_wrong_is_said(self):
        for arguments, word in [
            (["aes-128-gmc"], "aes-128-gcm, "),
            (["ecdsa-p256-singing"], "ecdsa-p256-sign"),
            (["sha256", "frobnicate"], "`frobnicate`"),
            (["x" * 1000], "there is no such row"),
            ([""], "``"),
            (["--list", "frobnicate"], "`frobnicate`"),
            (["--list", "--json"], "--list and --json"),
            (["--seconds"], "--seconds needs a value"),
            (["--seconds", "0"], "--seconds 0"),
            (["--seconds", "-1"], "--seconds -1"),
            (["--seconds", "nan"], "--seconds nan"),
            (["--seconds", "inf"], "--seconds inf"),
            (["--seconds", "1s"], "--seconds 1s"),
            (["--seconds", ""], "--seconds"),
            (["--sizes"], "--sizes needs a value"),
            (["--sizes", ""], "--sizes"),
            (["--sizes", "0"], "--sizes 0"),
            (["--sizes", "16,"], "--sizes 16,"),
            (["--sizes", "16,,64"], "--sizes 16,,64"),
            (["--sizes", "1k"], "--sizes 1k"),
            (["--sizes", "1048577"], "1048577"),
            (["--sizes", "99999999999999999999"], "--sizes"),
            (["--sizes", ",".join(["1"] * 33)], "32"),
            (["--frobnicate"], "--frobnicate"),
            (["--json=yes"], "--json=yes"),
            (["-x"], "-x"),
        ]:
            with self.subTest(arguments):
                done = run("speed", *arguments)
                self.assert_fails(done, word, status=2)
                self.assertEqual(done.stdout, "")
                self.assertIn("Try `tenon speed --help`", done.stderr)


class Output(InFolder):
    ARGUMENTS = ([], ["--json"], ["--list"], ["--json", "sha256"])

    def test_a_full_disk_is_an_error(self):
        for arguments in self.ARGUMENTS:
            with self.subTest(arguments), open("/dev/full", "w", encoding="ascii") as full:
                done = run("speed", *arguments, *QUICK, stdout=full)
                self.assert_fails(done, "standard output: No space left on device")

    def test_a_closed_pipe_ends_it_at_once(self):
        for arguments in ([], ["--json"]):
            with self.subTest(arguments), subprocess.Popen(command("speed", *arguments, "--seconds", "60", "sha"),
                                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
                done.stdout.close()
                said = done.stderr.read()
                self.assertEqual((done.wait(60), said), (1, b"tenon: standard output: Broken pipe\n"))

    def test_rows_come_one_by_one(self):
        with subprocess.Popen(command("speed", "--json", "--seconds", "0.0005", "sha256", "--sizes", "16,64"),
                              stdout=subprocess.PIPE) as done:
            self.assertEqual(done.stdout.readline(), b"[\n")
            self.assertEqual(json.loads(done.stdout.readline().rstrip(b",\n"))["size"], 16)
            done.stdout.read()


if __name__ == "__main__":
    unittest.main()
