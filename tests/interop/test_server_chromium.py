"""`tenon serve` and Chromium: the demo page is rendered and its script tells what was negotiated."""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from program import InFolder
from server import Server

DEMO = Path(__file__).resolve().parents[2] / "demo"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--ignore-certificate-errors"]


def find_chromium():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def setUpModule():
    if find_chromium() is None:
        raise unittest.SkipTest("chromium is not installed")


class Chromium(InFolder):
    def test_the_demo_page(self):
        shutil.copytree(DEMO, self.folder / "demo")
        home = self.folder / "home"
        home.mkdir()
        with Server(self.folder / "demo") as server:
            done = subprocess.run([find_chromium(), *FLAGS, f"--user-data-dir={home}/data",
                                   "--virtual-time-budget=20000", "--dump-dom", f"https://localhost:{server.port}/"],
                                  capture_output=True, text=True, timeout=240, check=False,
                                  env={**os.environ, "HOME": str(home)})
            log = server.told(server.log)
        fields = dict(re.findall(r'data-field="(\w+)">([^<]*)<', done.stdout))
        self.assertEqual(fields.get("version"), "TLSv1.3", (done.stdout, done.stderr))
        self.assertRegex(fields["suite"], "^TLS_(AES_128_GCM_SHA256|AES_256_GCM_SHA384|CHACHA20_POLY1305_SHA256)$")
        self.assertEqual((fields["group"], fields["server_name"], fields["alpn"]), ("X25519MLKEM768", "localhost", "http/1.1"))
        self.assertEqual(fields["signature"], "ecdsa_secp256r1_sha256")
        for path in ("/", "/style.css", "/connection.js", "/favicon.svg", "/.tenon/connection"):
            self.assertRegex(log, rf'"GET {re.escape(path)} HTTP/1.1" 200 ')


if __name__ == "__main__":
    unittest.main()
