/* A kit for calling rows as a script would: "tf.reshape(f[n,28,28], [-1, 784])".
 * Invariant: the text is Python's, with one addition: a letter and a shape is a placeholder
 * (f float32, h half, d float64, i int32, l int64, b bool, s string, c complex64, r a float
 * variable). Owner: the kit owns its graph, sink and arena until kit_close. */
#ifndef SF_TESTS_API_KIT_H
#define SF_TESTS_API_KIT_H

#include "apis/apis.h"
#include "tests/c/domain/domain.h"

typedef struct ApiKit {
    SfBuilder b;
    SfSink sink;
    SfArena arena, scratch;
    SfSymbolScope *symbols;
    unsigned flag;
    char text[4096]; /* what the last call gave */
} ApiKit;

void kit_open(ApiKit *k, int version, unsigned flag, bool eager);
void kit_close(ApiKit *k);
/* Runs a call and says what came out: "Reshape float32 [?,784]" (name of the node, dtype, shape
 * with unknown dims as ?; "; " between results), or "ValueError: words". In eager mode without the
 * name. */
const char *kit_call(ApiKit *k, const char *call);

#endif
