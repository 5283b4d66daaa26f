// Socket addresses and text.
#ifndef TN_NET_ADDRESS_H
#define TN_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// "[2001:db8:...]:65535" at its longest, with the final 0.
#define TN_ADDRESS_TEXT 56

// An IPv4 or IPv6 address in text form; false for anything else. *length is the socket address's.
bool tn_address_parse(const char *text, uint16_t port, struct sockaddr_storage *out, socklen_t *length);
// "192.0.2.1:443" or "[2001:db8::1]:443". An IPv4 address mapped into IPv6 is written as IPv4.
void tn_address_text(const struct sockaddr *address, char out[TN_ADDRESS_TEXT]);
uint16_t tn_address_port(const struct sockaddr_storage *address);

#endif
