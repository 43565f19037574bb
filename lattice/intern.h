/* The interner: the only global mutable state of this layer.
 * Invariant: one mutex guards the tables of symbols, expressions, shapes, values and strings;
 * a lookup that finds its entry allocates nothing.
 * Owner: of everything that is interned. Source: uthash; Lua's lstring.c for the idea. */
#ifndef SF_LATTICE_INTERN_H
#define SF_LATTICE_INTERN_H

#include <stddef.h>
#include <stdint.h>

/* Frees every interned object. Only for tests and for the end of the process: all pointers and
 * symbolic dims obtained before are invalid afterwards. */
void sf_intern_reset(void);
/* Bytes held and number of interned objects, for benchmarks. */
void sf_intern_stats(size_t *bytes, size_t *objects);

/* A serial number that no earlier call in this process returned: 1, 2, 3... Higher layers use it
 * to tell objects apart after one was freed, when its address may be used again.
 * sf_intern_reset() does not touch it. */
uint64_t sf_intern_serial(void);

/* The allocator of the lattice: malloc/realloc/free through one place so that tests can make the
 * n-th allocation fail. hook NULL restores malloc; it returns whether the allocation may go on. */
void sf_alloc_set_hook(int (*hook)(void));
void *sf_malloc(size_t size);
void *sf_calloc(size_t n, size_t size);
void *sf_realloc(void *p, size_t size);
void sf_free(void *p);

#endif
