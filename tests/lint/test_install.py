#!/usr/bin/env python3
"""What `make install` gives to a C or C++ programmer: every public header compiles by itself, and a program that uses
every floor links in each way that the README names."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = os.environ["BUILD"]
CMAKE = os.environ["CMAKE"]
CC = os.environ["CC"]

PROGRAM = r"""
#include <tenon/net.h>
#include <tenon/pki.h>
#include <tenon/tls.h>

int main(void) {
  tn_config *config = 0;
  tn_trust *trust = 0;
  tn_loop *loop = 0;
  tn_key *key = 0;
  int bad = !tn_ok(tn_config_new(TN_CLIENT, 0, &config)) || !tn_ok(tn_trust_new(0, &trust)) ||
            !tn_ok(tn_config_set_trust(config, trust)) || !tn_ok(tn_key_generate_p256(0, &key)) ||
            !tn_ok(tn_loop_new(&loop));
  if (!bad) {
    static const tn_stream_events none = {0, 0, 0, 0, 0};
    tn_connect_options options = {"127.0.0.1", 1, config, {0, 0}, 0};
    tn_stream *stream = 0;
    bad = tn_ok(tn_connect(loop, &options, &none, 0, &stream));  // on_close is missing
  }
  tn_loop_free(loop);
  tn_key_free(key);
  tn_trust_unref(trust);
  tn_config_unref(config);
  return bad;
}
"""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120, check=False,
                          **options)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        done = run(CMAKE, "--install", BUILD, "--prefix", cls.folder / "prefix",
                   env={key: value for key, value in os.environ.items() if key != "DESTDIR"})
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.include = cls.folder / "prefix" / "include"
        cls.library = next((cls.folder / "prefix").rglob("libtenon.a")).parent

    def test_headers_stand_alone(self):
        headers = sorted((self.include / "tenon").glob("*.h"))
        self.assertGreaterEqual(len(headers), 4)
        for header in headers:
            for language in (["-x", "c", "-std=c11", "-pedantic"], ["-x", "c++", "-std=c++11"]):
                if language[1] == "c++" and shutil.which("c++") is None:
                    continue
                with self.subTest(header=header.name, language=language[1]):
                    compiler = "c++" if language[1] == "c++" else CC
                    done = run(compiler, *language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", self.include, "-",
                               input=f"#include <tenon/{header.name}>\n")
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_program_links(self):
        source = self.folder / "program.c"
        source.write_text(PROGRAM)
        uv = run("pkg-config", "--libs", "libuv").stdout.split()
        for tenon in ("-ltenon", "-l:libtenon.a"):
            with self.subTest(tenon):
                program = self.folder / "program"
                done = run(CC, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", self.include, source, "-o", program, "-L",
                           self.library, "-ltenon-net", tenon, *uv)
                self.assertEqual(done.returncode, 0, done.stderr)
                done = run(program, env={**os.environ, "LD_LIBRARY_PATH": str(self.library)})
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
