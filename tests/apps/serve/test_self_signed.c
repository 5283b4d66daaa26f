// The certificate made on the spot, whatever the machine is called.
#include <errno.h>

#include "serve/identities.h"
#include "support/support.h"

static const char *host_name;  // NULL: the system has none

int __wrap_gethostname(char *out, size_t room);
int __wrap_gethostname(char *out, size_t room) {
  if (host_name == NULL) {
    errno = ENAMETOOLONG;
    return -1;
  }
  snprintf(out, room, "%s", host_name);
  return 0;
}

static void the_hosts_name_never_stands_in_the_way(void **state) {
  (void)state;
  static char long_label[80], long_name[300];
  memset(long_label, 'a', 64);
  memset(long_name, 'a', 280);
  const struct {
    const char *name;
    bool is_in_it;
  } rows[] = {
      {"box", true},           {"box.example.org", true},
      {"my_box", true},        {"4f2c9d1e77ab", true},
      {NULL, false},           {"", false},
      {"123456789012", false}, {"box.1", false},
      {"a..b", false},         {".a", false},
      {"a.", false},           {"-a", false},
      {"a-", false},           {"(none)", false},
      {"a b", false},          {"\xc3\xa4", false},
      {long_label, false},     {long_name, false},
      {"192.0.2.1", false},    {"*.a.b", false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_identity *identity = NULL;
    host_name = rows[i].name;
    const tn_option_list everywhere = {0};
    if (!tn_ok(tn_serve_self_signed(&everywhere, 1800000000, &identity)))
      fail_msg("no certificate for the host `%s`", host_name != NULL ? host_name : "(null)");
    const tn_cert *cert = tn_identity_leaf(identity);
    assert_true(tn_cert_matches(cert, tn_span_of("localhost", 9)));
    if (host_name != NULL)
      assert_int_equal(tn_cert_matches(cert, tn_span_of(host_name, strlen(host_name))), rows[i].is_in_it);
    tn_identity_unref(identity);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_hosts_name_never_stands_in_the_way)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
