/* The lock, the allocator and the life of the tables; the tables are in the files of their nouns.
 */
#include "lattice/intern.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "lattice/table.h"

static pthread_mutex_t intern_mutex = PTHREAD_MUTEX_INITIALIZER;
static size_t interned_bytes;
static size_t interned_objects;
static _Atomic(uint64_t) last_serial;
static int (*_Atomic alloc_hook)(void);

void sf_intern_lock(void)
{
    pthread_mutex_lock(&intern_mutex);
}

void sf_intern_unlock(void)
{
    pthread_mutex_unlock(&intern_mutex);
}

void sf_intern_account(size_t bytes)
{
    interned_bytes += bytes;
    interned_objects++;
}

void sf_intern_reset(void)
{
    sf_intern_lock();
    sf_value_table_free();
    sf_shape_table_free();
    sf_expr_table_free();
    interned_bytes = 0;
    interned_objects = 0;
    sf_intern_unlock();
}

void sf_intern_stats(size_t *bytes, size_t *objects)
{
    sf_intern_lock();
    *bytes = interned_bytes;
    *objects = interned_objects;
    sf_intern_unlock();
}

uint64_t sf_intern_serial(void)
{
    return atomic_fetch_add_explicit(&last_serial, 1, memory_order_relaxed) + 1;
}

uint64_t sf_hash_bytes(const void *bytes, size_t len)
{
    const unsigned char *p = bytes;
    uint64_t h = len;
    for (; len >= sizeof(uint64_t); len -= sizeof(uint64_t), p += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        h = sf_hash_mix(h, word);
    }
    uint64_t tail = 0;
    memcpy(&tail, p, len);
    return sf_hash_mix(h, tail);
}

void sf_alloc_set_hook(int (*hook)(void))
{
    atomic_store(&alloc_hook, hook);
}

static int alloc_allowed(void)
{
    int (*hook)(void) = atomic_load_explicit(&alloc_hook, memory_order_relaxed);
    return hook == NULL || hook();
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
