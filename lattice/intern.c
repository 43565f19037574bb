/* The allocator and the serial numbers. See intern.h; the tables are known to table.c. */
#include "lattice/intern.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(uint64_t) last_serial;
static int (*_Atomic alloc_hook)(void);

uint64_t sf_intern_serial(void)
{
    return atomic_fetch_add_explicit(&last_serial, 1, memory_order_relaxed) + 1;
}

void sf_alloc_set_hook(int (*hook)(void))
{
    atomic_store(&alloc_hook, hook);
}

static int alloc_allowed(void)
{
    int (*hook)(void) = atomic_load_explicit(&alloc_hook, memory_order_relaxed);
    return !hook || hook();
}

void *sf_malloc(size_t size)
{
    return alloc_allowed() ? malloc(size) : NULL;
}

void *sf_calloc(size_t n, size_t size)
{
    return alloc_allowed() ? calloc(n, size) : NULL;
}

void *sf_realloc(void *p, size_t size)
{
    return alloc_allowed() ? realloc(p, size) : NULL;
}

void sf_free(void *p)
{
    free(p);
}
