/* The GPUs that this machine has, as the CUDA runtime tells of them.
 * Invariant: libcudart is opened when it is asked, never linked, and closed again; a query destroys
 * the context that it made on each GPU. A driver that crashes is for the caller to contain: ask in
 * a process of its own.
 * Owner: the arena that is given. Source: cuda_runtime_api.h and driver_types.h; without these
 * headers the build knows the catalogue alone. */
#ifndef SF_CORE_CUDA_H
#define SF_CORE_CUDA_H

#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/status.h"

enum { SF_CUDA_MAX_GPUS = 64, SF_CUDA_OLDEST = 11, SF_CUDA_NEWEST = 13 };

typedef struct SfCudaGpu {
    const char *name;
    int64_t total, free; /* bytes; free is -1 where the runtime does not say */
    int capability;      /* 86: compute capability 8.6 */
    int sms;
    int clock_khz, memory_clock_khz, bus_bits; /* 0: not said */
    uint64_t peers;                            /* bit i: it reads the memory of GPU i */
    const char *note;                          /* what could not be asked, and why; NULL: nothing */
} SfCudaGpu;

typedef struct SfCuda {
    const char *library;
    int runtime, driver; /* 12090: 12.9 */
    SfCudaGpu *gpus;
    int n;
} SfCuda;

/* Asks the first of `libraries` that can be opened. SF_REPORTED: *error says why nothing is known:
 * no library, no driver, no GPU, a version that is too old, or a call that failed. */
SfStatus sf_cuda_query(SfArena *arena, const char *const *libraries, int n, SfCuda *out,
                       const char **error);

#endif
