/* The count of what is new. See novelty.h. */
#include "core/base/novelty.h"

#include <stdatomic.h>

static _Atomic uint64_t counted;

void sf_novelty_count(void)
{
    (void)atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed);
}

uint64_t sf_novelty(void)
{
    return atomic_load_explicit(&counted, memory_order_relaxed);
}
