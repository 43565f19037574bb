/* The arena: zeroed, aligned, never moving; reset keeps one block; no memory is NULL. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "core/base/arena.h"
#include "lattice/intern.h"

static int allowed;

static int count_down(void)
{
    return allowed-- > 0;
}

Test(arena, zeroed_and_aligned)
{
    SfArena a;
    sf_arena_init(&a);
    cr_expect(a.bytes == 0);
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *p = sf_arena_alloc(&a, size);
        cr_assert(p);
        cr_expect((uintptr_t)p % _Alignof(int64_t) == 0);
        for (size_t i = 0; i < size; i++) {
            cr_assert(p[i] == 0);
        }
        memset(p, 0xff, size);
    }
    sf_arena_free(&a);
    cr_expect(a.bytes == 0 && !a.head);
    sf_arena_free(&a);
}

Test(arena, empty_requests_have_addresses)
{
    SfArena a = {0};
    const void *p = sf_arena_alloc(&a, 0), *q = sf_arena_alloc(&a, 0);
    cr_expect(p && q && p != q);
    cr_expect(sf_arena_copy(&a, NULL, 0));
    sf_arena_free(&a);
}

Test(arena, reset_reuses_the_newest_block_zeroed)
{
    SfArena a = {0};
    sf_arena_reset(&a);
    for (int i = 0; i < 100; i++) {
        memset(sf_arena_alloc(&a, 500), 0xff, 500);
    }
    const size_t before = a.bytes;
    sf_arena_reset(&a);
    cr_expect(a.bytes < before && a.bytes > 0);
    const size_t kept = a.bytes;
    const unsigned char *p = sf_arena_alloc(&a, 500);
    cr_expect(p && p[0] == 0 && p[499] == 0);
    cr_expect(a.bytes == kept, "the kept block serves");
    sf_arena_free(&a);
}

Test(arena, large_requests_and_overflow)
{
    SfArena a = {0};
    char *big = sf_arena_alloc(&a, 1 << 20);
    cr_assert(big);
    big[(1 << 20) - 1] = 1;
    cr_expect(!sf_arena_alloc(&a, SIZE_MAX));
    cr_expect(!sf_arena_alloc(&a, SIZE_MAX - 64));
    cr_expect(!sf_arena_strndup(&a, "x", SIZE_MAX));
    cr_expect(sf_arena_alloc(&a, 8));
    sf_arena_free(&a);
}

Test(arena, strings)
{
    SfArena a = {0};
    cr_expect_str_eq(sf_arena_strdup(&a, "shape"), "shape");
    cr_expect_str_eq(sf_arena_strndup(&a, "shape", 2), "sh");
    cr_expect_str_eq(sf_arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    char longer[9000];
    memset(longer, 'y', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    cr_expect_str_eq(sf_arena_printf(&a, "%s", longer), longer);
    sf_arena_free(&a);
}

Test(arena, no_memory)
{
    SfArena a = {0};
    allowed = 0;
    sf_alloc_set_hook(count_down);
    cr_expect(!sf_arena_alloc(&a, 8));
    cr_expect(!sf_arena_strdup(&a, "x"));
    cr_expect(!sf_arena_printf(&a, "x"));
    sf_alloc_set_hook(NULL);
    cr_expect(sf_arena_alloc(&a, 8));
    sf_arena_free(&a);
}
