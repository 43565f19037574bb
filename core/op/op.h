/* The op registry: one entry says all that is known of a raw op.
 * Invariant: tables are const; a signature is parsed once, on first use, and never changes.
 * Owner: the registry (global, guarded by one mutex) owns parsed signatures until sf_ops_reset.
 * Source: tf.raw_ops; the grammar is tensorflow/core/framework/op_def_builder.h:
 *   inputs/outputs  "a: T, b: T", "values: N * T", "x: Tlist", "ref: Ref(T)", "axis: int32"
 *   attrs           "T: {half, float} = float, N: int >= 1, transpose_a: bool = false,
 *                    strides: list(int), padding: {'SAME', 'VALID'}, dtype: type, shape: shape =
 *                    {}" */
#ifndef SF_CORE_OP_H
#define SF_CORE_OP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/op/attr.h"

typedef struct SfInfer SfInfer;
typedef struct SfMessage SfMessage;
typedef struct SfCheck SfCheck;
typedef struct SfRange SfRange;
typedef struct SfHazard SfHazard;

typedef SfStatus (*SfInferFn)(SfInfer *c); /* shapes: want, compute, set the output */
typedef void (*SfFoldFn)(SfInfer *c);      /* values: sets outputs what it can, never fails */
typedef void (*SfRangeFn)(SfRange *c);     /* intervals of the elements (range.h) */

/* What of an op is differentiable; an input outside the mask gets no gradient (None). */
/* clang-format off */
#define SF_GRAD_FLOATS 0u             /* default: every floating or complex input */
#define SF_GRAD_NONE 0x80000000u      /* tf.no_gradient: gradients stop here */
#define SF_GRAD_MISSING 0x40000000u   /* no gradient registered: tf.gradients raises LookupError */
#define SF_GRAD_INPUTS(mask) (0x20000000u | (mask)) /* bit i: signature input i is differentiable */
/* clang-format on */

/* What the core must know an op for: one thing at most. The order says what belongs together. */
typedef enum SfOpRole {
    SF_ROLE_NONE,
    SF_ROLE_PLACEHOLDER,
    SF_ROLE_PLACEHOLDER_WITH_DEFAULT,
    /* The control flow of TensorFlow 1, the ops on references included. */
    SF_ROLE_SWITCH,
    SF_ROLE_SWITCH_N, /* no run decides it */
    SF_ROLE_MERGE,
    SF_ROLE_ENTER,
    SF_ROLE_EXIT,
    SF_ROLE_NEXT_ITERATION,
    SF_ROLE_LOOP_COND,
    /* Calls of functions that are attrs. */
    SF_ROLE_CALL,
    SF_ROLE_IF,
    SF_ROLE_CASE,
    SF_ROLE_WHILE,
    SF_ROLE_VARIABLE, /* not initialised until something assigns to it */
    SF_ROLE_ASSIGN,
    SF_ROLE_RESTORE, /* reads a checkpoint */
    SF_ROLE_UPDATE,  /* a training step of one variable */
    SF_ROLE_CONST,
    /* Views: elements of the first input, in their order. */
    SF_ROLE_READ_VARIABLE,
    SF_ROLE_IDENTITY,
    SF_ROLE_STOP_GRADIENT,
    SF_ROLE_CAST,
    SF_ROLE_RESHAPE,
    SF_ROLE_EXPAND_DIMS,
    SF_ROLE_SQUEEZE,
    SF_ROLE_STRIDED_SLICE,
    SF_ROLE_TRANSPOSE,
    SF_ROLE_NO_OP,
    SF_ROLE_PACK,
    SF_ROLE_LENGTHEN, /* joins or pads: an axis gets longer */
    /* The gradient of their first input is IndexedSlices: always, along axis 0, for single
     * columns. */
    SF_ROLE_GATHER,
    SF_ROLE_GATHER_ALONG,
    SF_ROLE_GATHER_ND,
    /* TensorArrays, whose flow, the last input, stands for what they hold: one element goes in or
     * comes out, or all do. */
    SF_ROLE_ARRAY_WRITE,
    SF_ROLE_ARRAY_READ,
    SF_ROLE_ARRAY_SCATTER,
    SF_ROLE_ARRAY_GATHER,
    SF_ROLE_GRADIENT /* of its other inputs by its first */
} SfOpRole;

/* What an op computes of numbers, for the search from a loss back to what it compares. */
typedef enum SfArithmetic {
    SF_ARITHMETIC_OTHER,
    SF_ARITHMETIC_SUM,
    SF_ARITHMETIC_DIFFERENCE,
    SF_ARITHMETIC_PRODUCT, /* or quotient */
    SF_ARITHMETIC_POWER,   /* of the first input */
    SF_ARITHMETIC_REDUCTION,
    SF_ARITHMETIC_COMPARISON
} SfArithmetic;

/* What Python calls an input or attr that is declared under another name. */
typedef struct SfRename {
    const char *name, *declared;
} SfRename;

/* The traits of an op, as bits of `traits`. */
enum {
    SF_OP_STATEFUL =
        1u << 0, /* never merged, never folded (infer itself may set the output values) */
    SF_OP_RANDOM = 1u << 1,     /* output content is random */
    SF_OP_STATE = 1u << 2,      /* owns mutable state (VariableV2, VarHandleOp, queues) */
    SF_OP_WRITES = 1u << 3,     /* writes the state of an input */
    SF_OP_UNINIT_OK = 1u << 4,  /* may read uninitialised state (Assign, IsVariableInitialized) */
    SF_OP_SHAPE_ONLY = 1u << 5, /* reads shapes, or says itself that no gradient passes */
    SF_OP_ELEMENTWISE = 1u << 6,
    SF_OP_UNIT_SUM = 1u << 7, /* content is a distribution over the last axis (softmax) */
    SF_OP_INTERNAL = 1u << 8, /* ours, not in tf.raw_ops */
    /* while a graph is built, infer runs once more as a kernel: deferred */
    SF_OP_ASK_KERNEL = 1u << 9,
    SF_OP_UNMODELLED = 1u << 10, /* for what is not modelled: what it says may not hold */
    /* TensorFlow gave it no shape function: whatever infer refuses, only the kernel does
     * (deferred) */
    SF_OP_KERNEL_ONLY = 1u << 11,
    SF_OP_PASSES_GRADIENT = 1u << 12, /* IndexedSlices stay IndexedSlices */
    SF_OP_BOOKKEEPING = 1u << 13,     /* looks at variables, but computes nothing of them: saving */
    /* Its shape [] meant an unknown shape in the files of old producers. */
    SF_OP_OLD_EMPTY_SHAPE = 1u << 14,
    /* Not element by element, but its kernel may write an output over an input that nobody reads
     * any more. */
    SF_OP_IN_PLACE = 1u << 15,
    /* A product (of matrices, a convolution): the gradient of either factor reads the other one. */
    SF_OP_PRODUCT = 1u << 16,
    SF_OP_FACTORS = 1u << 17 /* an elementwise product: each gradient reads the other factor */
};

/* Which content of inputs TensorFlow folds while it builds a graph, version by version. */
typedef enum SfFoldSince {
    SF_FOLDS_WHEN_EXACT,    /* 1.9 and later, of exact content; 2.x all */
    SF_FOLDS_WHEN_EXACT_18, /* the same, and 1.8 */
    SF_FOLDS_SLICES,        /* partly known content too, when no axis is dropped */
    SF_FOLDS_ALWAYS         /* partly known content too */
} SfFoldSince;

typedef struct SfOpDef {
    const char *name, *inputs, *outputs, *attrs;
    SfInferFn infer;            /* required */
    SfFoldFn fold;              /* runs after infer, when it succeeded */
    double (*cost)(SfInfer *c); /* FLOPs; NULL: one for each output element */
    SfRangeFn range;            /* NULL: any element is possible */
    bool range_of_parts;        /* it answers for parts of outputs too (range.h) */
    const SfHazard *hazards;    /* operands that it cannot take; ends with {0}; NULL: none */
    const SfMessage *messages;  /* what its kernel says when a check fails (message.h) */
    const char *shapes;         /* of inputs and outputs, for sf_infer_shapes (infer.h) */
    /* What its kernel checks beside infer, a table and then a function: first in a run, last and
     * deferred in construction. */
    const SfCheck *checks;
    SfInferFn kernel;
    bool checks_last; /* in a run too they come after what infer wants */
    unsigned traits, grad;
    SfOpRole role;
    SfFoldSince folds;
    int variant; /* which op of its family it is, for functions that several rows share */
    SfArithmetic arithmetic;
    const SfRename *renames; /* ends with {0}; NULL: none. Set by SF_RENAMED */
} SfOpDef;

/* In a row: SF_RENAMED({"axis", "dim"}). */
#define SF_RENAMED(...)                                                                            \
    .renames = (const SfRename[])                                                                  \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            NULL, NULL                                                                             \
        }                                                                                          \
    }

static inline bool sf_role_is_flow(SfOpRole role)
{
    return role >= SF_ROLE_SWITCH && role <= SF_ROLE_LOOP_COND;
}

static inline bool sf_role_is_call(SfOpRole role)
{
    return role >= SF_ROLE_CALL && role <= SF_ROLE_WHILE;
}

static inline bool sf_role_is_view(SfOpRole role)
{
    return role >= SF_ROLE_READ_VARIABLE && role <= SF_ROLE_STRIDED_SLICE;
}

/* A family's rows; `name` says which ("linalg"). */
typedef struct SfOpTable {
    const SfOpDef *ops;
    int count;
    const char *name;
} SfOpTable;
/* clang-format off */
#define SF_OP(opname, ...) {.name = #opname, __VA_ARGS__}
/* clang-format on */

typedef struct SfOpSig {
    const SfOpDef *def;
    int id; /* dense number of the op in the registry */
    int nin, nout, nattr;
    const SfPortSpec *in, *out;
    const SfAttrSpec *attrs; /* TensorFlow's order: as declared */
} SfOpSig;

/* Registers the tables of a higher layer. Idempotent for the same table; two definitions of one
 * name are our own bug (assert), the first one stays. Thread-safe, as are find and at. */
SfStatus sf_ops_register(const SfOpTable *table);
/* The parsed signature by name; NULL when there is no such op (or memory ran out). */
const SfOpSig *sf_op_find(const char *name);
/* The op that is built in place of what is not modelled: the one with SF_OP_UNMODELLED, or NULL. */
const SfOpSig *sf_op_unmodelled(void);
int sf_op_count(void);
const SfOpSig *sf_op_at(int i); /* by id: registration order */
/* Parses one definition (tests and fuzzers); in `arena`; on failure NULL and *error says why (NULL
 * when memory ran out). The id of the result is -1. */
const SfOpSig *sf_op_parse(const SfOpDef *def, SfArena *arena, const char **error);
/* -1: none. Inline, because names are literals: their lengths, and the comparisons, are the
 * compiler's. */
static inline int sf_op_attr_index(const SfOpSig *sig, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 0; i < sig->nattr; i++) {
        if (sig->attrs[i].name_length == length && memcmp(sig->attrs[i].name, name, length) == 0) {
            return i;
        }
    }
    return -1;
}
/* Attr i of a call or node: as it was given, else the default. */
static inline const SfAttr *sf_attr_at(const SfOpSig *sig, const SfAttr *attrs, int i)
{
    return attrs && attrs[i].set ? &attrs[i] : &sig->attrs[i].def;
}
/* For tests, when nothing made of the ops is left: graphs, eager owners (sf_eager_reset). */
void sf_ops_reset(void);

#endif
