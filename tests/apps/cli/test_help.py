"""Help, usage, and what becomes of the output."""

import os
import subprocess
import unittest

from program import InFolder, command, run

COMMANDS = ("serve", "connect", "cert", "speed", "help")


class Help(InFolder):
    def test_overview_names_every_command(self):
        for arguments in (["help"], ["--help"], ["-h"]):
            done = run(*arguments)
            self.assert_done(done)
            self.assertEqual(done.stderr, "")
            for name in COMMANDS:
                self.assertRegex(done.stdout, rf"(?m)^  {name} ")

    def test_every_command_has_help(self):
        overview = run("help").stdout
        listed = [line.split()[0] for line in overview.splitlines() if line.startswith("  ")]
        self.assertLessEqual(set(COMMANDS), set(listed))
        for name in listed:
            with self.subTest(name):
                asked, flagged = run("help", name), run(name, "--help")
                self.assert_done(asked)
                self.assert_done(flagged)
                self.assertEqual(asked.stdout, flagged.stdout)
                self.assertTrue(asked.stdout.startswith(f"Usage: tenon {name}"), asked.stdout)
                self.assertEqual(asked.stderr + flagged.stderr, "")

    def test_help_is_seen_anywhere_before_a_double_dash(self):
        self.assert_done(run("cert", "self-signed", "--help"))
        self.assertEqual(run("cert", "show", "--", "--help").returncode, 1)  # a file's name

    def test_version(self):
        done = run("--version")
        self.assert_done(done)
        self.assertRegex(done.stdout, r"^tenon \d+\.\d+\.\d+\n$")


class BadUsage(InFolder):
    def test_no_command(self):
        done = run()
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertIn("Usage: tenon", done.stderr)

    def test_what_is_wrong_is_said(self):
        for arguments, word in [
            (["frobnicate"], "`frobnicate`"),
            (["--frobnicate"], "`--frobnicate`"),
            (["help", "frobnicate"], "`frobnicate`"),
            (["help", "cert", "connect"], "one command"),
            (["cert"], "self-signed"),
            (["cert", "frobnicate"], "`frobnicate`"),
            (["cert", "show"], "one file"),
            (["cert", "show", "a", "b"], "one file"),
            (["cert", "show", "--frobnicate", "a"], "--frobnicate"),
            (["cert", "show", "-x", "a"], "-x"),
            (["cert", "show", "--json=yes", "a"], "--json=yes"),
            (["cert", "self-signed", "--days"], "--days needs a value"),
            (["cert", "self-signed", "-o"], "-o needs a value"),
            (["cert", "self-signed", "--days", "0"], "--days 0"),
            (["cert", "self-signed", "--days", "36501"], "36501"),
            (["cert", "self-signed", "--days", "1e2"], "1e2"),
            (["cert", "self-signed", "--days", "-5"], "-5"),
            (["cert", "self-signed", "--days", ""], "--days"),
            (["cert", "self-signed", "--days", "99999999999999999999"], "--days"),
            (["cert", "self-signed", "-k", "a", "--key", "b"], "-k"),
            (["cert", "self-signed", "-o", "a", "-k", "a"], "same file"),
            (["cert", "self-signed", "--cn", "x" * 65], "--cn"),
            (["cert", "self-signed", "--cn", ""], "--cn"),
            (["cert", "self-signed", "--cn", "a\nb"], "--cn"),
            (["cert", "self-signed", "--cn", b"\xff"], "--cn"),
            (["cert", "self-signed", "a b"], "`a b`"),
            (["cert", "self-signed", ""], "``"),
            (["cert", "self-signed", "a..b"], "`a..b`"),
            (["cert", "self-signed", "*"], "`*`"),
            (["cert", "self-signed", "a.*.b"], "`a.*.b`"),
            (["cert", "self-signed", "x" * 64 + ".org"], "neither"),
            (["cert", "self-signed", "1.2.3.400"], "`1.2.3.400`"),
            (["cert", "self-signed", "::1::"], "`::1::`"),
            (["connect"], "HOST:PORT"),
            (["connect", "a", "b"], "HOST:PORT"),
            (["connect", ""], "HOST:PORT"),
            (["connect", ":443"], "`:443`"),
            (["connect", "a:"], "`a:`"),
            (["connect", "a:0"], "`a:0`"),
            (["connect", "a:65536"], "`a:65536`"),
            (["connect", "a:https"], "`a:https`"),
            (["connect", "[::1"], "`[::1`"),
            (["connect", "[::1]x"], "`[::1]x`"),
            (["connect", "[localhost]:443"], "`[localhost]:443`"),
            (["connect", "--suites", "TLS_NONSENSE", "a"], "TLS_AES_128_GCM_SHA256, "),
            (["connect", "--suites", "", "a"], "There are: "),
            (["connect", "--suites", "TLS_AES_128_GCM_SHA256,tls_aes_128_gcm_sha256", "a"], "twice"),
            (["connect", "--groups", "x25519,,secp256r1", "a"], "x25519"),
            (["connect", "--groups", "secp256k1", "a"], "secp256r1"),
            (["connect", "--alpn", "", "a"], "--alpn"),
            (["connect", "--alpn", "h2,", "a"], "--alpn"),
            (["connect", "--alpn", "x" * 256, "a"], "--alpn"),
            (["connect", "--sni", "", "a"], "--sni"),
            (["connect", "--sni", "x" * 256, "a"], "--sni"),
            (["connect", "--timeout", "0", "a"], "--timeout"),
            (["connect", "--timeout", "1.5", "a"], "--timeout"),
            (["connect", "--frobnicate", "a"], "--frobnicate"),
        ]:
            with self.subTest(arguments):
                done = run(*arguments)
                self.assert_fails(done, word, status=2)
                self.assertEqual(done.stdout, "")
                self.assertIn("Try `tenon ", done.stderr)


class Output(InFolder):
    ARGUMENTS = (["help"], ["--version"], ["cert", "--help"], ["cert", "self-signed"])

    def test_a_full_disk_is_an_error(self):
        for arguments in self.ARGUMENTS:
            with self.subTest(arguments), open("/dev/full", "w", encoding="ascii") as full:
                self.assert_fails(run(*arguments, stdout=full), "standard output: No space left on device")

    def test_a_closed_pipe_is_an_error(self):
        for arguments in self.ARGUMENTS:
            with self.subTest(arguments):
                reading, writing = os.pipe()
                os.close(reading)
                try:
                    self.assert_fails(run(*arguments, stdout=writing), "standard output: Broken pipe")
                finally:
                    os.close(writing)

    def test_no_output_at_all_is_an_error(self):
        for arguments in self.ARGUMENTS:
            with self.subTest(arguments):
                done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command(*arguments)], stderr=subprocess.PIPE,
                                      text=True, timeout=60, check=False)
                self.assertEqual((done.returncode, done.stderr),
                                 (1, "tenon: standard output: Bad file descriptor\n"))


if __name__ == "__main__":
    unittest.main()
