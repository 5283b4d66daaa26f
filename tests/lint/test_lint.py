#!/usr/bin/env python3
"""The checkers themselves: each catches a planted violation, and lets good code pass."""

import tempfile
import unittest
from pathlib import Path

import layers
import lengths


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def plant(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


class Layers(Tree):
    def found(self):
        return [(str(path), number) for path, number, _ in layers.violations(self.root)]

    def test_down_and_sideways_pass(self):
        self.plant("src/pki/der.c", '#include "pki/der.h"\n#include <string.h>\n#include "crypto/hash/hash.h"\n')
        self.plant("src/tls/conn.c", '#include "tenon/tls.h"\n#include "base/bytes.h"\n')
        self.plant("include/tenon/pki.h", '#include "tenon/base.h"\n')
        self.plant("apps/cli/main.c", '#include "cli/command.h"\n#include "tenon/net.h"\n')
        self.assertEqual(self.found(), [])

    def test_violations_are_caught(self):
        for path, line in [
            ("src/base/bytes.c", '#include "crypto/hash/hash.h"'),
            ("src/crypto/aead/gcm.c", '#include "pki/der.h"'),
            ("src/pki/der.h", '#  include "tls/record.h"'),
            ("src/tls/conn.c", "#include <tenon/net.h>"),
            ("src/net/stream.c", '#include "cli/command.h"'),
            ("include/tenon/pki.h", '#include "tenon/tls.h"'),
            ("src/tls/conn.c", '#include "pki/der.c"'),
            ("apps/cli/main.c", '#include "../serve/serve.h"'),
        ]:
            with self.subTest(path=path, line=line):
                self.plant("apps/cli/command.h", "")
                self.plant(path, "// planted\n" + line + "\n")
                self.assertEqual(self.found(), [(path, 2)])
                (self.root / path).unlink()

    def test_a_file_on_no_floor_is_caught(self):
        self.plant("src/attic/old.c", "")
        self.assertEqual(self.found(), [("src/attic/old.c", 1)])


class Lengths(Tree):
    def found(self):
        return [str(path) for path, _ in lengths.violations(self.root)]

    def test_limit(self):
        self.plant("src/a.c", "x\n" * lengths.LIMIT)
        self.plant("src/b.c", "x\n" * (lengths.LIMIT + 1))
        self.plant("include/tenon/c.h", "x\n" * 1000)
        self.plant("tests/d.py", "x\n" * 1000)
        self.assertEqual(self.found(), ["src/b.c", "include/tenon/c.h", "tests/d.py"])

    def test_tables_and_other_files_may_be_long(self):
        self.plant("src/sines_table.c", "x\n" * 5000)
        self.plant("src/points_table.h", "x\n" * 5000)
        self.plant("src/field.S", "x\n" * 5000)
        self.assertEqual(self.found(), [])


if __name__ == "__main__":
    unittest.main()
