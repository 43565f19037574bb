/* What an op says when a check fails, as data: rows of templates, and tables of checks with their
 * text. Invariant: a row changes a message and its code, never whether a check fails. Tables are
 * const. Owner: nothing; a text is made in scratch memory when a finding is reported, never before.
 * Source: TensorFlow's kernels (OP_REQUIRES), as the emulated version has them.
 *
 * A template is text with references in braces; a brace that starts none of them stays as it is.
 *   {0} {1} ...     the typed arguments of the finding, or those given to sf_fail_with;
 *                   {0:g}: as %g has it, {0:f}: a double without its fraction, {0:u}: as uint64
 *   {a} {b}         the number of the input at the finding's first / second place
 *   {a.axis} {a.name} {a.shape} {a.rank} {a.dim} {a.count} {a.dtype} {a.value}
 *                   of that place; the same of b; an attr has its name only
 *   {shape 1} {rank 1} {count 1} {dtype 1} {name 1} {value 1}
 *                   of input 1; {dim 1 -1}: its last dim
 *   {attr adj_x}    an attr: int, float, bool as 0 / 1, string, type, shape
 *   {op}            the op's type
 * Shapes print as [2,?], dims as 3 or ?, values as Tensor::SummarizeValue has them. */
#ifndef SF_CORE_OP_MESSAGE_H
#define SF_CORE_OP_MESSAGE_H

#include "core/op/diag.h"
#include "core/op/op.h"

/* What a failed check found, before it becomes a message. */
typedef struct SfFinding {
    SfDiagCode code;
    SfPlace a, b;
    const SfDiagArg *args; /* of the code's message: its text, where that is the op's own */
    int nargs;
    const SfDiagArg *facts; /* what such a text was filled with; NULL: args */
    int nfacts;
} SfFinding;

enum { SF_MESSAGE_ARGS_MAX = 10 };

/* One row: what a kernel says instead of the code's own message. The first row that applies is
 * taken; a table ends with {0}. While a graph is built only sf_kernel_check reads it. */
struct SfMessage {
    uint8_t on;            /* 1 + the code of the finding; 0: any. Set by SF_ON, SF_ON_MERGE */
    uint8_t as;            /* 1 + the code reported instead; 0: the finding's. Set by SF_AS */
    int8_t input;          /* 1 + the input of its first place; 0: any. Set by SF_OF */
    int8_t other;          /* 1 + the input of its second place; 0: any. Set by SF_WITH */
    int8_t axis;           /* 1 + the axis of its first place; 0: any. Set by SF_ALONG */
    bool known;            /* only when every dim among its arguments is a number */
    int16_t since, before; /* versions: [since, before); 0: open */
    bool (*when)(SfInfer *c, const SfFinding *f); /* NULL: always */
    /* The arguments of the text, and of the code that SF_AS names, when they are not the finding's;
     * returns how many. NULL: those. */
    int (*args)(SfInfer *c, const SfFinding *f, SfDiagArg out[SF_MESSAGE_ARGS_MAX]);
    const char *text; /* NULL: the message of the code */
};

#define SF_ON(name) .on = 1 + SF_DIAG_##name
#define SF_ON_MERGE .on = UINT8_MAX /* two shapes that differ: MERGE_DIM and MERGE_RANK */
#define SF_AS(name) .as = 1 + SF_DIAG_##name
#define SF_OF(i)    .input = 1 + (i)
#define SF_ALONG(a) .axis = 1 + (a)
#define SF_WITH(i)  .other = 1 + (i)

/* The messages of this op's kernel from here on; NULL: none. An op whose table
 * never changes has it in its row (SfOpDef.messages). */
void sf_kernel_messages(SfInfer *c, const SfMessage *table);

/* One check of a kernel, of things that are named before anything is computed, and what it says.
 * What is not known passes. A table ends with {0}. */
typedef enum SfCheckKind {
    SF_CHECK_END,
    SF_CHECK_RANK,          /* rank of input a is n */
    SF_CHECK_RANK_AT_LEAST, /* ... at least n */
    SF_CHECK_RANK_AT_MOST,  /* ... at most n */
    SF_CHECK_ELEMENTS,      /* input a has n elements, whatever its rank */
    SF_CHECK_DIM,           /* the axis has n elements */
    SF_CHECK_DIM_AT_LEAST,  /* ... at least n */
    SF_CHECK_SAME_DIM,      /* axis a and axis b are equal */
    SF_CHECK_SAME_RANK,     /* inputs a and b have the same rank */
    SF_CHECK_INT_AT_LEAST,  /* the integer that input a holds is at least n */
    SF_CHECK_INTS_AT_LEAST, /* every integer that input a holds is at least n */
    SF_CHECK_ATTR_AT_LEAST  /* the integer attr is at least n */
} SfCheckKind;

struct SfCheck {
    SfCheckKind kind;
    SfPlace a, b;
    int64_t n;
    uint8_t as; /* 1 + the code; 0: that of the kind (the want's, or SF_DIAG_RUN_REFUSED). SF_AS */
    int16_t since, before;
    const char *text; /* {0}: what is wanted (n, or the dim / rank of b); {1}: what is there */
};

/* Rows: {SF_IS_SCALAR(2), .text = "size must be a scalar, got shape {a.shape}"}. */
#define SF_IS_RANK(i, k)          .kind = SF_CHECK_RANK, .a = SF_INPUT(i), .n = (k)
#define SF_IS_SCALAR(i)           SF_IS_RANK(i, 0)
#define SF_IS_VECTOR(i)           SF_IS_RANK(i, 1)
#define SF_IS_MATRIX(i)           SF_IS_RANK(i, 2)
#define SF_RANK_AT_LEAST(i, k)    .kind = SF_CHECK_RANK_AT_LEAST, .a = SF_INPUT(i), .n = (k)
#define SF_RANK_AT_MOST(i, k)     .kind = SF_CHECK_RANK_AT_MOST, .a = SF_INPUT(i), .n = (k)
#define SF_HAS_ELEMENTS(i, k)     .kind = SF_CHECK_ELEMENTS, .a = SF_INPUT(i), .n = (k)
#define SF_DIM_IS(i, ax, k)       .kind = SF_CHECK_DIM, .a = SF_AXIS(i, ax), .n = (k)
#define SF_DIM_AT_LEAST(i, ax, k) .kind = SF_CHECK_DIM_AT_LEAST, .a = SF_AXIS(i, ax), .n = (k)
#define SF_DIMS_EQUAL(i, ax, j, bx)                                                                \
    .kind = SF_CHECK_SAME_DIM, .a = SF_AXIS(i, ax), .b = SF_AXIS(j, bx)
#define SF_RANKS_EQUAL(i, j)    .kind = SF_CHECK_SAME_RANK, .a = SF_INPUT(i), .b = SF_INPUT(j)
#define SF_INT_AT_LEAST(i, k)   .kind = SF_CHECK_INT_AT_LEAST, .a = SF_INPUT(i), .n = (k)
#define SF_INTS_AT_LEAST(i, k)  .kind = SF_CHECK_INTS_AT_LEAST, .a = SF_INPUT(i), .n = (k)
#define SF_ATTR_AT_LEAST(at, k) .kind = SF_CHECK_ATTR_AT_LEAST, .a = SF_ATTR(at), .n = (k)

/* Every row in order; the first that fails is reported, in its own text. A check of an input that
 * the call does not have passes. */
SfStatus sf_check(SfInfer *c, const SfCheck *table);
/* The same as a SfKernelCheck (data: the table): sf_kernel_check(c, sf_check_table, rows). */
SfStatus sf_check_table(SfInfer *c, const void *table);

/* Reports `code` at two places with a template of the op's own and typed arguments:
 *   return sf_fail_with(c, SF_DIAG_RUN_REFUSED, SF_INPUT(1), SF_THE_OP,
 *                       "size {0} of slice {1} must be >= 0", SF_INT_ARG(n), SF_INT_ARG(i)); */
SfStatus sf_fail_template(SfInfer *c, SfDiagCode code, SfPlace a, SfPlace b, const char *text,
                          const SfDiagArg *args, int nargs);
#define sf_fail_with(c, code, a, b, text, ...)                                                     \
    sf_fail_template(                                                                              \
        (c), (code), (a), (b), (text), (const SfDiagArg[]){SF_NO_ARG, ##__VA_ARGS__} + 1,          \
        (int)(sizeof((const SfDiagArg[]){SF_NO_ARG, ##__VA_ARGS__}) / sizeof(SfDiagArg)) - 1)
/* The kernel refuses what is at a place (SF129). */
#define sf_refuse(c, place, ...)                                                                   \
    sf_fail_with((c), SF_DIAG_RUN_REFUSED, (place), SF_THE_OP, __VA_ARGS__)
/* As TensorFlow's OP_REQUIRES: SF_OK when `holds`, otherwise it is refused with a template:
 *   return sf_require(c, n >= 0, SF_INPUT(1), "size {0} must be >= 0", SF_INT_ARG(n)); */
#define sf_require(c, holds, place, ...) ((holds) ? SF_OK : sf_refuse((c), (place), __VA_ARGS__))
/* The same with a code and two places. */
#define sf_require_as(c, holds, code, a, b, ...)                                                   \
    ((holds) ? SF_OK : sf_fail_with((c), (code), (a), (b), __VA_ARGS__))
/* A shape function's: with the code of a message of the op's own (SF128). */
#define sf_expect(c, holds, place, ...)                                                            \
    sf_require_as((c), (holds), SF_DIAG_OP_SHAPE, (place), SF_THE_OP, __VA_ARGS__)
/* Input `i` has rank `n` (SF102); a dim at one place is that at another, where both are numbers
 * (SF101). */
#define sf_require_rank(c, i, n, ...)                                                              \
    sf_require_as((c), sf_shape_may_have_rank(sf_input((c), (i)), (n)), SF_DIAG_RANK_EXACT,        \
                  SF_INPUT(i), SF_THE_OP, __VA_ARGS__)
#define sf_require_equal(c, pa, a, pb, b, ...)                                                     \
    sf_require_as((c), !sf_dim_differs((a), (b)), SF_DIAG_DIM_EQUAL, (pa), (pb), __VA_ARGS__)
/* Every known integer of an input lies in [low, high), or is at least `low` when `high` is
 * SF_DIM_MAX; nothing is asked when `high` is an unknown dim. {0}: the number of the element, {1}:
 * what it is, {2}: high. */
SfStatus sf_require_ints(SfInfer *c, int input, int64_t low, int64_t high, SfDiagCode code,
                         SfPlace b, const char *text);
#define SF_NO_ARG ((SfDiagArg){SF_DIAG_ARG_INT, {.i = 0}})

#endif
