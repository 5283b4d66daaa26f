"""A certificate authority made by OpenSSL, on P-256 unless asked otherwise."""

import subprocess

from program import openssl

SETTINGS = """[ca]
default_ca = here
[here]
database = {folder}/index
serial = {folder}/serial
new_certs_dir = {folder}
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
CN = optional
O = optional
"""


CA = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"]


def new_key(curve="P-256"):
    return ["-newkey", "ec", "-pkeyopt", f"ec_paramgen_curve:{curve}", "-nodes", "-keyout"]


class Authority:
    def __init__(self, folder, name="ca", above=None):
        """A root, or an intermediate authority below the one `above`."""
        self.folder = folder / name
        self.folder.mkdir()
        (self.folder / "index").write_text("")
        (self.folder / "serial").write_text("1000")
        self.certificate, self.key = self.folder / "ca.pem", self.folder / "ca-key.pem"
        if above is None:
            openssl("req", "-x509", *new_key(), self.key, "-out", self.certificate, "-days", "100", "-subj",
                    f"/CN={name}", *CA)
        else:
            request = self.folder / "ca.csr"
            openssl("req", "-new", *new_key(), self.key, "-out", request, "-subj", f"/CN={name}", *CA)
            above.sign(request, self.certificate, "-days", "50")

    def issue(self, label, names="DNS:localhost,IP:127.0.0.1,IP:::1", start=None, end=None, purpose="serverAuth",
              curve="P-256"):
        """The files of a new certificate and its key."""
        request, certificate, key = (self.folder / f"{label}{end}" for end in (".csr", ".pem", "-key.pem"))
        openssl("req", "-new", *new_key(curve), key, "-out", request, "-subj", f"/CN={label}", "-addext",
                f"subjectAltName={names}", "-addext", f"extendedKeyUsage={purpose}", "-addext",
                "basicConstraints=CA:FALSE")
        self.sign(request, certificate, *(["-startdate", start, "-enddate", end] if start else ["-days", "50"]))
        return certificate, key

    def sign(self, request, certificate, *dates):
        done = subprocess.run(
            ["openssl", "ca", "-batch", "-notext", "-config", "/dev/stdin", "-cert", self.certificate, "-keyfile",
             self.key, "-in", request, "-out", certificate, *dates], input=SETTINGS.format(folder=self.folder),
            capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
