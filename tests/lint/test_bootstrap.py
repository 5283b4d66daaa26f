#!/usr/bin/env python3
"""tools/bootstrap against a machine of our making: the package tools in PATH are stand-ins that keep a diary."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

BOOTSTRAP = Path(__file__).resolve().parents[2] / "tools" / "bootstrap"
BUILD = ["gcc", "libc6-dev", "make", "cmake", "ninja-build", "pkg-config", "libuv1-dev", "libjansson-dev",
         "node-llhttp"]
TEST = BUILD + ["libcmocka-dev", "libssl-dev", "libmbedtls-dev", "openssl", "gnutls-bin", "curl", "wget", "valgrind", "clang",
                "python3", "chromium", "clang-22", "libclang-rt-22-dev"]

STAND_INS = {
    # Knows the packages of the file `installed`; fails on a name that it has never heard of, as the real one does.
    "dpkg-query": """shift 3; rc=0
for name; do grep -qx "$name" "$M/installed" && echo "installed $name" || rc=1; done; exit $rc""",
    "apt-get": """echo "apt-get $*" >> "$M/diary"
case " $* " in *" $(cat "$M/fails") "*) exit 100;; esac""",
    "apt-cache": """echo "$2:"; if grep -qx "$2" "$M/unknown"; then echo "  Candidate: (none)"; else echo "  Candidate: 1"; fi
printf '  Version table:\n%0200000d\n' 0""",  # more than a pipe holds, for readers that stop early
    "sudo": 'echo "sudo" >> "$M/diary"; exec "$@"',
    "id": 'cat "$M/uid"',
}


class Bootstrap(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.machine = Path(folder.name)
        (self.machine / "bin").mkdir()
        for name, body in STAND_INS.items():
            self.stand_in(name, body)
        for tool in ("bash", "env", "awk", "sed", "grep", "cat"):
            (self.machine / "bin" / tool).symlink_to(self.which(tool))
        self.set("installed", *TEST)
        self.set("unknown")
        self.set("fails", "nothing")
        self.set("uid", "0")

    def which(self, tool):
        return next(p for p in (Path(d) / tool for d in os.environ["PATH"].split(":")) if p.exists())

    def stand_in(self, name, body):
        path = self.machine / "bin" / name
        path.write_text("#!/bin/bash\n" + body + "\n")
        path.chmod(0o755)

    def remove(self, name):
        (self.machine / "bin" / name).unlink()

    def set(self, name, *lines):
        (self.machine / name).write_text("".join(line + "\n" for line in lines))

    def run_it(self, *arguments):
        (self.machine / "diary").write_text("")
        done = subprocess.run([BOOTSTRAP, *arguments], capture_output=True, text=True, timeout=60, check=False,
                              env={"PATH": str(self.machine / "bin"), "M": str(self.machine)})
        return done, (self.machine / "diary").read_text().splitlines()

    def test_nothing_missing_is_silence(self):
        for level in ("build", "test"):
            done, diary = self.run_it(level)
            self.assertEqual((done.returncode, done.stdout, done.stderr, diary), (0, "", "", []))

    def test_build_does_not_ask_for_what_tests_need(self):
        self.set("installed", *BUILD)
        done, diary = self.run_it("build")
        self.assertEqual((done.returncode, diary), (0, []))

    def test_only_what_is_missing_is_installed_and_said(self):
        self.set("installed", *(name for name in TEST if name not in ("cmake", "valgrind")))
        done, diary = self.run_it("test")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"missing packages:\n  cmake  +describes the build\n  valgrind  +watches")
        self.assertEqual(len(diary), 2)
        self.assertTrue(diary[0].endswith(" update -q"), diary)
        self.assertTrue(diary[1].endswith(" install -q -y --no-install-recommends cmake valgrind"), diary)

    def test_an_empty_machine(self):
        self.set("installed")
        done, diary = self.run_it("test")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(diary[-1].split(" --no-install-recommends ")[1].split(), TEST)

    def test_through_sudo(self):
        self.set("uid", "1000")
        self.set("installed")
        done, diary = self.run_it("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split()[0] for line in diary], ["sudo", "apt-get"] * 2)

    def test_neither_root_nor_sudo(self):
        self.set("uid", "1000")
        self.set("installed", *(name for name in TEST if name != "cmake"))
        self.remove("sudo")
        done, diary = self.run_it("build")
        self.assertEqual((done.returncode, diary), (1, []))
        self.assertRegex(done.stderr, "^tools/bootstrap: not root, and there is no sudo.*\n.* cmake\n$")

    def test_what_the_release_does_not_have(self):
        self.set("unknown", "chromium")
        self.set("installed", *(name for name in TEST if name not in ("chromium", "curl")))
        done, diary = self.run_it("test")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(diary[-1].endswith(" curl"), diary)
        self.set("installed", *(name for name in TEST if name != "chromium"))
        done, diary = self.run_it("test")
        self.assertEqual((done.returncode, done.stdout, diary), (0, "", []))

    def test_a_failed_installation(self):
        self.set("installed", *(name for name in TEST if name != "cmake"))
        self.set("fails", "install")
        done, _ = self.run_it("build")
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not install: cmake", done.stderr)

    def test_old_lists_are_better_than_none(self):
        self.set("installed", *(name for name in TEST if name != "cmake"))
        self.set("fails", "update")
        done, diary = self.run_it("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(diary[-1].endswith(" cmake"), diary)

    def test_another_system(self):
        self.remove("dpkg-query")
        done, diary = self.run_it("build")
        self.assertEqual((done.returncode, diary), (0, []))
        self.assertIn("neither Debian nor Ubuntu", done.stderr)
        for name in BUILD:
            self.assertIn(f" {name} ", done.stderr)

    def test_bad_usage(self):
        for arguments in ([], ["everything"]):
            done, diary = self.run_it(*arguments)
            self.assertEqual((done.returncode, diary), (2, []))


if __name__ == "__main__":
    unittest.main()
