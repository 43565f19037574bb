/* One way to hash for every table of this project.
 * Invariant: every bit of a word reaches the low bits of the result of sf_hash_fold and
 * sf_hash_end. Owner: nothing. Source: multiply-xorshift; the constants of sf_hash_end are degski's
 * mixer. */
#ifndef SF_LATTICE_HASH_H
#define SF_LATTICE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One multiply-xorshift step for each machine word of a key. */
static inline uint64_t sf_hash_mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

static inline uint64_t sf_hash_pointer(uint64_t h, const void *p)
{
    return sf_hash_mix(h, (uint64_t)(uintptr_t)p);
}

/* The 32 bits that a table of index.h takes. */
static inline uint32_t sf_hash_fold(uint64_t h)
{
    return (uint32_t)(h ^ (h >> 32));
}

/* uthash selects a bucket by the low bits, and stops expanding a table whose buckets are uneven.
 * A double such as 1.0 has only high bits set, so every bit must reach the low ones. */
static inline unsigned sf_hash_end(uint64_t h)
{
    h = (h ^ (h >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    h = (h ^ (h >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return (unsigned)(h ^ (h >> 32));
}

/* Every byte with the bits of `set` set: 0x20 folds letters to lower case, and collides a few other
 * characters, harmlessly; 0 keeps the bytes as they are. */
static inline uint64_t sf_hash_text(const char *text, size_t len, unsigned char set)
{
    const uint64_t mask = UINT64_C(0x0101010101010101) * set;
    uint64_t h = len;
    for (; len >= sizeof(uint64_t); len -= sizeof(uint64_t), text += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, text, sizeof word);
        h = sf_hash_mix(h, word | mask);
    }
    uint64_t rest = 0;
    for (size_t i = 0; i < len; i++) {
        rest = rest << 8 | (unsigned char)((unsigned char)text[i] | set);
    }
    return sf_hash_mix(h, rest);
}

#endif
