// AES-GCM's engine for registers of any width: text in batches of GROUP vectors, GHASH in the gaps between AES's
// rounds, and whole messages. Who includes it has defined
//   TARGET      the attribute of functions
//   VECTOR      the type
//   LANES       blocks in a vector
//   GROUP       vectors in a batch, which is at most POWERS blocks
//   REGISTER    what asm calls such a register
//   WIPE_VECTORS
// and these on vectors, which work on each block for itself where nothing else is said:
//   wide_load(p)  wide_store(p, x)  wide_load_part(p, n)  wide_store_part(p, x, n): n is less than a vector
//   wide_keep(x, n): its first n bytes, then zeros  wide_low(b): the block b, then zeros  wide_broadcast(p)
//   wide_reverse(x): the bytes  wide_swap(x): the halves  wide_fold(x): the sum of the blocks
//   wide_aesenc(x, k)  wide_aesenclast(x, k)  wide_multiply_low(a, b)  wide_multiply_high(a, b): of the halves
//   wide_counters(c): c, c + 1, ...  wide_count(x, n): n added, modulo 2^32

#define INLINE TARGET __attribute__((always_inline)) static inline
#define WIDE ((size_t)LANES * TN_GCM_BLOCK)  // bytes a vector
#define BATCH_BLOCKS (LANES * GROUP)
#define BATCH ((size_t)BATCH_BLOCKS * TN_GCM_BLOCK)

_Static_assert(BATCH_BLOCKS <= POWERS, "a batch is hashed with one reduction");
_Static_assert(TN_GCM_BULK % BATCH == 0, "the head of a text is whole batches");

// Keeps the compiler from holding the whole key in registers that it does not have: it looks again.
#define FORGET(k) TN_OPAQUE("r", k)

INLINE VECTOR round_key(const x86_key *k, int r) { return wide_broadcast(&k->round_keys[r]); }

// The powers H^n/x, H^(n-1)/x, ..., as many as a vector has blocks. Those below H^1/x are arbitrary.
INLINE VECTOR powers_from(const x86_key *k, size_t n) {
  return wide_load((const uint8_t *)k->powers + TN_GCM_BLOCK * (POWERS - n));
}

// ---------------------------------------------------------------- GHASH

typedef struct wide_product {
  VECTOR low, high, middle;
} wide_product;

INLINE wide_product nothing(void) {
  const VECTOR zero = {0};
  return (wide_product){zero, zero, zero};
}

INLINE void add_product(wide_product *sum, VECTOR a, VECTOR b) {
  sum->low ^= wide_multiply_low(a, b);
  sum->high ^= wide_multiply_high(a, b);
  sum->middle ^= wide_multiply_low(a ^ wide_swap(a), b ^ wide_swap(b));
}

// As reduce(), then the sum of the blocks.
INLINE __m128i reduce_and_fold(wide_product p) {
  const VECTOR poly = wide_broadcast(&(__m128i){(long long)REDUCTION, 0});
  p.middle ^= p.low ^ p.high ^ wide_swap(p.low) ^ wide_multiply_low(p.low, poly);
  return wide_fold(p.high ^ wide_swap(p.middle) ^ wide_multiply_low(p.middle, poly));
}

INLINE VECTOR load_hashed(const uint8_t *p, __m128i y, int j) {
  VECTOR x = wide_reverse(wide_load(p + WIDE * (size_t)j));
  if (j == 0) x ^= wide_low(y);
  return x;
}

INLINE __m128i hash_batch(const x86_key *k, __m128i y, const uint8_t *p) {
  wide_product sum = nothing();
  TN_UNROLL for (int j = 0; j < GROUP; j++)
      add_product(&sum, load_hashed(p, y, j), powers_from(k, BATCH_BLOCKS - (size_t)j * LANES));
  return reduce_and_fold(sum);
}

// ---------------------------------------------------------------- batches

INLINE void first_round(const x86_key *k, VECTOR *counters, VECTOR *b, int vectors) {
  const VECTOR first = round_key(k, 0);
  TN_UNROLL for (int i = 0; i < vectors; i++) {
    b[i] = wide_reverse(*counters) ^ first;
    *counters = wide_count(*counters, LANES);
  }
}

INLINE void one_round(const x86_key *k, int r, VECTOR *b, int vectors) {
  const VECTOR key = round_key(k, r);
  TN_UNROLL for (int i = 0; i < vectors; i++) b[i] = wide_aesenc(b[i], key);
}

// En- or decrypts a batch. y takes the batch at `hashed`, before anything is written, unless that is NULL.
INLINE void crypt_batch(const x86_key *k, int rounds, VECTOR *counters, const uint8_t *in, uint8_t *out, __m128i *y,
                        const uint8_t *hashed) {
  VECTOR b[GROUP];
  wide_product sum = nothing();
  first_round(k, counters, b, GROUP);
  TN_UNROLL for (int r = 1; r < rounds; r++) {
    one_round(k, r, b, GROUP);
    if (hashed != NULL && r <= GROUP) {
      const int j = r % GROUP;  // the vector with y comes last, when the reduction before has long ended
      add_product(&sum, load_hashed(hashed, *y, j), powers_from(k, BATCH_BLOCKS - (size_t)j * LANES));
      // Add now: there are no registers for products that wait for each other.
      TN_OPAQUE(REGISTER, sum.low);
      TN_OPAQUE(REGISTER, sum.high);
      TN_OPAQUE(REGISTER, sum.middle);
    }
  }
  if (hashed != NULL) *y = reduce_and_fold(sum);
  const VECTOR last = round_key(k, rounds);
  TN_UNROLL for (int i = 0; i < GROUP; i++) b[i] = wide_aesenclast(b[i], last ^ wide_load(in + WIDE * (size_t)i));
  TN_UNROLL for (int i = 0; i < GROUP; i++) wide_store(out + WIDE * (size_t)i, b[i]);
}

// A message on its way: integers both.
typedef struct progress {
  __m128i counter, y;
} progress;

// The whole batches of n bytes; the answer is how many bytes those are. What is sealed is hashed one batch later, what
// is opened at once.
INLINE size_t crypt_batches(const x86_key *k, int rounds, progress *at, const uint8_t *in, uint8_t *out, size_t n,
                            bool sealing) {
  __m128i y = at->y;
  VECTOR counters = wide_counters(at->counter);
  const size_t end = n - n % BATCH;
  if (end == 0) return 0;
  size_t done = 0;
  if (sealing) {
    crypt_batch(k, rounds, &counters, in, out, &y, NULL);
    done = BATCH;
  }
  for (; done < end; done += BATCH) {
    FORGET(k);
    crypt_batch(k, rounds, &counters, in + done, out + done, &y, sealing ? out + done - BATCH : in + done);
  }
  at->y = sealing ? hash_batch(k, y, out + done - BATCH) : y;
  at->counter = _mm_add_epi32(at->counter, _mm_set_epi32(0, 0, 0, (int)(end / TN_GCM_BLOCK)));
  return end;
}

// ---------------------------------------------------------------- the end of a text

// n bytes, 1 to `vectors` whole vectors: into the sum with the powers from H^first down.
INLINE void crypt_some(const x86_key *k, int rounds, int vectors, progress at, const uint8_t *in, uint8_t *out,
                       size_t n, size_t first, wide_product *sum, bool sealing) {
  VECTOR b[GROUP], counters = wide_counters(at.counter);
  first_round(k, &counters, b, vectors);
  TN_UNROLL for (int r = 1; r < rounds; r++) one_round(k, r, b, vectors);
  // All of them here, side by side, rather than each where it is first needed.
  TN_UNROLL for (int i = 0; i < vectors; i++) TN_OPAQUE(REGISTER, b[i]);
  const VECTOR last = round_key(k, rounds);
  TN_UNROLL for (int i = 0; i < vectors; i++) {
    if (n == 0) continue;
    const bool whole = n >= WIDE;
    const size_t now = whole ? WIDE : n;
    VECTOR from = whole ? wide_load(in) : wide_load_part(in, n);
    VECTOR to = wide_aesenclast(b[i], last ^ from);
    if (whole) {
      wide_store(out, to);
    } else {
      wide_store_part(out, to, n);
      to = wide_keep(to, n);
    }
    VECTOR x = wide_reverse(sealing ? to : from);
    if (i == 0) x ^= wide_low(at.y);
    add_product(sum, x, powers_from(k, first));
    in += now, out += now, n -= now, first -= LANES;
  }
}

// The last n bytes, less than a batch, and the block of lengths: GHASH of the message.
INLINE __m128i crypt_end(const x86_key *k, int rounds, progress at, const uint8_t *in, uint8_t *out, size_t n,
                         __m128i lengths, bool sealing) {
  const size_t blocks = (n + TN_GCM_BLOCK - 1) / TN_GCM_BLOCK, vectors = (n + WIDE - 1) / WIDE;
  // The block of lengths goes into the same sum, if there is a power for one block more.
  const bool together = BATCH_BLOCKS < POWERS || blocks < POWERS;
  const size_t first = blocks + together;
  wide_product sum = nothing();
  if (vectors == 0)
    lengths ^= at.y;
  else if (vectors == 1)
    crypt_some(k, rounds, 1, at, in, out, n, first, &sum, sealing);
  else if (vectors == 2)
    crypt_some(k, rounds, 2, at, in, out, n, first, &sum, sealing);
  else if (vectors <= 4)
    crypt_some(k, rounds, 4, at, in, out, n, first, &sum, sealing);
#if GROUP > 4
  else
    crypt_some(k, rounds, GROUP, at, in, out, n, first, &sum, sealing);
#endif
  if (!together) {
    lengths ^= reduce_and_fold(sum);
    sum = nothing();
  }
  add_product(&sum, wide_low(lengths), wide_low(power(k, 1)));
  return reduce_and_fold(sum);
}

// ---------------------------------------------------------------- whole messages

typedef size_t batches_fn(const x86_key *k, progress *at, const uint8_t *in, uint8_t *out, size_t n);

INLINE void crypt_whole(const x86_key *k, int rounds, batches_fn *batches, const uint8_t nonce[TN_AEAD_NONCE_LEN],
                        tn_span aad, const tn_aead_text *text, uint8_t *tag, bool sealing) {
  const __m128i j0 = gcm_j0(nonce);
  const __m128i mask = encrypt_block(k, rounds, j0);
  const __m128i lengths = _mm_set_epi64x((long long)(8 * (uint64_t)aad.n), (long long)(8 * (uint64_t)text->n));
  progress at = {_mm_add_epi32(reverse_bytes(j0), _mm_set_epi32(0, 0, 0, 1)), hash_aad(k, aad)};
  const uint8_t *in = text->in;
  uint8_t *out = text->out;
  size_t n = text->n;
  if (n >= BATCH) {
    progress passed = at;  // the one that has an address
    size_t done = batches(k, &passed, in, out, text->head);
    if (text->head != n) done += batches(k, &passed, out + done, out + done, n - done);
    in += done, out += done, n -= done;
    at = passed;
  }
  if (text->head != text->n) in = out;
  const __m128i y = crypt_end(k, rounds, at, in, out, n, lengths, sealing);
  store(tag, reverse_bytes(y) ^ mask);
}

// In pieces, between the calls of gcm.c.
INLINE size_t crypt_piece(const x86_key *k, batches_fn *batches, tn_gcm_op *op, const uint8_t *in, uint8_t *out,
                          size_t n) {
  progress at = {load_integer(op->counter), load_integer(op->y)};
  const size_t done = batches(k, &at, in, out, n);
  store_integer(op->counter, at.counter);
  store_integer(op->y, at.y);
  return done;
}

// ---------------------------------------------------------------- the engine, for either number of rounds

#define CRYPT(name, bits, rounds, sealing)                                                                          \
  TARGET __attribute__((noinline)) static size_t name##_batches_##bits(const x86_key *k, progress *at,              \
                                                                       const uint8_t *in, uint8_t *out, size_t n) { \
    return crypt_batches(k, rounds, at, in, out, n, sealing);                                                       \
  }                                                                                                                 \
  TARGET static size_t name##_##bits(const void *key, tn_gcm_op *op, const uint8_t *in, uint8_t *out, size_t n) {   \
    return crypt_piece(key, name##_batches_##bits, op, in, out, n);                                                 \
  }                                                                                                                 \
  TARGET static void name##_whole_##bits(const void *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,      \
                                         const tn_aead_text *text, uint8_t *tag) {                                  \
    crypt_whole(key, rounds, name##_batches_##bits, nonce, aad, text, tag, sealing);                                \
    WIPE_VECTORS();                                                                                                 \
  }

#define IMPL(name, bits, rounds, needs)                                                                            \
  CRYPT(seal, bits, rounds, true)                                                                                  \
  CRYPT(open, bits, rounds, false)                                                                                 \
  static const tn_gcm_engine engine_##bits = {tn_gcm_x86_stream_##bits, tn_gcm_x86_hash, seal_##bits, open_##bits, \
                                              WIPE_VECTORS};                                                       \
  static void set_key_##bits(void *key, const uint8_t *raw) {                                                      \
    ((x86_key *)key)->gcm.engine = &engine_##bits;                                                                 \
    tn_gcm_x86_set_key_##bits(key, raw);                                                                           \
    WIPE_VECTORS();                                                                                                \
  }                                                                                                                \
  const tn_aead_impl tn_aes_##bits##_gcm_##name = {                                                                \
      .path = #name,                                                                                               \
      .cpu = needs,                                                                                                \
      .set_key = set_key_##bits,                                                                                   \
      .start = tn_gcm_start,                                                                                       \
      .seal = tn_gcm_seal,                                                                                         \
      .open = tn_gcm_open,                                                                                         \
      .tag = tn_gcm_tag,                                                                                           \
      .seal_whole = seal_whole_##bits,                                                                             \
      .open_whole = open_whole_##bits,                                                                             \
  };
