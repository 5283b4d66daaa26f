"""100 MB to four clients of different kinds at once: intact, and the server's memory stays flat.

wget stands for GnuTLS: gnutls-cli prints each byte by itself."""

import hashlib
import os
import subprocess
import threading
import time

from conversation import PATIENCE
from peers import needs, openssl_client
from program import SANITIZED, command
from server import Server, Served

REQUEST = b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
SIZE = 100 << 20
# Four windows of 256 KiB, the pool of buffers, and what malloc keeps back; a sanitizer holds back what was freed.
ROOM = (64 if SANITIZED else 8) << 10  # KiB


class Hash(threading.Thread):
    """Digests what a client prints: the body alone, or after a head."""

    def __init__(self, client, has_head, request):
        super().__init__(daemon=True)
        self.digest = hashlib.sha256()
        self.size = 0
        self.has_head = has_head
        self.request = request
        self.process = subprocess.Popen([str(part) for part in client], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self):
        # The input stays open: to some of them its end is the end of all.
        self.process.stdin.write(self.request)
        self.process.stdin.flush()
        out = self.process.stdout
        while self.has_head and out.readline() != b"\r\n":
            pass
        while part := out.read1(1 << 18):
            self.digest.update(part)
            self.size += len(part)

    def end(self):
        self.join(PATIENCE)
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.kill()
        self.process.wait(PATIENCE)


class LargeFile(Served):
    def test_four_kinds_of_clients_at_once(self):
        needs("curl", "openssl", "wget")
        chunk = os.urandom(1 << 20)
        whole = hashlib.sha256()
        with open(self.site / "large", "wb") as large:
            for i in range(SIZE >> 20):
                part = chunk[i:] + chunk[:i]  # no two alike
                large.write(part)
                whole.update(part)
        with Server(self.site) as server:
            server.get("/")
            before = server.memory()
            port = server.port
            clients = {
                "curl": Hash(["curl", "-sk", f"https://127.0.0.1:{port}/large"], False, b""),
                "openssl": Hash(openssl_client(port, "-quiet"), True, REQUEST),
                "wget": Hash(["wget", "-qO-", "--no-check-certificate", f"https://127.0.0.1:{port}/large"], False, b""),
                "tenon": Hash(command("connect", "-q", "--insecure", f"127.0.0.1:{port}"), True, REQUEST),
            }
            for client in clients.values():
                client.start()
            most, samples = before, 0
            deadline = time.monotonic() + 4 * PATIENCE
            while any(client.is_alive() for client in clients.values()) and time.monotonic() < deadline:
                most, samples = max(most, server.memory()), samples + 1
                time.sleep(0.02)
            for client in clients.values():
                client.end()
            for name, client in clients.items():
                with self.subTest(name):
                    self.assertEqual((client.size, client.digest.hexdigest()), (SIZE, whole.hexdigest()))
            self.assertGreater(samples, 5)
            self.assertLess(most - before, ROOM)
            server.get("/")
            self.assertLess(server.memory() - before, ROOM)
            self.assertEqual(server.told(server.errors).count("\n"), 1)  # of the certificate


if __name__ == "__main__":
    import unittest
    unittest.main()
