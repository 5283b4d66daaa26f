// Odd and bad ClientHellos, first and second: what is tolerated, and the alert for everything else.
#include "tls/support/script.h"

enum { ACCEPTED = -1, RETRIED = -2 };  // besides alerts

// ---------------------------------------------------------------- changes

static void version_0000(hello *h) { h->version = 0; }
static void version_0300(hello *h) { h->version = 0x0300; }
static void version_0304(hello *h) { h->version = 0x0304; }
static void version_ffff(hello *h) { h->version = 0xffff; }
static void no_session_id(hello *h) { h->session_id_len = 0; }
static void session_id_1(hello *h) { h->session_id_len = 1; }
static void session_id_33(hello *h) { h->session_id_len = 33; }
static void session_id_255(hello *h) { h->session_id_len = 255; }
static void session_id_other(hello *h) { h->session_id[31] ^= 1; }
static void random_other(hello *h) { h->random[0] ^= 1; }
static void no_suites(hello *h) { h->n_suites = 0; }
static void odd_suites(hello *h) { h->suites_excess = 1; }
static void endless_suites(hello *h) { h->suites_excess = 0x7000; }
static void unknown_suites(hello *h) {
  h->suites[0] = 0x1304;
  h->suites[1] = 0xc02b;
  h->n_suites = 2;
}
static void grease_suites(hello *h) {
  h->suites[0] = 0x8a8a;
  h->suites[1] = 0x1303;
  h->suites[2] = 0x00ff;
}
static void fewer_suites(hello *h) { h->n_suites = 2; }
static void more_suites(hello *h) { h->suites[h->n_suites++] = 0xc02b; }
static void other_suites(hello *h) {
  uint16_t first = h->suites[0];
  h->suites[0] = h->suites[1];
  h->suites[1] = first;
}
static void no_compression(hello *h) { h->n_compression = 0; }
static void deflate_only(hello *h) { h->compression[0] = 1; }
static void deflate_too(hello *h) {
  h->compression[1] = 1;
  h->n_compression = 2;
}
static void null_twice(hello *h) { h->n_compression = 2; }
static void no_extensions(hello *h) { h->no_extensions = true; }
static void half_a_length(hello *h) {
  h->no_extensions = true;
  h->junk = 1;
}
static void old_hello(hello *h) {
  deflate_too(h);
  ext_remove(&h->ext, 43);
}
static void block_too_long(hello *h) { h->block_excess = 1; }
static void block_too_short(hello *h) { h->block_excess = -1; }
static void block_empty(hello *h) { h->ext.n = 0; }
static void junk_after_the_end(hello *h) { h->junk = 1; }
static void many_extensions(hello *h) {
  for (uint16_t i = 0; i < 100; i++) ext_fill(&h->ext, (uint16_t)(0x4000 + i), 3);
}
static void more_extensions(hello *h) {
  for (uint16_t i = 0; i < 130; i++) ext_fill(&h->ext, (uint16_t)(0x4000 + i), 3);
}
static void unknown_twice(hello *h) {
  for (int i = 0; i < 2; i++) ext_add(&h->ext, 0xfafa, "00");
}
static void long_name(hello *h) {
  uint8_t body[5 + 256] = {1, 3, 0, 1, 0};
  memset(body + 5, 'a', 256);
  ext_set_bytes(&h->ext, 0, body, sizeof body);
}
static void longest_name(hello *h) {
  uint8_t body[5 + 255] = {1, 2, 0, 0, 255};
  memset(body + 5, 'a', 255);
  ext_set_bytes(&h->ext, 0, body, sizeof body);
}
// Before the right share, one for a GREASE group and one for a group that nobody has.
static void grease_shares(hello *h) {
  uint8_t body[EXT_ROOM] = {0, 46, 0x2a, 0x2a, 0, 1, 0, 0x00, 0x13, 0, 1, 0};
  size_t i = ext_find(&h->ext, 51);
  memcpy(body + 12, h->ext.at[i].body + 2, h->ext.at[i].n - 2);
  size_t n = 12 + h->ext.at[i].n - 2;
  body[1] = (uint8_t)(n - 2);
  ext_set_bytes(&h->ext, 51, body, n);
}
static void share_misnamed(hello *h) { h->ext.at[ext_find(&h->ext, 51)].body[3] = 0x18; }
static void same_share_twice(hello *h) {
  uint8_t body[EXT_ROOM];
  size_t i = ext_find(&h->ext, 51), n = h->ext.at[i].n - 2;
  memcpy(body + 2, h->ext.at[i].body + 2, n);
  memcpy(body + 2 + n, h->ext.at[i].body + 2, n);
  body[0] = 0;
  body[1] = (uint8_t)(2 * n);
  ext_set_bytes(&h->ext, 51, body, 2 + 2 * n);
}

typedef struct {
  const char *what;
  int outcome;  // an alert, ACCEPTED or RETRIED
  ext_operation op;
  uint16_t id;
  const char *hex;
  void (*change)(hello *);
} row;

// ---------------------------------------------------------------- the first hello

#define X25519_SHARE(hex) "0024 001d 0020 " hex
#define P256_SHARE(hex) "0045 0017 0041 " hex

static const row first[] = {
    {"an honest hello", ACCEPTED, SET, 43, "02 0304", NULL},
    // the fields
    {"legacy_version 0.0", TN_ALERT_PROTOCOL_VERSION, 0, 0, NULL, version_0000},
    {"legacy_version 3.0", TN_ALERT_PROTOCOL_VERSION, 0, 0, NULL, version_0300},
    {"legacy_version 3.4", ACCEPTED, 0, 0, NULL, version_0304},
    {"legacy_version 255.255", ACCEPTED, 0, 0, NULL, version_ffff},
    {"no session id", ACCEPTED, 0, 0, NULL, no_session_id},
    {"session id of 1 byte", ACCEPTED, 0, 0, NULL, session_id_1},
    {"session id of 33 bytes", TN_ALERT_DECODE_ERROR, 0, 0, NULL, session_id_33},
    {"session id of 255 bytes", TN_ALERT_DECODE_ERROR, 0, 0, NULL, session_id_255},
    {"no suites", TN_ALERT_DECODE_ERROR, 0, 0, NULL, no_suites},
    {"an odd suite list", TN_ALERT_DECODE_ERROR, 0, 0, NULL, odd_suites},
    {"a suite list beyond the end", TN_ALERT_DECODE_ERROR, 0, 0, NULL, endless_suites},
    {"unknown suites only", TN_ALERT_HANDSHAKE_FAILURE, 0, 0, NULL, unknown_suites},
    {"GREASE among the suites", ACCEPTED, 0, 0, NULL, grease_suites},
    {"no compression methods", TN_ALERT_DECODE_ERROR, 0, 0, NULL, no_compression},
    {"no null compression", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, deflate_only},
    {"compression offered", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, deflate_too},
    {"null compression twice", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, null_twice},
    {"no extensions", TN_ALERT_PROTOCOL_VERSION, 0, 0, NULL, no_extensions},
    {"half of the extensions' length", TN_ALERT_DECODE_ERROR, 0, 0, NULL, half_a_length},
    {"an empty extension block", TN_ALERT_PROTOCOL_VERSION, 0, 0, NULL, block_empty},
    {"an older hello with compression", TN_ALERT_PROTOCOL_VERSION, 0, 0, NULL, old_hello},
    {"an extension block too long", TN_ALERT_DECODE_ERROR, 0, 0, NULL, block_too_long},
    {"an extension block too short", TN_ALERT_DECODE_ERROR, 0, 0, NULL, block_too_short},
    {"bytes after the end", TN_ALERT_DECODE_ERROR, 0, 0, NULL, junk_after_the_end},
    {"a hundred unknown extensions", ACCEPTED, 0, 0, NULL, many_extensions},
    {"more unknown extensions", ACCEPTED, 0, 0, NULL, more_extensions},
    {"a GREASE extension", ACCEPTED, SET, 0xfafa, "00", NULL},
    {"an empty GREASE extension", ACCEPTED, SET, 0x0a0a, "", NULL},
    {"an unknown extension twice", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, unknown_twice},
    // supported_versions
    {"no supported_versions", TN_ALERT_PROTOCOL_VERSION, DROP, 43, NULL, NULL},
    {"supported_versions without a list", TN_ALERT_DECODE_ERROR, SET, 43, "", NULL},
    {"an empty version list", TN_ALERT_DECODE_ERROR, SET, 43, "00", NULL},
    {"half a version", TN_ALERT_DECODE_ERROR, SET, 43, "01 03", NULL},
    {"an odd version list", TN_ALERT_DECODE_ERROR, SET, 43, "03 0304 03", NULL},
    {"a version list beyond the end", TN_ALERT_DECODE_ERROR, SET, 43, "04 0304", NULL},
    {"bytes after the version list", TN_ALERT_DECODE_ERROR, SET, 43, "02 0304 00", NULL},
    {"TLS 1.2 only", TN_ALERT_PROTOCOL_VERSION, SET, 43, "02 0303", NULL},
    {"TLS 1.2 to 1.0", TN_ALERT_PROTOCOL_VERSION, SET, 43, "06 0303 0302 0301", NULL},
    {"a draft", TN_ALERT_PROTOCOL_VERSION, SET, 43, "02 7f1c", NULL},
    {"GREASE among the versions", ACCEPTED, SET, 43, "06 3a3a 0304 0303", NULL},
    {"TLS 1.3 last", ACCEPTED, SET, 43, "06 0301 0303 0304", NULL},
    {"supported_versions twice", TN_ALERT_ILLEGAL_PARAMETER, ADD, 43, "02 0304", NULL},
    // supported_groups
    {"no supported_groups", TN_ALERT_MISSING_EXTENSION, DROP, 10, NULL, NULL},
    {"supported_groups without a list", TN_ALERT_DECODE_ERROR, SET, 10, "", NULL},
    {"an empty group list", TN_ALERT_DECODE_ERROR, SET, 10, "0000", NULL},
    {"half a group", TN_ALERT_DECODE_ERROR, SET, 10, "0001 00", NULL},
    {"an odd group list", TN_ALERT_DECODE_ERROR, SET, 10, "0003 001d 00", NULL},
    {"a group list beyond the end", TN_ALERT_DECODE_ERROR, SET, 10, "0004 001d", NULL},
    {"bytes after the group list", TN_ALERT_DECODE_ERROR, SET, 10, "0002 001d 00", NULL},
    {"GREASE among the groups", ACCEPTED, SET, 10, "0006 0a0a 0018 001d", NULL},
    {"a group twice", ACCEPTED, SET, 10, "0004 001d 001d", NULL},
    {"a share for a group that is not listed", TN_ALERT_ILLEGAL_PARAMETER, SET, 10, "0002 0017", NULL},
    {"supported_groups twice", TN_ALERT_ILLEGAL_PARAMETER, ADD, 10, "0002 001d", NULL},
    {"supported_groups after key_share", ACCEPTED, LAST, 10, NULL, NULL},
    // signature_algorithms
    {"no signature_algorithms", TN_ALERT_MISSING_EXTENSION, DROP, 13, NULL, NULL},
    {"signature_algorithms without a list", TN_ALERT_DECODE_ERROR, SET, 13, "", NULL},
    {"an empty scheme list", TN_ALERT_DECODE_ERROR, SET, 13, "0000", NULL},
    {"half a scheme", TN_ALERT_DECODE_ERROR, SET, 13, "0001 04", NULL},
    {"an odd scheme list", TN_ALERT_DECODE_ERROR, SET, 13, "0003 0403 04", NULL},
    {"a scheme list beyond the end", TN_ALERT_DECODE_ERROR, SET, 13, "0004 0403", NULL},
    {"bytes after the scheme list", TN_ALERT_DECODE_ERROR, SET, 13, "0002 0403 04", NULL},
    {"RSA only", TN_ALERT_HANDSHAKE_FAILURE, SET, 13, "0004 0804 0401", NULL},
    {"scheme 0", TN_ALERT_HANDSHAKE_FAILURE, SET, 13, "0002 0000", NULL},
    {"GREASE among the schemes", ACCEPTED, SET, 13, "0006 1a1a 0804 0403", NULL},
    {"signature_algorithms twice", TN_ALERT_ILLEGAL_PARAMETER, ADD, 13, "0002 0403", NULL},
    // key_share
    {"no key_share", TN_ALERT_MISSING_EXTENSION, DROP, 51, NULL, NULL},
    {"key_share without a list", TN_ALERT_DECODE_ERROR, SET, 51, "", NULL},
    {"no shares", RETRIED, SET, 51, "0000", NULL},
    {"half a share", TN_ALERT_DECODE_ERROR, SET, 51, "0003 001d 00", NULL},
    {"an empty share", TN_ALERT_DECODE_ERROR, SET, 51, "0004 001d 0000", NULL},
    {"a share beyond its list", TN_ALERT_DECODE_ERROR, SET, 51, "0005 001d 0002 aa", NULL},
    {"a share list beyond the end", TN_ALERT_DECODE_ERROR, SET, 51, "0006 001d 0001 aa", NULL},
    {"bytes after the share list", TN_ALERT_DECODE_ERROR, SET, 51, "0000 00", NULL},
    {"a share for an unknown group only", RETRIED, SET, 51, "0006 001e 0002 aabb", NULL},
    {"GREASE among the shares", ACCEPTED, 0, 0, NULL, grease_shares},
    {"a share twice", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, same_share_twice},
    {"key_share twice", TN_ALERT_ILLEGAL_PARAMETER, ADD, 51, "0000", NULL},
    {"an x25519 share of 31 bytes", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     "0023 001d 001f 00000000000000000000000000000000000000000000000000000000000009", NULL},
    {"an x25519 share of 33 bytes", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     "0025 001d 0021 090000000000000000000000000000000000000000000000000000000000000000", NULL},
    {"x25519: 0", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     X25519_SHARE("0000000000000000000000000000000000000000000000000000000000000000"), NULL},
    {"x25519: 1", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     X25519_SHARE("0100000000000000000000000000000000000000000000000000000000000000"), NULL},
    {"x25519: of order 8", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     X25519_SHARE("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"), NULL},
    {"x25519: of order 8, the other", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     X25519_SHARE("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"), NULL},
    {"x25519: p - 1", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     X25519_SHARE("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), NULL},
    {"x25519: p", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     X25519_SHARE("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), NULL},
    {"x25519: p + 1", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     X25519_SHARE("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), NULL},
    {"x25519: 0 with its top bit", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     X25519_SHARE("0000000000000000000000000000000000000000000000000000000000000080"), NULL},
    {"secp256r1: infinity", TN_ALERT_ILLEGAL_PARAMETER, SET, 51, "0005 0017 0001 00", NULL},
    {"secp256r1: compressed", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     "0025 0017 0021 036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296", NULL},
    {"secp256r1: hybrid", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     P256_SHARE("076b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
                "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
     NULL},
    {"secp256r1: zeros", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     P256_SHARE("040000000000000000000000000000000000000000000000000000000000000000"
                "0000000000000000000000000000000000000000000000000000000000000000"),
     NULL},
    {"secp256r1: off the curve", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     P256_SHARE("046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
                "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f4"),
     NULL},
    {"secp256r1: x = p", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     P256_SHARE("04ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
                "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4"),
     NULL},
    // server_name
    {"no server_name", ACCEPTED, DROP, 0, NULL, NULL},
    {"another name", ACCEPTED, SET, 0, "000e 00 000b 6f746865722e6e616d6573", NULL},
    {"an empty server_name", TN_ALERT_DECODE_ERROR, SET, 0, "", NULL},
    {"an empty name list", TN_ALERT_DECODE_ERROR, SET, 0, "0000", NULL},
    {"an empty name", TN_ALERT_DECODE_ERROR, SET, 0, "0003 00 0000", NULL},
    {"a name beyond its list", TN_ALERT_DECODE_ERROR, SET, 0, "0004 00 0002 61", NULL},
    {"a name list beyond the end", TN_ALERT_DECODE_ERROR, SET, 0, "0005 00 0001 61", NULL},
    {"bytes after the name list", TN_ALERT_DECODE_ERROR, SET, 0, "0004 00 0001 61 00", NULL},
    {"two names", TN_ALERT_DECODE_ERROR, SET, 0, "0008 00 0001 61 00 0001 62", NULL},
    {"a name of another type", TN_ALERT_DECODE_ERROR, SET, 0, "0004 01 0001 61", NULL},
    {"a name with a zero in it", TN_ALERT_ILLEGAL_PARAMETER, SET, 0, "0006 00 0003 610062", NULL},
    {"a name with a line's end in it", TN_ALERT_ILLEGAL_PARAMETER, SET, 0, "0006 00 0003 610a62", NULL},
    {"a name that is not ASCII", TN_ALERT_ILLEGAL_PARAMETER, SET, 0, "0005 00 0002 c3a4", NULL},
    {"a name of 255 bytes", ACCEPTED, 0, 0, NULL, longest_name},
    {"a name of 256 bytes", TN_ALERT_DECODE_ERROR, 0, 0, NULL, long_name},
    {"server_name twice", TN_ALERT_ILLEGAL_PARAMETER, ADD, 0, "0004 00 0001 61", NULL},
    // the others
    {"ALPN that nobody asked for", ACCEPTED, SET, 16, "0003 02 6832", NULL},
    {"ALPN without a list", TN_ALERT_DECODE_ERROR, SET, 16, "", NULL},
    {"an empty protocol list", TN_ALERT_DECODE_ERROR, SET, 16, "0000", NULL},
    {"an empty protocol", TN_ALERT_DECODE_ERROR, SET, 16, "0004 02 6832 00", NULL},
    {"a protocol beyond its list", TN_ALERT_DECODE_ERROR, SET, 16, "0002 02 68", NULL},
    {"bytes after the protocol list", TN_ALERT_DECODE_ERROR, SET, 16, "0003 02 6832 00", NULL},
    {"a cookie from nowhere", ACCEPTED, SET, 44, "0001 aa", NULL},
    {"an empty cookie", TN_ALERT_DECODE_ERROR, SET, 44, "0000", NULL},
    {"early_data with contents", TN_ALERT_DECODE_ERROR, SET, 42, "00", NULL},
    {"a PSK that is not ours", ACCEPTED, SET, 41,
     "0007 0001 61 00000000 0021 20 0000000000000000000000000000000000000000000000000000000000000000", NULL},
};

static void complete(script *s) {
  script_take_server_flight(s);
  assert_ok(script_finished(s));
  script_write_application(s);
  assert_ok(script_record(s, TN_CONTENT_APPLICATION_DATA, "x", 1));
  assert_int_equal(s->data.len, 1);
  assert_int_equal(script_alert(s), -1);
}

// The second hello: the first with a new share.
static void renew_share(script *s, hello *h) {
  hello fresh;
  hello_client(s, &fresh);
  size_t i = ext_find(&fresh.ext, 51);
  ext_set_bytes(&h->ext, 51, fresh.ext.at[i].body, fresh.ext.at[i].n);
}

static void expect(script *s, hello *h, const row *r) {
  if (r->outcome >= 0) {
    script_expect(s, r->what, (tn_alert)r->outcome);
    return;
  }
  if (!tn_ok(s->result)) fail_msg("%s: %s", r->what, tn_reason_name(s->result.reason));
  if (r->outcome == RETRIED) {
    script_take_retry(s, tn_group_x25519.id);
    renew_share(s, h);
    assert_ok(script_hello(s, h));
  }
  complete(s);
}

static void change(hello *h, const row *r) {
  if (r->change != NULL)
    r->change(h);
  else
    ext_apply(&h->ext, r->op, r->id, r->hex);
}

static void first_hellos(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(first); i++) {
    script s;
    hello h;
    script_open(&s, &fixture, TN_CLIENT);
    hello_client(&s, &h);
    change(&h, &first[i]);
    script_hello(&s, &h);
    expect(&s, &h, &first[i]);
    script_close(&s);
  }
}

// Neither groups nor shares in common.
static void no_common_group(void **state) {
  (void)state;
  script s;
  hello h;
  script_open(&s, &fixture, TN_CLIENT);
  hello_client(&s, &h);
  ext_set(&h.ext, 10, "0004 001e 001f");
  ext_set(&h.ext, 51, "0006 001e 0002 aabb");
  script_hello(&s, &h);
  script_expect(&s, "no common group", TN_ALERT_HANDSHAKE_FAILURE);
  script_close(&s);
}

// RFC 9846 section 4.3.11: the binders cover what precedes them.
static void a_psk_stands_last(void **state) {
  (void)state;
  script s;
  hello h;
  script_open(&s, &fixture, TN_CLIENT);
  hello_client(&s, &h);
  ext_set(&h.ext, 41, "0007 0001 61 00000000 0021 20 0000000000000000000000000000000000000000000000000000000000000000");
  ext_set(&h.ext, 0xfafa, "");
  script_hello(&s, &h);
  script_expect(&s, "pre_shared_key before another extension", TN_ALERT_ILLEGAL_PARAMETER);
  script_close(&s);
}

static void all_groups_work(void **state) {
  (void)state;
  for (size_t i = 0; tn_groups[i] != NULL; i++) {
    script s;
    hello h;
    script_open(&s, &fixture, TN_CLIENT);
    s.group = tn_groups[i];
    hello_client(&s, &h);
    ext_set(&h.ext, 10, "0018 11ec 001d 0017 0018 0019 11eb 11ed 0100 0101 0102 0103 0104");
    // A default server does not work for as long as these would have it.
    if (tn_groups[i]->costly) {
      ext_set(&h.ext, 10, "0004 0103 0104");
      assert_fails(script_hello(&s, &h), NO_COMMON_GROUP);
    } else {
      assert_ok(script_hello(&s, &h));
      complete(&s);
    }
    script_close(&s);
  }
}

// ---------------------------------------------------------------- the second hello

static const row second[] = {
    {"an honest second hello", ACCEPTED, SET, 43, "02 0304", NULL},
    {"another version", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, version_0304},
    {"another random", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, random_other},
    {"another session id", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, session_id_other},
    {"no session id any more", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, no_session_id},
    {"fewer suites", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, fewer_suites},
    {"more suites", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, more_suites},
    {"other suites", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, other_suites},
    {"other compression", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, deflate_too},
    {"another server name", TN_ALERT_ILLEGAL_PARAMETER, SET, 0, "0004 00 0001 61", NULL},
    {"no server name any more", TN_ALERT_ILLEGAL_PARAMETER, DROP, 0, NULL, NULL},
    {"other groups", TN_ALERT_ILLEGAL_PARAMETER, SET, 10, "0002 001d", NULL},
    {"no groups any more", TN_ALERT_ILLEGAL_PARAMETER, DROP, 10, NULL, NULL},
    {"other schemes", TN_ALERT_ILLEGAL_PARAMETER, SET, 13, "0004 0403 0804", NULL},
    {"no schemes any more", TN_ALERT_ILLEGAL_PARAMETER, DROP, 13, NULL, NULL},
    {"other versions", TN_ALERT_ILLEGAL_PARAMETER, SET, 43, "04 0304 0303", NULL},
    {"TLS 1.2 all of a sudden", TN_ALERT_ILLEGAL_PARAMETER, SET, 43, "02 0303", NULL},
    {"other GREASE", TN_ALERT_ILLEGAL_PARAMETER, SET, 0x1a1a, "01", NULL},
    {"no GREASE any more", TN_ALERT_ILLEGAL_PARAMETER, DROP, 0x1a1a, NULL, NULL},
    {"a new extension", TN_ALERT_ILLEGAL_PARAMETER, SET, 0x2a2a, "", NULL},
    {"extensions in another order", TN_ALERT_ILLEGAL_PARAMETER, LAST, 13, NULL, NULL},
    {"early data", TN_ALERT_ILLEGAL_PARAMETER, SET, 42, "", NULL},
    {"more padding", ACCEPTED, SET, 21, "00000000", NULL},
    {"no padding any more", ACCEPTED, DROP, 21, NULL, NULL},
    {"other Encrypted Client Hello", ACCEPTED, SET, 0xfe0d, "0101", NULL},
    {"a cookie", ACCEPTED, SET, 44, "0001 aa", NULL},
    {"no share", TN_ALERT_ILLEGAL_PARAMETER, SET, 51, "0000", NULL},
    {"no key_share", TN_ALERT_MISSING_EXTENSION, DROP, 51, NULL, NULL},
    {"a share for another group", TN_ALERT_ILLEGAL_PARAMETER, SET, 51, "0006 001e 0002 aabb", NULL},
    {"a share for another group of ours", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     P256_SHARE("046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
                "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
     NULL},
    {"the right share under another group's number", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, share_misnamed},
    {"two shares", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, same_share_twice},
    {"a second share for an unknown group", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, grease_shares},
    {"a share of zeros", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     X25519_SHARE("0000000000000000000000000000000000000000000000000000000000000000"), NULL},
    {"bytes after the end", TN_ALERT_DECODE_ERROR, 0, 0, NULL, junk_after_the_end},
};

static void second_hellos(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(second); i++) {
    script s;
    hello h;
    script_open(&s, &fixture, TN_CLIENT);
    hello_client(&s, &h);
    ext_set(&h.ext, 0x1a1a, "00");
    ext_set(&h.ext, 21, "0000");
    ext_set(&h.ext, 0xfe0d, "0001");
    ext_set(&h.ext, 51, "0000");
    assert_ok(script_hello(&s, &h));
    script_take_retry(&s, tn_group_x25519.id);
    renew_share(&s, &h);
    change(&h, &second[i]);
    script_hello(&s, &h);
    expect(&s, &h, &second[i]);
    script_close(&s);
  }
}

// ---------------------------------------------------------------- before any hello

static void what_is_no_tls_at_all(void **state) {
  (void)state;
  static const struct {
    const char *hex;
    tn_reason reason;
    tn_alert alert;
  } cases[] = {
      {"47455420 2f204854 5450", TN_E_PLAIN_HTTP, TN_ALERT_UNEXPECTED_MESSAGE},
      {"50524920 2a204854 5450", TN_E_PLAIN_HTTP, TN_ALERT_UNEXPECTED_MESSAGE},
      {"5353482d 322e302d", TN_E_NOT_TLS, TN_ALERT_UNEXPECTED_MESSAGE},
      {"00000000 00", TN_E_NOT_TLS, TN_ALERT_UNEXPECTED_MESSAGE},
      {"16020000 00", TN_E_NOT_TLS, TN_ALERT_PROTOCOL_VERSION},
      {"802e0100 0200150000001000", TN_E_NO_COMMON_VERSION, TN_ALERT_PROTOCOL_VERSION},
      {"16030140 01", TN_E_RECORD_OVERFLOW, TN_ALERT_RECORD_OVERFLOW},
      {"16030100 00", TN_E_EMPTY_RECORD, TN_ALERT_UNEXPECTED_MESSAGE},
      {"16030100 04 01ffffff", TN_E_TOO_LONG, TN_ALERT_DECODE_ERROR},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    script s;
    bytes in = bytes_from_hex(cases[i].hex);
    script_open(&s, &fixture, TN_CLIENT);
    script_wire(&s, bytes_span(in));
    assert_int_equal(s.result.reason, cases[i].reason);
    script_expect(&s, cases[i].hex, cases[i].alert);
    script_close(&s);
    bytes_free(&in);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_hellos),    cmocka_unit_test(no_common_group), cmocka_unit_test(a_psk_stands_last),
      cmocka_unit_test(all_groups_work), cmocka_unit_test(second_hellos),   cmocka_unit_test(what_is_no_tls_at_all),
  };
  return cmocka_run_group_tests(tests, fixture_make, fixture_free);
}
