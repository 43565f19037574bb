/* The table that finds by hash. See index.h. */
#include "core/base/index.h"

#include <string.h>

#include "lattice/intern.h"

#define FIRST_SIZE 64u

static void place(SfIndexSlot *slots, uint32_t mask, SfIndexSlot slot)
{
    uint32_t i = slot.hash & mask;
    while (slots[i].id >= 0) {
        i = (i + 1) & mask;
    }
    slots[i] = slot;
}

bool sf_index_reserve(SfIndex *t, uint32_t n)
{
    const uint32_t old_size = t->slots ? t->mask + 1 : 0;
    uint32_t size = old_size ? old_size : FIRST_SIZE;
    while ((uint64_t)n * 4 > (uint64_t)size * 3) {
        if (size > UINT32_MAX / 2) {
            return false;
        }
        size *= 2;
    }
    if (size == old_size) {
        return true;
    }
    SfIndexSlot *slots = sf_malloc(size * sizeof *slots);
    if (!slots) {
        return false;
    }
    memset(slots, 0xff, size * sizeof *slots); /* every id is -1 */
    for (uint32_t i = 0; i < old_size; i++) {
        if (t->slots[i].id >= 0) {
            place(slots, size - 1, t->slots[i]);
        }
    }
    sf_free(t->slots);
    t->slots = slots;
    t->mask = size - 1;
    return true;
}

bool sf_index_add(SfIndex *t, uint32_t hash, int32_t id)
{
    if (!sf_index_reserve(t, t->count + 1)) {
        return false;
    }
    place(t->slots, t->mask, (SfIndexSlot){hash, id});
    t->count++;
    return true;
}

void sf_index_free(SfIndex *t)
{
    sf_free(t->slots);
    *t = (SfIndex){0};
}
