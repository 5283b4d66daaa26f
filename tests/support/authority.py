"""A certificate authority made by OpenSSL, with keys on P-256 unless asked otherwise."""

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


def new_key(kind="P-256"):
    """OpenSSL's words for a new key: a curve, "ed25519", "rsa:2048", "rsa-pss:2048"."""
    algorithm, _, bits = kind.partition(":")
    if bits:
        words = [algorithm, "-pkeyopt", f"rsa_keygen_bits:{bits}"]
    elif kind.startswith("P-"):
        words = ["ec", "-pkeyopt", f"ec_paramgen_curve:{kind}"]
    else:
        words = [algorithm]
    return ["-newkey", *words, "-nodes", "-keyout"]


def self_signed(folder, kind):
    """The files of a certificate for localhost that vouches for itself, and of its key; made at the first call."""
    certificate, key = (folder / (kind.replace(":", "-") + end) for end in (".pem", "-key.pem"))
    if certificate.exists():
        return certificate, key
    openssl("req", "-x509", *new_key(kind), key, "-out", certificate, "-days", "10", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=CA:FALSE")
    return certificate, key


class Authority:
    signing = ()  # options of `openssl ca`

    def __init__(self, folder, name="ca", above=None, kind="P-256", signing=()):
        """A root, or an intermediate authority below the one `above`."""
        self.folder = folder / name
        self.folder.mkdir()
        (self.folder / "index").write_text("")
        (self.folder / "serial").write_text("1000")
        self.signing = signing
        self.certificate, self.key = self.folder / "ca.pem", self.folder / "ca-key.pem"
        if above is None:
            openssl("req", "-x509", *new_key(kind), self.key, "-out", self.certificate, "-days", "100", "-subj",
                    f"/CN={name}", *CA)
        else:
            request = self.folder / "ca.csr"
            openssl("req", "-new", *new_key(kind), self.key, "-out", request, "-subj", f"/CN={name}", *CA)
            above.sign(request, self.certificate, "-days", "50")

    def issue(self, label, names="DNS:localhost,IP:127.0.0.1,IP:::1", start=None, end=None, purpose="serverAuth",
              kind="P-256"):
        """The files of a new certificate and its key."""
        request, certificate, key = (self.folder / f"{label}{end}" for end in (".csr", ".pem", "-key.pem"))
        openssl("req", "-new", *new_key(kind), key, "-out", request, "-subj", f"/CN={label}", "-addext",
                f"subjectAltName={names}", "-addext", f"extendedKeyUsage={purpose}", "-addext",
                "basicConstraints=CA:FALSE")
        self.sign(request, certificate, *(["-startdate", start, "-enddate", end] if start else ["-days", "50"]))
        return certificate, key

    def sign(self, request, certificate, *dates):
        done = subprocess.run(
            ["openssl", "ca", "-batch", "-notext", "-config", "/dev/stdin", "-cert", self.certificate, "-keyfile",
             self.key, "-in", request, "-out", certificate, *dates, *self.signing], input=SETTINGS.format(folder=self.folder),
            capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
