#include "cli/cert.h"

#include <string.h>

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} verbs[] = {
    {"self-signed", tn_cert_self_signed},
    {"show", tn_cert_show},
};

static int run_cert(int argc, char **argv) {
  if (argc < 2) return tn_usage_error(&tn_command_cert, "cert: what about it? self-signed or show");
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (strcmp(verbs[i].name, argv[1]) == 0) return verbs[i].run(argc - 1, argv + 1);
  }
  return tn_usage_error(&tn_command_cert, "cert: there is no `%s`", argv[1]);
}

const tn_command tn_command_cert = {
    .name = "cert",
    .summary = "makes and shows certificates",
    .usage =
        "Usage: tenon cert self-signed [OPTION]... [NAME|IP]...\n"
        "       tenon cert show [--json] FILE\n"
        "\n"
        "self-signed makes a key and a certificate for it that is valid for the host names and IP addresses given\n"
        "(default: localhost, 127.0.0.1 and ::1). Both go to standard output as PEM unless these say otherwise:\n"
        "  -o FILE         writes the certificate there\n"
        "  -k FILE         writes the private key there, readable by its owner alone\n"
        "  --key-type TYPE the new key: p256 (the default), p384, p521, ed25519, rsa-2048, rsa-3072, rsa-4096, or\n"
        "                  rsa-BITS up to 8192; rsa-pss-BITS for one that signs with PSS alone\n"
        "  --key FILE      uses the private key in FILE (PKCS#8, SEC1 or PKCS#1, PEM or DER) instead of a new one\n"
        "  --days N        valid for N days from now, 1 to 36500 (default 365)\n"
        "  --cn NAME       the subject's common name (default: the first name)\n"
        "  -f, --force     replaces files that exist; without it they are left alone and the command fails\n"
        "\n"
        "show tells what is in every certificate of FILE (PEM or DER; - is standard input).\n"
        "  --json          as a JSON array, one object a certificate\n",
    .run = run_cert,
};
