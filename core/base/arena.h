/* Bump allocation: what lives exactly as long as a graph (or a call) lives in its arena.
 * Invariant: memory is zeroed, aligned for pointers and 64-bit numbers, and never moves; nothing is
 * freed alone. Owner: whoever embeds the SfArena frees it at once with sf_arena_free. */
#ifndef SF_CORE_ARENA_H
#define SF_CORE_ARENA_H

#include <stddef.h>

typedef struct SfArenaBlock SfArenaBlock;
typedef struct SfArena {
    SfArenaBlock *head;
    char *next, *end;
    size_t bytes; /* asked of the allocator so far */
} SfArena;

void sf_arena_init(SfArena *a); /* allocates nothing */
void sf_arena_free(SfArena *a);
void sf_arena_reset(SfArena *a);               /* keeps the newest block for reuse */
void *sf_arena_alloc(SfArena *a, size_t size); /* zeroed; NULL: no memory */
void *sf_arena_copy(SfArena *a, const void *src, size_t size);
char *sf_arena_chars(SfArena *a, size_t n); /* n characters to be written, and a NUL behind them */
const char *sf_arena_strdup(SfArena *a, const char *s);
const char *sf_arena_strndup(SfArena *a, const char *s, size_t n);
const char *sf_arena_printf(SfArena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
