#include "cli/cert_text.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct bit_name {
  unsigned bit;
  const char *json;
  const char *text;
} bit_name;

// KeyUsage, RFC 5280 section 4.2.1.3.
static const bit_name key_usages[] = {
    {1 << 0, "digitalSignature", "digital signature"},
    {1 << 1, "nonRepudiation", "non-repudiation"},
    {1 << 2, "keyEncipherment", "key encipherment"},
    {1 << 3, "dataEncipherment", "data encipherment"},
    {1 << 4, "keyAgreement", "key agreement"},
    {1 << 5, "keyCertSign", "signs certificates"},
    {1 << 6, "cRLSign", "signs CRLs"},
    {1 << 7, "encipherOnly", "encipher only"},
    {1 << 8, "decipherOnly", "decipher only"},
    {0, NULL, NULL},
};

// ExtKeyUsage, section 4.2.1.12: the purposes that floor 2 knows.
static const bit_name ext_key_usages[] = {
    {TN_EKU_SERVER_AUTH, "serverAuth", "TLS server"},
    {TN_EKU_CLIENT_AUTH, "clientAuth", "TLS client"},
    {TN_EKU_ANY, "anyExtendedKeyUsage", "any"},
    {0, NULL, NULL},
};

// ---------------------------------------------------------------- pieces

// A new string; NULL without memory.
static char *escaped(tn_span text) {
  char *out = malloc(text.n * 4 + 1);
  if (out == NULL) return NULL;
  char *at = out;
  for (size_t i = 0; i < text.n; i++) {
    uint8_t c = text.p[i];
    if (c >= 0x20 && c < 0x7f && c != '\\') {
      *at++ = (char)c;
    } else {
      at += sprintf(at, "\\x%02x", c);
    }
  }
  *at = 0;
  return out;
}

static char *hex(tn_span bytes) {
  char *out = malloc(bytes.n * 3 + 1);
  if (out == NULL) return NULL;
  char *at = out;
  for (size_t i = 0; i < bytes.n; i++) at += sprintf(at, i == 0 ? "%02x" : ":%02x", bytes.p[i]);
  *at = 0;
  return out;
}

static char *name_text(tn_span name) {
  char probe[1];
  size_t n = tn_name_text(name, probe, sizeof probe);
  char *out = malloc(n + 1);
  if (out != NULL) tn_name_text(name, out, n + 1);
  return out;
}

// One of the alternative names.
static char *alt_name_text(tn_name_type type, tn_span name) {
  char address[INET6_ADDRSTRLEN];
  if (type == TN_NAME_IP && (name.n == 4 || name.n == 16)) {
    if (inet_ntop(name.n == 4 ? AF_INET : AF_INET6, name.p, address, sizeof address) != NULL) return strdup(address);
  }
  return type == TN_NAME_DNS ? escaped(name) : hex(name);
}

void tn_validity_text(const tn_cert *cert, int64_t now, char *out, size_t room) {
  bool early = now < cert->not_before;
  int64_t seconds = early ? cert->not_before - now : cert->not_after - now;
  bool over = seconds < 0;
  if (over) seconds = -seconds;
  static const struct {
    int64_t seconds;
    const char *name;
  } units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
  size_t u = 0;
  while (u + 1 < COUNT(units) && seconds < 2 * units[u].seconds) u++;
  int64_t count = (seconds + units[u].seconds / 2) / units[u].seconds;
  const char *s = count == 1 ? "" : "s";
  const char *format = early  ? "becomes valid in %" PRId64 " %s%s"
                       : over ? "expired %" PRId64 " %s%s ago"
                              : "expires in %" PRId64 " %s%s";
  snprintf(out, room, format, count, units[u].name, s);
}

// ---------------------------------------------------------------- for people

static void print_line(FILE *to, const char *label, char *text) {
  fprintf(to, "  %-13s %s\n", label, text == NULL ? "?" : *text == 0 ? "(empty)" : text);
  free(text);
}

static void print_bits(FILE *to, const char *label, const bit_name *names, unsigned bits) {
  fprintf(to, "  %-13s ", label);
  const char *comma = "";
  for (const bit_name *b = names; b->text != NULL; b++) {
    if ((bits & b->bit) == 0) continue;
    fprintf(to, "%s%s", comma, b->text);
    comma = ", ";
  }
  fputs(*comma == 0 ? "none that is known\n" : "\n", to);
}

static void print_names(FILE *to, const tn_cert *cert) {
  size_t at = 0;
  tn_name_type type;
  tn_span name;
  const char *label = "names";
  while (tn_cert_next_name(cert, &at, &type, &name)) {
    char *text = alt_name_text(type, name);
    fprintf(to, "  %-13s %s%s\n", label, type == TN_NAME_OTHER ? "(another kind) " : "", text == NULL ? "?" : text);
    free(text);
    label = "";
  }
}

void tn_cert_print(FILE *to, const tn_cert *cert, int64_t now) {
  char from[24], until[24], validity[64];
  tn_time_text(cert->not_before, from);
  tn_time_text(cert->not_after, until);
  tn_validity_text(cert, now, validity, sizeof validity);
  uint8_t fingerprint[32];
  tn_cert_fingerprint(cert, fingerprint);

  print_line(to, "subject", name_text(cert->subject));
  print_line(to, "issuer", name_text(cert->issuer));
  print_line(to, "serial", hex(cert->serial));
  fprintf(to, "  %-13s %s to %s, %s\n", "valid", from, until, validity);
  fprintf(to, "  %-13s %s\n", "key", tn_cert_key_name(cert));
  fprintf(to, "  %-13s %s\n", "signature", tn_cert_signature_name(cert));
  print_names(to, cert);
  fprintf(to, "  %-13s %s", "CA", cert->is_ca ? "yes" : "no");
  if (cert->has_path_len) fprintf(to, ", at most %" PRIu32 " further CAs below it", cert->path_len);
  fputc('\n', to);
  if (cert->has_key_usage) print_bits(to, "key usage", key_usages, cert->key_usage);
  if (cert->has_ext_key_usage) print_bits(to, "purpose", ext_key_usages, cert->ext_key_usage);
  print_line(to, "SHA-256", hex(tn_span_of(fingerprint, sizeof fingerprint)));
}

// ---------------------------------------------------------------- for machines

// Takes the string.
static json_t *string_json(char *text) {
  json_t *value = text == NULL ? NULL : json_string(text);
  if (value == NULL && text != NULL) value = tn_span_json(tn_span_of(text, strlen(text)));  // it was not UTF-8
  free(text);
  return value;
}

json_t *tn_span_json(tn_span text) {
  char *copy = escaped(text);
  json_t *value = copy == NULL ? NULL : json_string(copy);
  free(copy);
  return value;
}

static json_t *time_json(int64_t time) {
  char text[24];
  tn_time_text(time, text);
  return json_string(text);
}

static json_t *bits_json(bool present, const bit_name *names, unsigned bits) {
  if (!present) return json_null();
  json_t *list = json_array();
  for (const bit_name *b = names; b->json != NULL; b++) {
    if ((bits & b->bit) != 0) json_array_append_new(list, json_string(b->json));
  }
  return list;
}

static json_t *names_json(const tn_cert *cert) {
  static const char *const types[] = {[TN_NAME_DNS] = "dns", [TN_NAME_IP] = "ip", [TN_NAME_OTHER] = "other"};
  json_t *list = json_array();
  size_t at = 0;
  tn_name_type type;
  tn_span name;
  while (tn_cert_next_name(cert, &at, &type, &name)) {
    json_array_append_new(
        list, json_pack("{s:s, s:o}", "type", types[type], "value", string_json(alt_name_text(type, name))));
  }
  return list;
}

json_t *tn_cert_json(const tn_cert *cert, int64_t now) {
  char validity[64];
  tn_validity_text(cert, now, validity, sizeof validity);
  uint8_t fingerprint[32];
  tn_cert_fingerprint(cert, fingerprint);
  json_t *object =
      json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:s, s:s, s:s, s:o, s:b, s:o, s:o, s:o, s:o}",             //
                "version", (int)cert->version,                                                                  //
                "subject", string_json(name_text(cert->subject)),                                               //
                "issuer", string_json(name_text(cert->issuer)),                                                 //
                "serial", string_json(hex(cert->serial)),                                                       //
                "not_before", time_json(cert->not_before),                                                      //
                "not_after", time_json(cert->not_after),                                                        //
                "valid_now", now >= cert->not_before && now <= cert->not_after,                                 //
                "validity", validity,                                                                           //
                "key", tn_cert_key_name(cert),                                                                  //
                "signature_algorithm", tn_cert_signature_name(cert),                                            //
                "names", names_json(cert),                                                                      //
                "ca", cert->is_ca,                                                                              //
                "path_length", cert->has_path_len ? json_integer(cert->path_len) : json_null(),                 //
                "key_usage", bits_json(cert->has_key_usage, key_usages, cert->key_usage),                       //
                "extended_key_usage", bits_json(cert->has_ext_key_usage, ext_key_usages, cert->ext_key_usage),  //
                "sha256", string_json(hex(tn_span_of(fingerprint, sizeof fingerprint))));
  return object;
}
