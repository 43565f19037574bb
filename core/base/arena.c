/* The bump allocator: blocks that double in size, freed together. Objects grow from the front of a
 * block, strings, which need no alignment, from its end.
 * Invariant: memory is cleared when it is handed out, so a reused block needs no care.
 * Owner: a chain of blocks, newest first, hangs from SfArena.head. Source: arena.h. */
#include "core/base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lattice/intern.h"

/* Pointers and 64-bit numbers are the widest that any struct of ours holds. */
enum { ALIGNMENT = _Alignof(int64_t), BLOCK_MIN = 4096, BLOCK_MAX = 256 * 1024 };

struct SfArenaBlock {
    SfArenaBlock *older;
    size_t size; /* of `memory` */
    _Alignas(int64_t) char memory[];
};

void sf_arena_init(SfArena *a)
{
    *a = (SfArena){0};
}

static void free_chain(SfArenaBlock *block)
{
    while (block) {
        SfArenaBlock *older = block->older;
        sf_free(block);
        block = older;
    }
}

void sf_arena_free(SfArena *a)
{
    free_chain(a->head);
    sf_arena_init(a);
}

void sf_arena_reset(SfArena *a)
{
    SfArenaBlock *kept = a->head;
    if (!kept) {
        return;
    }
    free_chain(kept->older);
    kept->older = NULL;
    a->next = kept->memory;
    a->end = kept->memory + kept->size;
    a->bytes = sizeof(SfArenaBlock) + kept->size;
}

static bool add_block(SfArena *a, size_t need)
{
    size_t size = BLOCK_MIN - sizeof(SfArenaBlock);
    if (a->head) {
        size = a->head->size * 2 < BLOCK_MAX ? a->head->size * 2 : BLOCK_MAX;
    }
    if (size < need) {
        size = need;
    }
    /* What is larger than a block has one of its own: its pages are cleared as they are used. */
    SfArenaBlock *block = need > BLOCK_MAX ? sf_calloc(1, sizeof(SfArenaBlock) + size)
                                           : sf_malloc(sizeof(SfArenaBlock) + size);
    if (!block) {
        return false;
    }
    block->older = a->head;
    block->size = size;
    a->head = block;
    a->next = block->memory;
    a->end = block->memory + size;
    a->bytes += sizeof(SfArenaBlock) + size;
    return true;
}

void *sf_arena_alloc(SfArena *a, size_t size)
{
    if (size > PTRDIFF_MAX / 2) {
        return NULL; /* no object is that large: a negative count, or an overflow */
    }
    /* An empty request still gets an address of its own: NULL must mean no memory. */
    size = size == 0 ? ALIGNMENT : (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const bool is_new = !a->head || (size_t)(a->end - a->next) < size;
    if (is_new && !add_block(a, size)) {
        return NULL;
    }
    void *p = a->next;
    a->next += size;
    return is_new && size > BLOCK_MAX ? p : memset(p, 0, size);
}

void *sf_arena_copy(SfArena *a, const void *src, size_t size)
{
    void *p = sf_arena_alloc(a, size);
    if (p && size > 0) {
        memcpy(p, src, size);
    }
    return p;
}

char *sf_arena_chars(SfArena *a, size_t n)
{
    if (n == SIZE_MAX) {
        return NULL;
    }
    if ((!a->head || (size_t)(a->end - a->next) <= n) &&
        (n > PTRDIFF_MAX / 2 || !add_block(a, n + 1))) {
        return NULL;
    }
    a->end -= n + 1;
    a->end[n] = '\0';
    return a->end;
}

const char *sf_arena_strndup(SfArena *a, const char *s, size_t n)
{
    char *copy = sf_arena_chars(a, n);
    if (copy && n > 0) {
        memcpy(copy, s, n);
    }
    return copy;
}

const char *sf_arena_strdup(SfArena *a, const char *s)
{
    return sf_arena_strndup(a, s, strlen(s));
}

const char *sf_arena_printf(SfArena *a, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (length < 0) {
        return NULL;
    }
    char *p = sf_arena_alloc(a, (size_t)length + 1);
    if (!p) {
        return NULL;
    }
    va_start(args, fmt);
    (void)vsnprintf(p, (size_t)length + 1, fmt, args);
    va_end(args);
    return p;
}
