/* The inference context: what a transfer function sees, and its three moves: want, compute, set the
 * output. Invariant: attrs, dtypes and arity were validated when the node was made, so sf_attr_*
 * cannot fail; an infer_ never sees a bottom input. An output that is not set is of unknown shape.
 * Owner: the context lives on the stack of core; scratch memory of a call is in c's arena.
 * Source: tensorflow/core/framework/shape_inference.h. */
#ifndef SF_CORE_INFER_H
#define SF_CORE_INFER_H

#include <assert.h>

#include "core/op/message.h"
#include "core/op/state.h"

/* The context of one inference. Public only so that the accessors can be inline: transfer functions
 * read it through them. */
struct SfInfer {
    const struct SfInferArgs *args;
    const SfOpSig *sig;
    const SfAttr *attrs;
    const SfTensor *inputs;
    SfTensor *outs;
    int nin, nout;
    bool in_kernel;        /* sf_in_kernel; while a graph is built, its findings are deferred */
    bool sets_outputs;     /* false: only what a kernel would refuse is asked */
    bool kernel_agrees;    /* sf_kernel_agrees */
    bool whole_values;     /* SfInferArgs */
    bool nomem;            /* memory ran out in a function that returns no status */
    uint64_t asked_values; /* bit i: the content of input i was asked for (messages print it) */
    uint64_t asked_shapes; /* bit i: it was asked for as a shape */
    const char *context;   /* sf_want_context */
    int64_t context_arg;
    const SfMessage *messages; /* what a kernel says instead of a code's own message; NULL: none */
    const SfTensor
        *symbol_free; /* outputs of the second inference, when the finding was deferred */
};

/* Versions compare as numbers: SF_VERSION(1, 15). */
#define SF_VERSION(major, minor) ((major)*1000 + (minor))
int sf_version(const SfInfer *c);
SfPhase sf_phase(const SfInfer *c);
/* What kernels check counts: in a run, in eager mode, and inside sf_kernel_check. */
static inline bool sf_in_kernel(const SfInfer *c)
{
    return c->in_kernel;
}

static inline const SfOpSig *sf_op_sig(const SfInfer *c)
{
    return c->sig;
}

const char *sf_op_type(const SfInfer *c); /* for messages; what an op does is said by its row */
int sf_op_variant(const SfInfer *c);      /* SfOpDef.variant */

/* inputs */
static inline int sf_input_count(const SfInfer *c) /* flat: lists count their elements */
{
    return c->nin;
}

static inline bool sf_has_input(const SfInfer *c, int i)
{
    return i >= 0 && i < c->nin;
}

/* The flat numbers of a named input: [*start, *start + count). Returns count; 0: no such input. */
int sf_input_range(const SfInfer *c, const char *name, int *start);

static inline const SfShape *sf_input(const SfInfer *c, int i) /* outside: unknown rank */
{
    return sf_has_input(c, i) && c->inputs[i].shape ? c->inputs[i].shape : sf_shape_unknown();
}

static inline SfDim sf_input_dim(const SfInfer *c, int i, int axis)
{
    return sf_shape_dim(sf_input(c, i), axis);
}

static inline SfDtype sf_input_dtype(const SfInfer *c, int i)
{
    return sf_has_input(c, i) ? c->inputs[i].dtype : SF_DT_INVALID;
}

/* What ops of a family keep beside a handle (dtype variant): no message shows it. */
static inline const SfValue *sf_input_handle(const SfInfer *c, int i)
{
    return sf_has_input(c, i) ? c->inputs[i].value : NULL;
}

static inline const SfValue *sf_input_value(SfInfer *c, int i) /* NULL: unknown */
{
    const SfValue *v = sf_input_handle(c, i);
    c->asked_values |= i >= 0 && i < 64 ? UINT64_C(1) << i : 0;
    return v && c->whole_values && !sf_value_is_exact(v) ? NULL : v;
}

bool sf_input_int(SfInfer *c, int i, int64_t *out); /* a known scalar (or one element) integer */
/* The producer of input i; NULL in eager mode and for rows. Only for what depends on the graph's
 * form, as Merge does on being part of a loop. */
const SfNode *sf_input_node(const SfInfer *c, int i);
/* Does content come to an op of a graph through the Enter of a loop? */
bool sf_enters_loop(const SfInfer *c);
/* In a run: what construction knew of input i; NULL otherwise. For warnings that are due once. */
const SfShape *sf_static_input(const SfInfer *c, int i);

/* attrs */
extern const SfAttr sf_attr_none; /* of an attr that was not declared: our own bug */
static inline const SfAttr *sf_attr(const SfInfer *c, const char *name) /* never NULL */
{
    const int i = sf_op_attr_index(c->sig, name);
    assert(i >= 0 && "the op declares no such attr");
    return i < 0 ? &sf_attr_none : sf_attr_at(c->sig, c->attrs, i);
}

static inline bool sf_attr_bool(const SfInfer *c, const char *name)
{
    return sf_attr(c, name)->u.b;
}

static inline int64_t sf_attr_int(const SfInfer *c, const char *name)
{
    return sf_attr(c, name)->u.i;
}

static inline double sf_attr_float(const SfInfer *c, const char *name)
{
    return sf_attr(c, name)->u.f;
}

static inline const char *sf_attr_string(const SfInfer *c, const char *name) /* NUL-terminated */
{
    const SfString *s = sf_attr(c, name)->u.s;
    return s ? s->bytes : "";
}

static inline SfDtype sf_attr_type(const SfInfer *c, const char *name)
{
    return sf_attr(c, name)->u.type;
}

static inline const SfShape *sf_attr_shape(const SfInfer *c, const char *name)
{
    const SfShape *s = sf_attr(c, name)->u.shape;
    return s ? s : sf_shape_unknown();
}

static inline int sf_attr_ints(const SfInfer *c, const char *name, const int64_t **items)
{
    const SfAttr *a = sf_attr(c, name);
    *items = a->u.list.u.i;
    return a->u.list.n;
}

int sf_attr_types(const SfInfer *c, const char *name, const SfDtype **items);
int sf_attr_shapes(const SfInfer *c, const char *name, const SfShape *const **items);

/* want: refine or report */
/* Each gives the input as now known through `out` (may be NULL). Unknown rank + want_rank(2) is
 * [?,?]. A check on an axis outside a known rank is the caller's mistake, not an error. */
SfStatus sf_want_rank(SfInfer *c, SfPlace place, int rank, const SfShape **out);
SfStatus sf_want_rank_at_least(SfInfer *c, SfPlace place, int rank, const SfShape **out);
SfStatus sf_want_rank_at_most(SfInfer *c, SfPlace place, int rank, const SfShape **out);
SfStatus sf_want_scalar(SfInfer *c, SfPlace place);
SfStatus sf_want_vector(SfInfer *c, SfPlace place);
/* Two dims that must be equal (SF101), the merged dim through `out`. The dims may come from shapes
 * refined by an earlier want: give them; the places say whose they are. */
SfStatus sf_want_equal(SfInfer *c, SfPlace pa, SfDim a, SfPlace pb, SfDim b, SfDim *out);
SfStatus sf_want_same_dim(SfInfer *c, SfPlace a, SfPlace b, SfDim *out); /* the axes' own dims */
SfStatus sf_want_dim(SfInfer *c, SfPlace axis, int64_t value);           /* SF106 */
/* Two shapes that must be the same (SF107 / SF108). */
SfStatus sf_want_merge(SfInfer *c, SfPlace pa, const SfShape *a, SfPlace pb, const SfShape *b,
                       const SfShape **out);
/* All of `count` inputs from `first` on are of one shape (AddN, Pack; TensorFlow's order and
 * messages). */
SfStatus sf_want_merge_inputs(SfInfer *c, int first, int count, const SfShape **out);
/* The shape that an integer vector holds (MakeShapeFromShapeTensor): rank 1, no entry below -1; -1
 * and unknown entries are `?`. A scalar is refused, -1 too: tf.reshape(x, -1) is an error. */
SfStatus sf_want_shape_value(SfInfer *c, SfPlace place, const SfShape **out);
/* The same, but a scalar stands for a shape of unknown rank (tensor lists); it may be -1 only. */
SfStatus sf_want_shape_or_any(SfInfer *c, SfPlace place, const SfShape **out);
/* The same for kernels that make a tensor (Fill, random): in a run, -1 is no dimension either. */
SfStatus sf_want_dims_value(SfInfer *c, SfPlace place, const SfShape **out);

/* What follows from symbols only (n against n+1) TensorFlow cannot know while it builds a graph.
 * When a check fails in SF_PHASE_BUILD and the inputs hold symbols, core infers once more with
 * every symbol replaced by `?` and content that is known in part forgotten (except where it is read
 * as a shape): when that succeeds, the finding is reported as `deferred`, the outputs are those of
 * the second inference, and the build goes on. Transfer functions need not care. */

/* report */
/* Reports `code` at up to two places with up to SF_FAIL_ARGS_MAX typed arguments; the "for 'x' (op:
 * ...) with input shapes" context is added here. Always returns SF_REPORTED (or SF_NOMEM). Use:
 *   return sf_fail(c, SF_DIAG_DIM_EQUAL, SF_INPUT(0), SF_INPUT(1), SF_DIM_ARG(a),
 *   SF_DIM_ARG(b)); */
#define SF_FAIL_ARGS_MAX 10
SfStatus sf_fail_args(SfInfer *c, SfDiagCode code, SfPlace a, SfPlace b, const SfDiagArg *args,
                      int nargs);
#define sf_fail(c, code, a, b, ...)                                                                \
    sf_fail_args((c), (code), (a), (b), (const SfDiagArg[]){__VA_ARGS__},                          \
                 (int)(sizeof((const SfDiagArg[]){__VA_ARGS__}) / sizeof(SfDiagArg)))
/* With a template of the op's own and another code: sf_fail_with, sf_expect, sf_require... in
 * message.h. */

/* Runs a check that TensorFlow leaves to the kernel. In a run and in eager mode its status counts;
 * while a graph is built its finding is deferred (in the kernel's message) and the build goes
 * on. */
typedef SfStatus (*SfKernelCheck)(SfInfer *c, const void *data);
SfStatus sf_kernel_check(SfInfer *c, SfKernelCheck check, const void *data);
/* The same of a check without data. An op whose kernel is asked before or after all of its infer_
 * has the check in its row (SfOpDef.kernel). */
SfStatus sf_ask_kernel(SfInfer *c, SfInferFn check);
/* For the infer_ of an op flagged SF_OP_ASK_KERNEL: it has checked all that the kernel would check,
 * whose own check is then left out. */
static inline void sf_kernel_agrees(SfInfer *c, bool agrees)
{
    c->kernel_agrees = agrees;
}

/* An op flagged SF_OP_ASK_KERNEL needs no check of its own: when its infer_ has succeeded in
 * construction, it runs once more inside sf_kernel_check, where sf_in_kernel is true and setting
 * outputs does nothing. What it refuses then is deferred. */
/* What construction adds to the messages of the wants that follow, {0} being `arg`; NULL: nothing.
 *   sf_want_context(c, "\n\tFrom merging shape {0} with other shapes.", i);
 * The text must be static. */
void sf_want_context(SfInfer *c, const char *text, int64_t arg);
/* Text for messages, in scratch memory: "[2,3]"; never NULL. */
const char *sf_shape_text(SfInfer *c, const SfShape *s);
/* A warning at this op: the run goes on. */
void sf_warn_args(SfInfer *c, SfDiagCode code, SfPlace a, SfPlace b, const SfDiagArg *args, int n);

/* set the output */
/* All return SF_NOMEM when `s` is NULL. A count past int64 is SF122, and so is a dim that is
 * bottom, which sf_dim_add and the like give past int64. A bottom shape is never set: whoever
 * computed it must have reported the contradiction before. */
SfStatus sf_set_output_shape(SfInfer *c, int output, const SfShape *s);
SfStatus sf_set_output_unknown(SfInfer *c, int output);
SfStatus sf_set_output_scalar(SfInfer *c, int output);
SfStatus sf_set_output_dims(SfInfer *c, int output, int rank, const SfDim *sizes);
SfStatus sf_set_output_vector(SfInfer *c, int output, SfDim d0);
SfStatus sf_set_output_matrix(SfInfer *c, int output, SfDim d0, SfDim d1);
SfStatus sf_set_output_same(SfInfer *c, int output, int input); /* output has the input's shape */
SfStatus sf_set_outputs(SfInfer *c, const SfShape *s);          /* all of them */
/* NULL: unknown; used by fold_ (which is not called for SF_OP_STATEFUL and SF_OP_RANDOM ops), and
 * by an infer_ that has set the shape. Refines the output's shape; a value that contradicts the
 * shape or dtype of the output is dropped. */
void sf_set_output_value(SfInfer *c, int output, const SfValue *v);
/* A value of which the numbers are unknown and the symbols, which print as unknown, are left; NULL:
 * it has none. */
const SfValue *sf_infer_symbols_of(SfInfer *c, const SfValue *v);
static inline int sf_output_count(const SfInfer *c)
{
    return c->nout;
}

int sf_output_range(const SfInfer *c, const char *name, int *start);
const SfShape *sf_output(const SfInfer *c, int i); /* what was set so far */
SfDtype sf_output_dtype(const SfInfer *c, int i);
/* Output `i` stands for the same state as input `j` (Identity of a ref, Assign's output_ref). */
void sf_set_output_state(SfInfer *c, int output, int input);

/* mutable state (variables, queues) */
/* The owner node behind input i (through Identity, Enter, Switch...), or NULL. */
SfNode *sf_input_state_node(const SfInfer *c, int i);
/* State behind input `i`, or of this op itself with i = -1. While a graph is built this is the
 * declared shape and dtype, not initialised. False: no owner is known. */
bool sf_state_read(SfInfer *c, int i, SfState *out);
/* Writes it, in a run; ignored in construction. */
void sf_state_write(SfInfer *c, int i, const SfState *s);

void *sf_scratch(SfInfer *c, size_t size); /* zeroed, until the inference ends; NULL: no memory */

/* shared transfer functions (core/op/infer_common.c) */
SfStatus sf_infer_unchanged(SfInfer *c); /* every output has the shape of input 0 */
SfStatus sf_infer_scalar(SfInfer *c);    /* every output is a scalar */
SfStatus sf_infer_no_output(SfInfer *c);
SfStatus sf_infer_unknown(SfInfer *c);   /* arity and dtypes known, shapes not */
SfStatus sf_infer_broadcast(SfInfer *c); /* binary elementwise over inputs 0 and 1 */
SfStatus sf_infer_merge_all(SfInfer *c); /* all inputs of one shape, which is the output's */
SfStatus sf_infer_each(SfInfer *c);      /* output i has the shape of input i */
/* What the op's row says of its shapes: `.infer = SF_SHAPES("[n,4] [n] [] -> [n,?] ?")`. Before the
 * arrow an item for each input of the signature, after it one for each output, the last one for all
 * the rest; a list takes its item for each of its tensors.
 *   [], [?], [n,4]  the rank; a dim that is this number, or equal wherever its letter stands; of an
 *                   output also an int attr by its name (negative: unknown)
 *   ?               any shape; of an output: not known
 *   >=1, <=1        of an input: the rank is at least, at most that
 *   =1              of an output: the shape of input 1; of lists, of the one at the same place
 *   {shape}         of an output: the shape that an attr holds */
SfStatus sf_infer_shapes(SfInfer *c);
#define SF_SHAPES(text) sf_infer_shapes, .shapes = (text)

/* Runs infer (and fold) of `sig` alone: the entry used by build, session, provenance, tests.
 * `states` may be NULL. `outs` has nout entries with their dtypes already set. */
typedef struct SfInferArgs {
    const SfOpSig *sig;
    const SfAttr *attrs;
    const SfTensor *inputs;
    int nin;
    SfTensor *outs;
    int nout;
    SfNode *node;  /* NULL in eager mode and for rows */
    SfNode *owner; /* of the state that an op with SF_OP_STATE makes; NULL: the node */
    const char *name;
    uint32_t location;
    int version;
    SfPhase phase;
    SfSink *sink;
    SfArena *scratch;
    struct SfStateTable *states; /* NULL while building */
    bool whole_values; /* content known in part is not known, except where it is read as a shape */
    bool may_not_run;  /* sf_build_may_not_run: nothing deferred is reported */
    const char *function; /* SF_PHASE_EAGER in the body of a tf.function: its name; else NULL */
} SfInferArgs;
SfStatus sf_infer_run(const SfInferArgs *args);
/* FLOPs of an op whose `outs` are inferred; negative when unknown. */
double sf_infer_cost(const SfInferArgs *args);

#endif
