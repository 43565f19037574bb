/* What the libFuzzer targets share: bytes read as choices, and the reset of what is interned.
 * Invariant: a target depends on its bytes alone, so that every input is a regression test. */
#ifndef SF_TESTS_FUZZ_H
#define SF_TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apis/apis.h"
#include "core/graph/eager.h"
#include "lattice/intern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern bool (*sf_fuzz_complaint)(const char *op, const char *what); /* fuzz_ops.c */
extern int sf_fuzz_reached;

typedef struct SfFuzz {
    const uint8_t *p;
    size_t n;
} SfFuzz;

/* The next byte; 0 when there is none: an empty input is the simplest case. */
static inline unsigned sf_fuzz_byte(SfFuzz *f)
{
    if (f->n == 0) {
        return 0;
    }
    f->n--;
    return *f->p++;
}

static inline int sf_fuzz_pick(SfFuzz *f, int n)
{
    return (int)(sf_fuzz_byte(f) % (unsigned)n);
}

static inline bool sf_fuzz_flag(SfFuzz *f)
{
    return sf_fuzz_byte(f) & 1;
}

/* Interned objects live for ever; a fuzzer meets more of them than fit. Call it between inputs.
 * The ops are registered once: to find each of them known already took most of an input's time. */
static inline void sf_fuzz_start(void)
{
    static bool registered;
    size_t bytes = 0, objects = 0;
    sf_intern_stats(&bytes, &objects);
    if (bytes > (64u << 20)) {
        sf_eager_reset();
        sf_ops_reset();
        sf_intern_reset();
        registered = false;
    }
    if (!registered && sf_apis_init() != SF_OK) {
        abort();
    }
    registered = true;
}

#endif
