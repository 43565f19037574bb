/* Op tests as tables: attrs, inputs, expected result, one row a case.
 * Invariant: each row is run as written, with every `?` dim given an identity, and weakened (a dim
 * to `?`, a rank to `?`, a value hidden, one at a time and all together): a weaker input may only
 * give a less precise result, never a new error.
 * Owner: rows are static data; an SfRow owns what was parsed, until sf_row_free.
 * Source: shape_inference_testutil.cc of TensorFlow (INFER_OK, INFER_ERROR); STYLE.md.
 *
 *   static const SfOpCase matmul[] = {
 *       ROW("",                 "[2,3] [3,4]",  "[2,4]"),
 *       ROW("",                 "[?,3] [?,?]",  "[a.0,b.1]"),
 *       ROW("transpose_b=true", "[n,3] [4,3]",  "[n,4]"),
 *       ROW("",                 "[2,3] [4,5]",  "SF101 a.1 b.0"),
 *   };
 *   SF_OP_TEST(MatMul, matmul)
 *   SF_OPS_TEST(activations, unary, "Relu", "Elu", "Tanh")   the same rows over many ops
 *
 * attrs     comma-separated `name=value` in the type that the signature declares:
 *           transpose_a=true, N=2, axis=-1, alpha=0.5, padding='SAME' (or SAME), T=int64,
 *           strides=[1,2,2,1], Tout=[float,int32], dtypes=[], shape=[2,?] (or ?),
 *           shapes=[[2],?], value={1,2}:int64 (a tensor), f=body (a function's name).
 *           Attrs that are not given have their default; type and number attrs follow from the
 *           inputs. Pseudo-attrs: @version=1.8 (default 1.15), @phase=run|eager (default build),
 *           @weak=no where TensorFlow itself refuses the weaker input (say why beside the row).
 * inputs    separated by blanks, in the signature's order. Each is one of
 *             [2,?,n]         a shape; n is a symbol, the same one wherever it stands in the row
 *             ?  !            unknown rank, bottom
 *             {1,2,?,n}       a vector whose content is known ({{1,2},{3,4}}: a matrix, {}: empty)
 *             5 -1 2.5 true 'text'    a scalar whose content is known
 *             &[2,3]:int64    a variable (resource or ref, as the signature says) declared so
 *             [2,3]={{1,2,3},{4,5,6}}   the same as the value alone
 *           and may end with `:dtype` ("float", "int64", TensorFlow's names). Without it the dtype
 *           is the signature's, else that of the attr when given, else of the literal, else of the
 *           attr's default, else float, else the first that is allowed.
 *           A list input is `( [2] [3] )`, `( )`; without parentheses the op's only list input
 * takes what the others leave. expected  shapes of the outputs, separated by blanks, "" for an op
 * without outputs. As inputs, and a dim may be `a.0`: the very dim of axis 0 of the first flat
 * input (b, c... the next ones). A literal ({1,2}, 5, [2]={?,3}) also checks the folded value;
 * `[2]=?` checks that none is known; `:dtype` checks the dtype. Dims are compared exactly. Or an
 * error: `SF101 a.1 b.0 'words'`: the code, the places (`a` input, `a.1` axis,
 *           `@axis` attr, `out.0` output, `op` the op itself; none given: not checked), and
 *           optionally words that the message must contain.
 *           Or `deferred SF101 a.0 b.0 / [?,3]`: inference goes on, with one deferred finding
 *           (`warns SF501 ... / [3]`: with a warning).
 *           A symbol that no input has stands for any dim that the op named anew.
 *           `cost 48` at the end checks the FLOPs. */
#ifndef SF_TESTS_OP_ROWS_H
#define SF_TESTS_OP_ROWS_H

#include <criterion/criterion.h>

#include "tests/c/support/op_row.h"

typedef struct SfOpCase {
    const char *attrs, *inputs, *expected;
    int line;
} SfOpCase;

#define ROW(attrs_, inputs_, expected_)                                                            \
    {                                                                                              \
        (attrs_), (inputs_), (expected_), __LINE__                                                 \
    }

/* Runs all rows for one op and fails the running Criterion test at file:line of each bad row. */
void sf_rows_run(const char *op, const SfOpCase *rows, int nrows, const char *file);

/* A table with the ops that it is run for, entered in a list before main: sf_rows_run_file runs those of
 * a file, and sf_rows_lacks asks which ops have rows, and of which kinds. */
typedef struct SfOpRows {
    const char *const *ops;
    int nops;
    const SfOpCase *rows;
    int nrows;
    const char *file;
    struct SfOpRows *next;
} SfOpRows;
void sf_rows_enter(SfOpRows *table);

/* How many files have tables, and the run of those of the file `which`. A Criterion test is a process of
 * its own, and a process for each table took longer than the rows. $SF_ROWS names the only op to run. */
int sf_rows_file_count(void);
void sf_rows_run_file(int which);

#define SF_OP_TEST(op, rows)         SF_ROWS_TEST_(op, rows, #op)
#define SF_OPS_TEST(name, rows, ...) SF_ROWS_TEST_(name, rows, __VA_ARGS__)

#define SF_ROWS_TEST_(name, rows_, ...)                                                            \
    static const char *const name##_##rows_##_ops[] = {__VA_ARGS__};                               \
    __attribute__((constructor)) static void name##_##rows_##_enter(void)                          \
    {                                                                                              \
        static SfOpRows table_ = {name##_##rows_##_ops,                                            \
                                  SF_ARRAY_LEN(name##_##rows_##_ops),                              \
                                  (rows_),                                                         \
                                  SF_ARRAY_LEN(rows_),                                             \
                                  __FILE__,                                                        \
                                  NULL};                                                           \
        sf_rows_enter(&table_);                                                                    \
    }

/* Which rows the tables of this program lack for an op, as text (" partly known" and so on); "" when
 * none. A kind that the op cannot have is not missed: see op_tables.c. */
void sf_rows_lacks(const SfOpSig *sig, char *text, size_t size);

#endif
