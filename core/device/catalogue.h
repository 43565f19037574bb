/* GPUs by name: what data sheets say of them.
 * Invariant: names are lower case, unique, and hold no comma, colon, star or space.
 * Owner: const data. Source: the data sheets of the maker, column by column (catalogue.def). */
#ifndef SF_CORE_CATALOGUE_H
#define SF_CORE_CATALOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/status.h"

typedef struct SfGpu {
    const char *name;  /* "a100-80gb" */
    const char *title; /* "NVIDIA A100 80GB" */
    double memory_gib;
    double free_gib; /* of a GPU that was asked: what others leave of it; 0: not known, all of it */
    double bandwidth; /* bytes a second */
    double fp32;      /* FLOP a second, without tensor cores */
    double half;      /* of half precision with tensor cores, dense; without them as the cores do */
    int capability;   /* 80: compute capability 8.0 */
    int sms;
} SfGpu;

int sf_gpu_count(void);
const SfGpu *sf_gpu_at(int i);
/* Ignores case, and characters that are neither letters nor digits; NULL: no such model. */
const SfGpu *sf_gpu_find(const char *name);
/* The names that are nearest to `name`, "t4, l4", at most three. NULL: no memory. */
const char *sf_gpu_nearest(SfArena *arena, const char *name);
int64_t sf_gpu_memory(const SfGpu *gpu); /* bytes */
int64_t sf_gpu_free(const SfGpu *gpu);   /* of them */

#endif
