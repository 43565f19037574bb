/* Several threads intern the same things at once: they all get the same pointers. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>

#include "lattice/intern.h"
#include "lattice/shape.h"
#include "lattice/value.h"

enum { THREADS = 8, STEPS = 4000, RESULTS = 4 };

typedef struct Work {
    pthread_t thread;
    SfDim n;
    pthread_barrier_t *start;
    const void *found[STEPS][RESULTS];
} Work;

static void *intern_all(void *arg)
{
    Work *w = arg;
    pthread_barrier_wait(w->start);
    for (int i = 0; i < STEPS; i++) {
        const SfDim dims[] = {sf_dim_add(w->n, i), i % 7, SF_DIM_UNKNOWN};
        const SfShape *s = sf_shape_make(3, dims);
        const SfShape *known = sf_shape_matrix(i, i + 1);
        char name[16];
        const int len = snprintf(name, sizeof name, "name %d", i);
        const SfElem string = sf_elem_string(name, (size_t)len);
        w->found[i][0] = s;
        w->found[i][1] = sf_shape_meet(s, sf_shape_of_rank(3));
        w->found[i][2] = sf_value_from_shape(known, SF_DT_INT32);
        w->found[i][3] = sf_value_fill(SF_DT_STRING, sf_shape_scalar(), string);
    }
    return NULL;
}

Test(threads, equal_pointers)
{
    static Work work[THREADS];
    pthread_barrier_t start;
    cr_assert_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
    const SfDim n = sf_dim_symbol("n");
    for (int t = 0; t < THREADS; t++) {
        work[t].n = n;
        work[t].start = &start;
        cr_assert_eq(pthread_create(&work[t].thread, NULL, intern_all, &work[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(work[t].thread, NULL);
    }
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < STEPS; i++) {
            for (int k = 0; k < RESULTS; k++) {
                cr_assert_not_null(work[t].found[i][k]);
                cr_assert_eq(work[t].found[i][k], work[0].found[i][k], "step %d result %d", i, k);
            }
        }
    }
    pthread_barrier_destroy(&start);
    sf_intern_reset();
}

static void *name_symbols(void *arg)
{
    SfDim *symbols = arg;
    for (int i = 0; i < STEPS; i++) {
        symbols[i] = sf_dim_symbol("batch");
    }
    return NULL;
}

Test(threads, symbols_are_never_shared)
{
    static SfDim symbols[THREADS][STEPS];
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) {
        cr_assert_eq(pthread_create(&threads[t], NULL, name_symbols, symbols[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
    }
    static bool seen[THREADS * STEPS];
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < STEPS; i++) {
            const SfDim index = -2 - symbols[t][i]; /* ids are dense */
            cr_assert(index >= 0 && index < THREADS * STEPS && !seen[index]);
            seen[index] = true;
        }
    }
    sf_intern_reset();
}

enum { SERIALS = THREADS * STEPS };

static void *take_serials(void *arg)
{
    uint64_t *given = arg;
    for (int i = 0; i < STEPS; i++) {
        given[i] = sf_intern_serial();
    }
    return NULL;
}

Test(threads, a_serial_is_given_once)
{
    static uint64_t given[SERIALS];
    static bool seen[SERIALS];
    pthread_t threads[THREADS];
    const uint64_t before = sf_intern_serial();
    for (int t = 0; t < THREADS; t++) {
        cr_assert_eq(pthread_create(&threads[t], NULL, take_serials, &given[t * STEPS]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
    }
    for (int i = 0; i < SERIALS; i++) {
        cr_assert(given[i] > before && given[i] <= before + SERIALS);
        cr_assert_not(seen[given[i] - before - 1], "given twice");
        cr_assert(i % STEPS == 0 || given[i] > given[i - 1]);
        seen[given[i] - before - 1] = true;
    }
    sf_intern_reset();
    cr_assert_eq(sf_intern_serial(), before + SERIALS + 1);
}
