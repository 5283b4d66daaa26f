#include "net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

bool tn_address_parse(const char *text, uint16_t port, struct sockaddr_storage *out, socklen_t *length) {
  memset(out, 0, sizeof *out);
  *length = sizeof(struct sockaddr_in);
  if (uv_ip4_addr(text, port, (struct sockaddr_in *)out) == 0) return true;
  memset(out, 0, sizeof *out);
  *length = sizeof(struct sockaddr_in6);
  return uv_ip6_addr(text, port, (struct sockaddr_in6 *)out) == 0;
}

void tn_address_text(const struct sockaddr *address, char out[TN_ADDRESS_TEXT]) {
  char name[INET6_ADDRSTRLEN] = "?";
  if (address->sa_family == AF_INET6) {
    struct sockaddr_in6 in6;
    memcpy(&in6, address, sizeof in6);
    bool mapped = IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr);
    if (mapped)
      uv_inet_ntop(AF_INET, in6.sin6_addr.s6_addr + 12, name, sizeof name);
    else
      uv_inet_ntop(AF_INET6, &in6.sin6_addr, name, sizeof name);
    snprintf(out, TN_ADDRESS_TEXT, mapped ? "%s:%u" : "[%s]:%u", name, (unsigned)ntohs(in6.sin6_port));
  } else {
    struct sockaddr_in in;
    memcpy(&in, address, sizeof in);
    uv_inet_ntop(AF_INET, &in.sin_addr, name, sizeof name);
    snprintf(out, TN_ADDRESS_TEXT, "%s:%u", name, (unsigned)ntohs(in.sin_port));
  }
}

uint16_t tn_address_port(const struct sockaddr_storage *address) {
  // Both families have the port at the same place, but only by custom.
  return ntohs(address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port
                                              : ((const struct sockaddr_in *)address)->sin_port);
}
