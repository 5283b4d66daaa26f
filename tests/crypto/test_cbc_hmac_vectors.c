// CBC records that others made.
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "crypto/cbc_hmac/cbc_hmac.h"
#include "support/support.h"

// ---------------------------------------------------------------- OpenSSL 3.0, between its client and its server

#define RECORDS 6
typedef struct record {
  uint8_t type;
  const char *fragment;
  const char *text;  // NULL: a Finished, of which only the beginning is known
} record;

// What a client sent after its ChangeCipherSpec, with the keys that follow from its key log.
static const struct {
  const tn_cbc_hmac *pair;
  uint16_t version;
  bool encrypt_then_mac;
  const char *mac_raw, *cipher_raw, *iv;
  record records[RECORDS];
} connections[] = {
    {&tn_aes_128_cbc_hmac_sha1,
     0x301,
     false,
     "3d1f8cfeedf10975695c0ea7818a695c79bd4301",
     "a0ecc7af63d5a1e0f285df93c9f9cd30",
     "3c2e0e2422895f2d7b470b366256ec14",
     {
         {22, "0f8bb2d3f6ea5a8c7951ee1fe5b5fae2d567b5a245dce403648d7b797b6514da4bb2c04cef0bb97646ae90d340eb33f3", NULL},
         {23, "e4515ab65487705807521ce5c367b60647134509619fe27187658c26863e3267", ""},
         {23, "db6ee25af687373e00b105021693d04c9befc31c9df6f93cf84af013adde0e9e2aeb7420798678fda55a608955f78583",
          "One record, and"},
         {23, "8dd2aad105dc445fc4231c2b637db7cfa187c459a2ceb4ffcb4bd37c609c671c", ""},
         {23,
          "2811ee612b2261a09dc44de1209620c076265747ebc8436d7dbc596759ad377c46f6c43283d7c6754a9cd22dc485e9e1"
          "8dc6d204632f8eaef80da41588e8f7ce5c973115aa905eea23aaeaf0458d751a53026eddbd5cb915957a446042f2b0fa",
          "another record.another record.another record.another record."},
     }},
    {&tn_aes_256_cbc_hmac_sha1,
     0x301,
     true,
     "9be62fe08070ad3d36340b653b14e136ed9e1169",
     "6f9ea2571c3974675ea6e0b5e9e1af78636d03cde8b3529bae03ad3882357b0b",
     "4d0b25fcdaebefe7afd80f0a2fe07bb0",
     {
         {22,
          "1eed7146c883eb73b2f3e81ca8322c9ca129e0d215b9c21810ebe8a814ac3d445fffbc9ba8d0ab892ee5d2313791ce51"
          "88983de5",
          NULL},
         {23, "dda8936fdba68975cfd71c906444df8efadf332229c46457357ebc4c366bae0824201450", ""},
         {23, "3e153a870a764b295bc01804ea0f0ea3bdea2b2911d29c9536471d191c6111f681504401", "One record, and"},
         {23, "5a4e0ba2ff91abb4fddd0e34f8376b66dc594d7470d3ff8f6b46ab944fc51f0d38644be9", ""},
         {23,
          "1f20e67024c478c29d6cb6be4d65c041f5bc7977ec40d090b5b086c2e2c9788cbf077b90ce29b08830eca58b23bfd20b"
          "e485128b3ff393a1e924efe0fcdc93f89e704710299b8ff6c5e12ab111b115a45d63dade",
          "another record.another record.another record.another record."},
     }},
    {&tn_aes_128_cbc_hmac_sha1,
     0x302,
     true,
     "9c3c4c4819c1aecd68c834a2519e210548b4ad6a",
     "5df93bf46030e8a86a4d3e2a8254c2b8",
     "f78b86e20bca10de40636cec54719cce",
     {
         {22,
          "86a0316dc6f0f627c0a19cce6777221d09fe2019b1c1fbc65787e48d61568df8fa9ac819bdebe03516811d59f0714fc3"
          "db24cdb754f75995a6bc8ffad7d06d53cafd4372",
          NULL},
         {23,
          "940d364c3aeddc26de1e456e8a2beb13e5d2031541249d9734e6836813b2428c40d15de889e155f6f86338547598c6d2"
          "f91952f8",
          "One record, and"},
         {23,
          "820ba5a710caf1507b6a2016751cd9696759584133e0d8bcc5a1051082d22c6f74490deb63dbec2d5c50301d55f32566"
          "e3f5d0fae105a767c0434c50561e21c8d464a2270140242fe31cba546cfd1cf793bcdc7fab8367138d3d8cfcf8001338"
          "3e63e4ef",
          "another record.another record.another record.another record."},
     }},
    {&tn_aes_128_cbc_hmac_sha256,
     0x303,
     true,
     "fbed57c915d734fa6505b42377aafd4575b0b15d19c14fc2b0c3fe7603960ef6",
     "182bb41d7d83f5fd5afb12c359379a8d",
     "bef9294c547d7cdba8991d21553797df",
     {
         {22,
          "a8961ea06824c5c4d2bcee5817a587f4026f5944a4c13adde6413e62ba2091af2451431365bd9b0af82ba1f910dc3530"
          "6860a5a7e9c9b7c11b87487dbc8141933bf0546f9fb2b044071537ed6c97278e",
          NULL},
         {23,
          "f8bf967919296cce2bf79a5ac61be348642ff5b52946fa11e1574f601532b159c512fb0297dc3fbced16597c13174260"
          "f561cc3592d62ed2642dd9bdcea11238",
          "One record, and"},
         {23,
          "17bf22aff501c07b59e1e9f49be718818d1be214ec8469844007f75ecbaff32a8ae3d12c8d6ffc9f5b39ec8be5dcdc97"
          "66b5c720f853a547d89564721c69fdf441ee5c48bf2dfcbbfafa9d425389ff6079b0600ab752102de47cfdadb3e18aeb"
          "8cebd7be4dafa30e3f288ac5ed794842",
          "another record.another record.another record.another record."},
     }},
    {&tn_aes_256_cbc_hmac_sha384,
     0x303,
     true,
     "ef51254709f4be2ab204d3f2b3b1a5b2d9727af19fe4a9259a82c0df452ee65c155465bff8fc1da90081b37021f47f1a",
     "8fa24c0b3239ceeea1b6dd5324a7a3370c34d73ac8e127570fb331ea55a4b04d",
     "a082203c05ef55bbc72da485d090a7e1",
     {
         {22,
          "fddfff0a48eb221304e8d42b65cfb82adc5fc652a231cd71ec5049cfe219727bf6bdabab137c9567410daf78f3a30eb0"
          "0645b32a71376ad73061e95f08edae752c39571b418ce54e9adb0e8c4557ce456acca0105484433e9967c4d31ff09cc8",
          NULL},
         {23,
          "1a7f5fedc25ea8d4a05428dddf4a126532fa84b441d16c38e9f301e1e90d9ee5a95a3ebb25a41341a6e22d7eb3b59c32"
          "1c60f0b6c1062f4435d8dcc7474850b1cb2a546c9764c989f6021d96a90203d7",
          "One record, and"},
         {23,
          "9d25d76f0902efb2d098d766c65a724cd23c5191f8c9893b22cf905635799950684f66fd5e469a66edb15e8104a8eb73"
          "d3a8a618c65c251a85bc155f48fed099e435deeec293ad1fcd25757bed4a508ded9bc1a528d6ffbcacf027fbd23e1397"
          "b3edf9f3ece763be8f296b71190ab85f909067d7185159ba6f126ec30819e594",
          "another record.another record.another record.another record."},
     }},
    {&tn_aes_256_cbc_hmac_sha384,
     0x303,
     false,
     "4ab827afb7c5209b0a0809f99cd7a77d8b15585d6539179488e337b6285a477b874bd94f81f4b5ab46fc446d2e938ee1",
     "0a98e8ca953b20086a4105416b57ba5e3173e4953c944eb9e86a1897892894d5",
     "3dcc76b7a81c54c03c00404edede9ec1",
     {
         {22,
          "68f24ff8aa6fde260ee16c3b0c9b138987c2af4991713769349370adfadebc7bf28a96cbd024bc484d5478876294980c"
          "c46acf874f3a437ae50e7d1b0f8743e76ddc906a68d80309f1af7502b802b87eb93a5b564eb61ad9b692139b150ac57a",
          NULL},
         {23,
          "ae76f53e32f990dbf0859991b6ff77239fdbf7ef794d17596590fc8c665ab1c4815802c8b554efcd26a55567af8dd15e"
          "8b1652223e43f068cc644aed20748c4a7a89516aa9ef088aabbe990d156e8857",
          "One record, and"},
         {23,
          "b448fa767185d45ff75719c86b7493691e38f09674a1fcecbb355a509e6df90106e3e0a25cf0db2722f08365111f0125"
          "7a47a963cb45cfc34f8eebe9ed0e6ef880b57317c09923818063ffea28c1afc0bb4a1bb4dda204a2f1a515cfa9728ee3"
          "6f8f561f0827ac82330dd984e950a69d500461723f45adb9636b1eb9a19fbd71",
          "another record.another record.another record.another record."},
     }},
};

static void openssls_records_open(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(connections); i++) {
    bytes mac_raw = bytes_from_hex(connections[i].mac_raw), cipher_raw = bytes_from_hex(connections[i].cipher_raw);
    bytes iv = bytes_from_hex(connections[i].iv);
    assert_int_equal(mac_raw.n, connections[i].pair->hash->digest_len);
    assert_int_equal(cipher_raw.n, connections[i].pair->cipher->key_len);
    tn_cbc_hmac_key key;
    tn_cbc_hmac_set_key(&key, connections[i].pair, connections[i].encrypt_then_mac, mac_raw.p, cipher_raw.p,
                        connections[i].version == 0x301 ? iv.p : NULL);
    const record *r = connections[i].records;
    for (uint64_t sequence = 0; sequence < RECORDS && r->fragment != NULL; sequence++, r++) {
      const tn_cbc_hmac_record what = {sequence, r->type, connections[i].version};
      bytes fragment = bytes_from_hex(r->fragment);
      uint8_t out[256];
      size_t n;
      assert_ok(tn_cbc_hmac_open(&key, &what, bytes_span(fragment), (tn_mspan){out, sizeof out}, &n));
      if (r->text == NULL) {
        assert_int_equal(n, 16);
        assert_memory_equal(out, "\x14\x00\x00\x0c", 4);
      } else {
        assert_int_equal(n, strlen(r->text));
        assert_memory_equal(out, r->text, n);
      }
      bytes_free(&fragment);
    }
    bytes_free(&mac_raw), bytes_free(&cipher_raw), bytes_free(&iv);
  }
}

// ---------------------------------------------------------------- the Illustrated TLS 1.2 Connection

// RFC 5246 section 5, for one secret and as many bytes as asked for.
static void prf_sha256(const uint8_t *secret, size_t secret_len, const uint8_t *seed, size_t seed_len, uint8_t *out,
                       size_t n) {
  uint8_t a[32 + 256], made[32];
  unsigned a_len = 0;
  assert_true(seed_len <= 256);
  HMAC(EVP_sha256(), secret, (int)secret_len, seed, seed_len, a, &a_len);
  for (size_t at = 0; at < n; at += sizeof made) {
    memcpy(a + 32, seed, seed_len);
    HMAC(EVP_sha256(), secret, (int)secret_len, a, 32 + seed_len, made, NULL);
    memcpy(out + at, made, n - at < sizeof made ? n - at : sizeof made);
    HMAC(EVP_sha256(), secret, (int)secret_len, a, 32, made, NULL);
    memcpy(a, made, 32);
  }
}

static tn_result fixed_iv(void *ctx, uint8_t *out, size_t n) {
  memcpy(out, ctx, n);
  return tn_success();
}

// TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA. Each record is opened, and sealed again as it was.
static void the_illustrated_connection(void **state) {
  (void)state;
  static const struct {
    const char *name, *plain;
    bool from_client;
    uint64_t sequence;
  } records[] = {{"clientfinished", "clientfinishedplain", true, 0},
                 {"serverfinished", "serverfinishedplain", false, 0},
                 {"clientdata", "clientdataplain", true, 1},
                 {"serverdata", "serverdataplain", false, 1},
                 {"clientalert", "clientalertplain", true, 2}};
  json_t *trace = vectors_load("traces/illustrated-tls12.json");
  const json_t *messages = json_object_get(trace, "messages");
  const char *log = json_string_value(json_array_get(json_object_get(trace, "keylog"), 0));
  assert_non_null(log);  // CLIENT_RANDOM, the client's random, the master secret
  char master_hex[97] = {0};
  memcpy(master_hex, strrchr(log, ' ') + 1, 96);
  bytes master = bytes_from_hex(master_hex);
  bytes client = json_hex(messages, "clienthello"), server = json_hex(messages, "serverhello");
  uint8_t seed[13 + 64], block[2 * 20 + 2 * 16];
  memcpy(seed, "key expansion", 13);
  memcpy(seed + 13, server.p + 11, 32);
  memcpy(seed + 45, client.p + 11, 32);
  prf_sha256(master.p, master.n, seed, sizeof seed, block, sizeof block);
  tn_cbc_hmac_key key[2];
  for (size_t side = 0; side < 2; side++)
    tn_cbc_hmac_set_key(&key[side], &tn_aes_128_cbc_hmac_sha1, false, block + 20 * side, block + 40 + 16 * side, NULL);

  for (size_t i = 0; i < COUNT(records); i++) {
    bytes sealed = json_hex(messages, records[i].name), plain = json_hex(messages, records[i].plain);
    tn_cbc_hmac_key *k = &key[records[i].from_client ? 0 : 1];
    const tn_cbc_hmac_record what = {records[i].sequence, sealed.p[0], 0x303};
    uint8_t out[256], again[256];
    size_t n;
    assert_ok(tn_cbc_hmac_open(k, &what, (tn_span){sealed.p + 5, sealed.n - 5}, (tn_mspan){out, sizeof out}, &n));
    assert_true(n <= plain.n);  // which goes on with the MAC
    assert_memory_equal(out, plain.p, n);
    const tn_span text = {out, n};
    const tn_rng rng = {fixed_iv, sealed.p + 5};
    assert_ok(tn_cbc_hmac_seal(k, &what, &text, 1, &rng, (tn_mspan){again, sizeof again}));
    assert_int_equal(tn_cbc_hmac_sealed_len(k, n), sealed.n - 5);
    assert_memory_equal(again, sealed.p + 5, sealed.n - 5);
    bytes_free(&sealed), bytes_free(&plain);
  }
  bytes_free(&master), bytes_free(&client), bytes_free(&server);
  json_decref(trace);
}

// ---------------------------------------------------------------- BoringSSL's

typedef struct stanza {
  bytes key, nonce, in, ad, ct, tag;
  bool no_seal, fails;
} stanza;

// The value of "NAME: VALUE", or NULL.
static char *value_of(char *line, const char *name) {
  const size_t n = strlen(name);
  return strncmp(line, name, n) == 0 && line[n] == ':' ? line + n + 1 + (line[n + 1] == ' ') : NULL;
}

static void clear(stanza *s) {
  bytes_free(&s->key), bytes_free(&s->nonce), bytes_free(&s->in);
  bytes_free(&s->ad), bytes_free(&s->ct), bytes_free(&s->tag);
  *s = (stanza){0};
}

// The key is the MAC's, then the cipher's; the nonce is the IV; AD is the sequence number, type and version.
static void check(const tn_cbc_hmac *pair, const stanza *s) {
  const size_t block_len = pair->cipher->block_len, n = block_len + s->ct.n + s->tag.n;
  uint8_t *fragment = malloc(n), *out = malloc(n);
  assert_int_equal(s->key.n, pair->hash->digest_len + pair->cipher->key_len);
  assert_int_equal(s->nonce.n, block_len);
  assert_int_equal(s->ad.n, 11);
  memcpy(fragment, s->nonce.p, block_len);
  memcpy(fragment + block_len, s->ct.p, s->ct.n);
  memcpy(fragment + block_len + s->ct.n, s->tag.p, s->tag.n);
  tn_cbc_hmac_record what = {0, s->ad.p[8], (uint16_t)(s->ad.p[9] << 8 | s->ad.p[10])};
  for (size_t i = 0; i < 8; i++) what.sequence = what.sequence << 8 | s->ad.p[i];
  tn_cbc_hmac_key key;
  size_t text_len;
  tn_cbc_hmac_set_key(&key, pair, false, s->key.p, s->key.p + pair->hash->digest_len, NULL);
  const tn_result r = tn_cbc_hmac_open(&key, &what, (tn_span){fragment, n}, (tn_mspan){out, n}, &text_len);
  if (s->fails) {
    assert_int_equal(r.reason, TN_E_BAD_RECORD_MAC);
  } else {
    assert_ok(r);
    assert_int_equal(text_len, s->in.n);
    assert_memory_equal(out, s->in.p, text_len);
  }
  if (!s->no_seal) {
    const tn_span text = bytes_span(s->in);
    const tn_rng rng = {fixed_iv, s->nonce.p};
    assert_ok(tn_cbc_hmac_seal(&key, &what, &text, 1, &rng, (tn_mspan){out, n}));
    assert_int_equal(tn_cbc_hmac_sealed_len(&key, text.n), n);
    assert_memory_equal(out, fragment, n);
  }
  free(fragment), free(out);
}

static void boringssls_records(void **state) {
  (void)state;
  static const struct {
    const char *path;
    const tn_cbc_hmac *pair;
  } files[] = {{"evp/boringssl/aes_128_cbc_sha1_tls_tests.txt", &tn_aes_128_cbc_hmac_sha1},
               {"evp/boringssl/des_ede3_cbc_sha1_tls_tests.txt", &tn_3des_cbc_hmac_sha1}};
  for (size_t i = 0; i < COUNT(files); i++) {
    char full[4096], line[65536];
    vectors_path(files[i].path, full, sizeof full);
    FILE *f = fopen(full, "r");
    assert_non_null(f);
    stanza s = {0};
    size_t checked = 0;
    for (bool more = true; more;) {
      more = fgets(line, sizeof line, f) != NULL;
      if (more) line[strcspn(line, "\n")] = 0;
      if (!more || line[0] == 0) {  // the end of a stanza
        if (s.key.p != NULL) check(files[i].pair, &s), checked++;
        clear(&s);
        continue;
      }
      const struct {
        const char *name;
        bytes *to;
      } fields[] = {{"KEY", &s.key}, {"NONCE", &s.nonce}, {"IN", &s.in}, {"AD", &s.ad}, {"CT", &s.ct}, {"TAG", &s.tag}};
      for (size_t k = 0; k < COUNT(fields); k++) {
        const char *hex = value_of(line, fields[k].name);
        if (hex != NULL) *fields[k].to = bytes_from_hex(hex);
      }
      s.no_seal |= value_of(line, "NO_SEAL") != NULL;
      s.fails |= value_of(line, "FAILS") != NULL;
    }
    fclose(f);
    assert_true(checked > 400);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(openssls_records_open),
      cmocka_unit_test(the_illustrated_connection),
      cmocka_unit_test(boringssls_records),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
