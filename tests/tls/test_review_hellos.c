// Hellos that are legal in all but one thing, or unusual in all but the law.
#include "base/bytes.h"
#include "tls/support/script.h"

static pair fixture;

static int make(void **state) {
  (void)state;
  pair_make(&fixture, NULL);
  return 0;
}

static int unmake(void **state) {
  (void)state;
  pair_free(&fixture);
  return 0;
}

// RFC 9846 appendix E.5: whoever says SSL 3.0 is refused as that, whatever supported_versions says.
static void ssl_3_is_refused(void **state) {
  (void)state;
  script s;
  hello h;
  script_open(&s, &fixture, TN_CLIENT);
  hello_client(&s, &h);
  h.version = 0x0300;
  script_hello(&s, &h);
  script_expect(&s, "a client's SSL 3.0", TN_ALERT_PROTOCOL_VERSION);
  script_close(&s);
  script_open(&s, &fixture, TN_SERVER);
  hello_server(&s, &h);
  h.version = 0x0300;
  script_hello(&s, &h);
  script_expect(&s, "a server's SSL 3.0", TN_ALERT_PROTOCOL_VERSION);
  script_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ssl_3_is_refused),
  };
  return cmocka_run_group_tests(tests, make, unmake);
}
