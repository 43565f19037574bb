/* Finds things of a numbered array by their hash: the open-addressing table of core.
 * Invariant: a slot holds the hash and the number of one thing; at most three quarters are taken.
 * Owner: whoever embeds the SfIndex frees it with sf_index_free; zeroed memory is an empty one.
 * Source: Knuth 6.4, linear probing. */
#ifndef SF_CORE_INDEX_H
#define SF_CORE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SfIndexSlot {
    uint32_t hash;
    int32_t id; /* -1: free */
} SfIndexSlot;

/* A slot has 8 bytes; uthash's handle of 56 would be a quarter of the memory of a node. */
typedef struct SfIndex {
    SfIndexSlot *slots;
    uint32_t mask, count;
} SfIndex;

/* The things of that hash, one after the other, -1 at the end:
 *   uint32_t at = hash;
 *   for (int32_t id; (id = sf_index_next(t, hash, &at)) >= 0;) { if (it is the one) ... } */
static inline int32_t sf_index_next(const SfIndex *t, uint32_t hash, uint32_t *at)
{
    while (t->slots) {
        const SfIndexSlot slot = t->slots[(*at)++ & t->mask];
        if (slot.id < 0 || slot.hash == hash) {
            return slot.id;
        }
    }
    return -1;
}

/* Enters a thing that is not there yet; false: no memory. */
bool sf_index_add(SfIndex *t, uint32_t hash, int32_t id);
/* Room for n things in all. */
bool sf_index_reserve(SfIndex *t, uint32_t n);
void sf_index_free(SfIndex *t);

#endif
