#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "pki/cert.h"
#include "serve/identities.h"
#include "serve/text.h"

enum { HOUR = 3600, DAYS_VALID = 90, MAX_ADDRESSES = 64, MAX_CERT = 8192 };

typedef struct address {
  uint8_t bytes[16];
  size_t n;  // 4 or 16
} address;

typedef struct names {
  char host[254];
  tn_span dns[2];
  size_t n_dns;
  address addresses[MAX_ADDRESSES];
  tn_span ips[MAX_ADDRESSES];  // of them
  size_t n_ips;
} names;

static void add_address(names *all, const void *bytes, size_t n) {
  for (size_t i = 0; i < all->n_ips; i++) {
    if (all->ips[i].n == n && memcmp(all->ips[i].p, bytes, n) == 0) return;
  }
  if (all->n_ips == MAX_ADDRESSES) return;
  address *a = &all->addresses[all->n_ips];
  memcpy(a->bytes, bytes, n);
  a->n = n;
  all->ips[all->n_ips++] = tn_span_of(a->bytes, n);
}

static address parse_address(const char *text) {
  address a = {.n = 0};
  a.n = tn_ip_parse(tn_text(text), a.bytes);
  return a;
}

static bool is_any(const address *a) {
  static const uint8_t zeros[16];
  return memcmp(a->bytes, zeros, a->n) == 0;
}

// Link-local addresses are left out: no URL can name the link.
static void add_interfaces(names *all) {
  struct ifaddrs *list = NULL;
  if (getifaddrs(&list) != 0) return;
  for (const struct ifaddrs *i = list; i != NULL; i = i->ifa_next) {
    if (i->ifa_addr == NULL) continue;
    if (i->ifa_addr->sa_family == AF_INET) {
      struct sockaddr_in v4;
      memcpy(&v4, i->ifa_addr, sizeof v4);
      add_address(all, &v4.sin_addr, 4);
    } else if (i->ifa_addr->sa_family == AF_INET6) {
      struct sockaddr_in6 v6;
      memcpy(&v6, i->ifa_addr, sizeof v6);
      if (!IN6_IS_ADDR_LINKLOCAL(&v6.sin6_addr)) add_address(all, &v6.sin6_addr, 16);
    }
  }
  freeifaddrs(list);
}

static void add_host_name(names *all) {
  if (gethostname(all->host, sizeof all->host) != 0) return;
  all->host[sizeof all->host - 1] = 0;
  tn_span host = tn_text(all->host);
  // A machine may be called what no certificate can say: a container's name may be a number.
  if (tn_host_name_is_valid(host, false) && !tn_span_equal_nocase_vartime(host, all->dns[0]))
    all->dns[all->n_dns++] = host;
}

static void collect(names *all, const tn_option_list *listened) {
  static const char *const loopback[] = {"127.0.0.1", "::1"};
  *all = (names){.dns = {tn_text("localhost")}, .n_dns = 1};
  add_host_name(all);
  for (size_t i = 0; i < 2; i++) {
    address a = parse_address(loopback[i]);
    add_address(all, a.bytes, a.n);
  }
  bool everywhere = listened->n == 0;
  for (size_t i = 0; i < listened->n; i++) {
    address a = parse_address(listened->items[i]);
    if (is_any(&a)) {
      everywhere = true;
    } else {
      add_address(all, a.bytes, a.n);
    }
  }
  if (everywhere) add_interfaces(all);
}

static void report(const names *all, const tn_cert *cert) {
  fputs("tenon: made a certificate for", stderr);
  const char *separator = " ";
  for (size_t i = 0; i < all->n_dns; i++, separator = ", ")
    fprintf(stderr, "%s%.*s", separator, (int)all->dns[i].n, (const char *)all->dns[i].p);
  for (size_t i = 0; i < all->n_ips; i++) {
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(all->ips[i].n == 4 ? AF_INET : AF_INET6, all->ips[i].p, text, sizeof text);
    fprintf(stderr, "%s%s", separator, text);
  }
  uint8_t fingerprint[32];
  tn_cert_fingerprint(cert, fingerprint);
  fputs("; its SHA-256 fingerprint is ", stderr);
  for (size_t i = 0; i < sizeof fingerprint; i++) fprintf(stderr, "%s%02X", i == 0 ? "" : ":", fingerprint[i]);
  fputs("\n", stderr);
}

static tn_result make(const names *all, int64_t now, const tn_key *key, tn_identity **out) {
  tn_cert_spec spec = {
      .common_name = all->dns[0],
      .dns_names = all->dns,
      .n_dns_names = all->n_dns,
      .ip_addresses = all->ips,
      .n_ip_addresses = all->n_ips,
      .not_before = now - HOUR,
      .not_after = now - HOUR + DAYS_VALID * 24 * HOUR,
      .ext_key_usage = TN_EKU_SERVER_AUTH,
  };
  uint8_t der[MAX_CERT];
  size_t n = sizeof der;
  TN_TRY(tn_cert_make(&spec, key, NULL, NULL, der, &n));
  return tn_identity_from_der(NULL, tn_span_of(der, n), key, out);
}

tn_result tn_serve_self_signed(const tn_option_list *addresses, int64_t now, tn_identity **out) {
  *out = NULL;
  names all;
  collect(&all, addresses);
  tn_key *key = NULL;
  TN_TRY(tn_key_generate_p256(NULL, &key));
  tn_result r = make(&all, now, key, out);
  tn_key_free(key);
  if (tn_ok(r)) report(&all, tn_identity_leaf(*out));
  return r;
}
