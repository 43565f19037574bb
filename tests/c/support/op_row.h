/* One row of op_rows.h's notation, parsed: for the tables, the fuzzers and the benchmarks.
 * Invariant: sf_row_infer may be called any number of times.
 * Owner: an SfRow owns what was parsed, until sf_row_free. Source: op_rows.h. */
#ifndef SF_TESTS_OP_ROW_H
#define SF_TESTS_OP_ROW_H

#include "core/graph/graph.h"
#include "tests/c/domain/domain.h"

typedef struct SfRow {
    SfArena arena, scratch;
    SfSymbolScope *scope;
    const SfOpSig *sig;
    SfAttr *attrs;
    SfTensor *inputs, *outs;
    int nin, nout;
    int version;
    SfPhase phase;
    bool not_weakened;
    char error[200]; /* why the row does not parse */
} SfRow;

/* False, with `error` filled, when the text is no row of this op. Free in either case. */
bool sf_row_parse(SfRow *row, const SfOpSig *sig, const char *attrs, const char *inputs);
void sf_row_free(SfRow *row);
SfStatus sf_row_infer(SfRow *row, SfSink *sink); /* fills row->outs anew */

/* One tensor of the notation; *text is advanced. `dtype` is SF_DT_INVALID when none is given. */
typedef struct SfRowTensor {
    const SfShape *shape;
    int rank;
    SfDim dims[16];
    int same_input[16], same_axis[16]; /* `a.0` in an expected shape; input -1: none */
    bool literal, variable, value_unknown;
    SfElem *elems; /* of a literal, in the arena */
    int64_t count;
    SfDtype dtype, literal_dtype;
} SfRowTensor;
bool sf_row_tensor(SfRow *row, const char **text, SfRowTensor *out);

#endif
