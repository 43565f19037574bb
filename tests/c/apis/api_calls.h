/* Tables of calls and what they give: one row a case, asked of real TensorFlow.
 * Invariant: each call runs in a graph of its own, which must verify afterwards.
 * Owner: rows are static data. */
#ifndef SF_TESTS_API_CALLS_H
#define SF_TESTS_API_CALLS_H

#include <criterion/criterion.h>
#include <string.h>

#include "tests/c/apis/api_kit.h"

typedef struct Call {
    const char *call, *expected;
    int line;
} Call;
#define CALL(call_, expected_)                                                                     \
    {                                                                                              \
        (call_), (expected_), __LINE__                                                             \
    }

/* An error is compared up to the end of the expected words, a result as a whole. */
static inline void check_calls(const Call *calls, int n, int version, unsigned flag, bool eager)
{
    cr_assert_eq(sf_apis_init(), SF_OK);
    for (int i = 0; i < n; i++) {
        ApiKit k;
        kit_open(&k, version, flag, eager);
        const char *got = kit_call(&k, calls[i].call);
        const bool error = strstr(calls[i].expected, "Error: ");
        const bool same = error ? strncmp(got, calls[i].expected, strlen(calls[i].expected)) == 0
                                : strcmp(got, calls[i].expected) == 0;
        cr_expect(same, "line %d: %s\n  expected %s\n  got      %s", calls[i].line, calls[i].call,
                  calls[i].expected, got);
        const char *broken = k.b.graph ? sf_graph_verify(k.b.graph) : NULL;
        cr_expect_null(broken, "line %d: %s: %s", calls[i].line, calls[i].call, broken);
        kit_close(&k);
    }
}

#endif
