// OpenSSL as a library that the benchmarks drive. Its memory BIOs would allocate and copy more than a socket
// does; the one here costs a single copy each way, as the system call would.
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <stdlib.h>

#include "tls_library.h"

typedef struct config {
  SSL_CTX *tls;
  tn_role role;
  char group[32], peer_name[64];  // not const: OpenSSL's macros want it so
} config;

typedef struct conn {
  SSL *tls;
  tn_role role;
  wire *in, *out;
} conn;

// ---------------------------------------------------------------- the wires as a BIO

static int wire_write(BIO *bio, const char *p, int n) {
  wire *out = ((conn *)BIO_get_data(bio))->out;
  if (n <= 0 || (size_t)n > WIRE_ROOM - out->end) return -1;
  memcpy(out->bytes + out->end, p, (size_t)n);
  out->end += (size_t)n;
  return n;
}

static int wire_read(BIO *bio, char *p, int n) {
  wire *in = ((conn *)BIO_get_data(bio))->in;
  const size_t there = in->end - in->start;
  const size_t taken = n < 0 ? 0 : (size_t)n < there ? (size_t)n : there;
  BIO_clear_retry_flags(bio);
  if (taken == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  memcpy(p, in->bytes + in->start, taken);
  wire_drop(in, taken);
  return (int)taken;
}

static long wire_control(BIO *bio, int command, long number, void *pointer) {
  (void)bio, (void)number, (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *wire_method(void) {
  static BIO_METHOD *method;
  if (method == NULL) {
    method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "wire");
    BENCH_NEED(method != NULL && BIO_meth_set_write(method, wire_write) == 1 &&
                   BIO_meth_set_read(method, wire_read) == 1 && BIO_meth_set_ctrl(method, wire_control) == 1,
               "BIO");
  }
  return method;
}

// ---------------------------------------------------------------- configurations

static BIO *bio_of(tn_span text) {
  BIO *bio = BIO_new_mem_buf(text.p, (int)text.n);
  BENCH_NEED(bio != NULL, "BIO");
  return bio;
}

static X509 *certificate_of(tn_span pem) {
  BIO *bio = bio_of(pem);
  X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);
  BENCH_NEED(certificate != NULL, "certificate");
  BIO_free(bio);
  return certificate;
}

static void set_identity(SSL_CTX *tls, const tls_setup *setup) {
  BIO *bio = bio_of(setup->key_pem);
  EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
  X509 *leaf = certificate_of(setup->leaf_pem);
  BENCH_NEED(key != NULL, "key");
  BENCH_NEED(SSL_CTX_use_certificate(tls, leaf) == 1 && SSL_CTX_use_PrivateKey(tls, key) == 1, "identity");
  X509_free(leaf);
  EVP_PKEY_free(key);
  BIO_free(bio);
}

static void set_trust(SSL_CTX *tls, const tls_setup *setup) {
  X509 *anchor = certificate_of(setup->anchor_pem);
  BENCH_NEED(X509_STORE_add_cert(SSL_CTX_get_cert_store(tls), anchor) == 1, "trust");
  X509_free(anchor);
  SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
}

static void *configure(tn_role role, const tls_setup *setup) {
  config *c = calloc(1, sizeof *c);
  BENCH_NEED(c != NULL, "configuration");
  c->role = role;
  snprintf(c->group, sizeof c->group, "%s", setup->group_name);
  snprintf(c->peer_name, sizeof c->peer_name, "%s", setup->name);
  c->tls = SSL_CTX_new(role == TN_CLIENT ? TLS_client_method() : TLS_server_method());
  BENCH_NEED(c->tls != NULL, "configuration");
  BENCH_NEED(SSL_CTX_set_min_proto_version(c->tls, TLS1_3_VERSION) == 1, "version");
  BENCH_NEED(SSL_CTX_set_ciphersuites(c->tls, setup->suite->name) == 1, "suite");
  BENCH_NEED(SSL_CTX_set1_groups_list(c->tls, c->group) == 1, "group");
  // No session is kept or resumed here, so neither side makes tickets.
  SSL_CTX_set_session_cache_mode(c->tls, SSL_SESS_CACHE_OFF);
  BENCH_NEED(SSL_CTX_set_num_tickets(c->tls, 0) == 1, "tickets");
  if (role == TN_SERVER)
    set_identity(c->tls, setup);
  else
    set_trust(c->tls, setup);
  return c;
}

static void discard(void *state) {
  config *c = state;
  SSL_CTX_free(c->tls);
  free(c);
}

// ---------------------------------------------------------------- connections

static void free_conn(void *state) {
  conn *c = state;
  if (c == NULL) return;
  SSL_free(c->tls);
  free(c);
}

static bool set_client(conn *c, config *cfg) {
  SSL_set_connect_state(c->tls);
  return SSL_set_tlsext_host_name(c->tls, cfg->peer_name) == 1 && SSL_set1_host(c->tls, cfg->peer_name) == 1;
}

static void *connect_wires(void *state, wire *in, wire *out) {
  config *cfg = state;
  conn *c = malloc(sizeof *c);
  BIO *bio = BIO_new(wire_method());
  BENCH_NEED(c != NULL && bio != NULL, "connection");
  *c = (conn){SSL_new(cfg->tls), cfg->role, in, out};
  BIO_set_data(bio, c);
  BIO_set_init(bio, 1);
  if (c->tls == NULL) {
    BIO_free(bio);
    free(c);
    return NULL;
  }
  SSL_set_bio(c->tls, bio, bio);
  if (cfg->role == TN_SERVER) {
    SSL_set_accept_state(c->tls);
  } else if (!set_client(c, cfg)) {
    free_conn(c);
    return NULL;
  }
  return c;
}

static bool advance(void *state, bool *open) {
  conn *c = state;
  const int r = SSL_do_handshake(c->tls);
  *open = SSL_is_init_finished(c->tls);
  return r == 1 || SSL_get_error(c->tls, r) == SSL_ERROR_WANT_READ;
}

static bool as_agreed(void *state, const tls_setup *setup) {
  conn *c = state;
  const bool proved = c->role == TN_SERVER ||
                      (SSL_get_verify_mode(c->tls) == SSL_VERIFY_PEER && SSL_get_verify_result(c->tls) == X509_V_OK);
  return SSL_version(c->tls) == TLS1_3_VERSION && proved &&
         SSL_CIPHER_get_protocol_id(SSL_get_current_cipher(c->tls)) == setup->suite->id;
}

static bool write_record(void *state, const uint8_t *p, size_t n) {
  size_t written;
  return SSL_write_ex(((conn *)state)->tls, p, n, &written) == 1 && written == n;
}

static bool read_bytes(void *state, uint8_t *p, size_t n) {
  conn *c = state;
  while (n != 0) {
    size_t got;
    if (SSL_read_ex(c->tls, p, n, &got) != 1) return false;
    p += got;
    n -= got;
  }
  return true;
}

const tls_library tls_openssl = {
    .name = bench_openssl_name,
    .configure = configure,
    .discard = discard,
    .connect = connect_wires,
    .free = free_conn,
    .advance = advance,
    .as_agreed = as_agreed,
    .write = write_record,
    .read = read_bytes,
};
