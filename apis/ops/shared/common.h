/* Private to apis/ops: wants that several families share beyond core/op/infer.h.
 * Invariant: as there: each refines or reports, in TensorFlow's message.
 * Owner: nothing. Source: InferenceContext and common_shape_fns.cc of TensorFlow. */
#ifndef SF_APIS_OPS_COMMON_H
#define SF_APIS_OPS_COMMON_H

#include "core/op/infer.h"

/* In a kernel, not in a shape function: the kernel's checks apply. */
static inline bool sf_common_runs(const SfInfer *c)
{
    return sf_in_kernel(c);
}
/* Kernels check first what they check, in an order of their own: in a run before the wants of the
 * shape function, in construction (where a finding is deferred) after them. */
static inline SfStatus sf_common_kernel_first(SfInfer *c, SfKernelCheck check, const void *data)
{
    return sf_common_runs(c) ? sf_kernel_check(c, check, data) : SF_OK;
}
static inline SfStatus sf_common_kernel_last(SfInfer *c, SfKernelCheck check, const void *data)
{
    return sf_common_runs(c) ? SF_OK : sf_kernel_check(c, check, data);
}
/* Inputs [first, end) are scalars. */
SfStatus sf_common_want_scalars(SfInfer *c, int first, int end);
/* A scalar; kernels also take one element of any rank for it. */
SfStatus sf_common_want_scalar(SfInfer *c, SfPlace place);
/* Rows for elementwise ops of equal shapes (BinaryElementWiseOp), and a table of them alone. */
/* clang-format off */
#define SF_SAME_SHAPE_TEXT \
    "Inputs to operation {op} of type {op} must have the same size and shape.  " \
    "Input 0: {shape 0} != input 1: {shape 1}"
/* clang-format on */
#define SF_SAME_SHAPE_MESSAGES                                                                     \
    {SF_ON(MERGE_DIM), .text = SF_SAME_SHAPE_TEXT},                                                \
    {                                                                                              \
        SF_ON(MERGE_RANK), .text = SF_SAME_SHAPE_TEXT                                              \
    }
extern const SfMessage sf_common_same_shape[];

/* The dim that the scalar integer input i holds (MakeDimForScalarInput): what is known of the
 * content must be a scalar, not negative. */
SfStatus sf_common_dim_value(SfInfer *c, int input, SfDim *out);
/* The number that input i holds, of which a shape function makes a dim without a look: -1 is
 * unknown, and construction fails at less only when the output shape is made. Kernels have
 * messages of their own. */
SfStatus sf_common_want_dim_number(SfInfer *c, int input);
/* The axis of `of` that the scalar input i holds (MakeDimForScalarInputWithNegativeIndexing):
 * *known tells whether it is a number and, with it, non-negative. */
SfStatus sf_common_axis_value(SfInfer *c, int input, const SfShape *of, int64_t *axis, bool *known);
/* The leading dims of `s` must be those of `prefix` (MergePrefix). Both come back refined; may be
 * NULL. */
SfStatus sf_common_prefix(SfInfer *c, SfPlace ps, const SfShape *s, SfPlace pp,
                          const SfShape *prefix, const SfShape **out_s, const SfShape **out_prefix);
/* The integers of a vector (or scalar) input; false when not every one is a known number. The
 * array is scratch memory. */
bool sf_common_ints(SfInfer *c, int input, const int64_t **items, int *n);
/* Element i of input's content as a dim-like number: unknown when nothing is known. */
static inline SfElem sf_common_elem(SfInfer *c, int input, int64_t i)
{
    const SfValue *v = sf_input_value(c, input);
    return !v ? sf_elem_unknown() : sf_value_elem(v, i);
}
/* Elements 2 * row and 2 * row + 1 of a [n, 2] input, when both are known. */
bool sf_common_pair(SfInfer *c, int input, int64_t row, int64_t *first, int64_t *second);
/* Is it a number below `n`? */
static inline bool sf_common_below(SfElem e, int64_t n)
{
    return e.kind == SF_ELEM_INT && e.u.i < n;
}
/* The first element of rows of `depth` indices, of axes of these sizes, that is known to lie
 * outside; -1: none. */
int64_t sf_common_stray_index(const SfValue *rows, const SfDim *sizes, int64_t depth);
/* Where element i of a shape is, "[0,2]"; "" in a scalar. Never NULL. */
const char *sf_common_place_text(SfInfer *c, const SfShape *s, int64_t i);
/* How many elements of an input there are to look at: 0 when its content is not known, however many
 * its shape has (a loop over 2**40 of them would not end). */
int64_t sf_common_elems(SfInfer *c, int input);
/* Elements as text, "1, 0, ?"; never NULL. */
const char *sf_common_list_text(SfInfer *c, const SfElem *elems, int64_t n, const char *separator);
/* The known integers of an input as text, "1,0,?"; never NULL. */
const char *sf_common_joined_ints(SfInfer *c, int input);
/* Text of a dim for messages, in scratch memory: `3` or `?`; never NULL. */
const char *sf_common_dim_text(SfInfer *c, SfDim d);
/* An input as Tensor::DebugString has it, "Tensor<type: int32 shape: [2] values: 1 2>"; no values
 * when they are not known. Never NULL. */
const char *sf_common_tensor_text(SfInfer *c, int input);
/* Its values alone, as Tensor::SummarizeValue has them: "1 2"; "" when they are not known. */
const char *sf_common_value_text(SfInfer *c, int input);
/* The first `n` bytes of `text`, in scratch memory; never NULL. */
const char *sf_common_text(SfInfer *c, const char *text, size_t n);
/* `text` in capitals (DT_FLOAT), in scratch memory; never NULL. */
const char *sf_common_upper(SfInfer *c, const char *text);
/* Number of elements of a vector, or of a scalar (1); -1 when not known. */
int64_t sf_common_length(const SfShape *s);
/* A shape of rank >= n without its last n dims, and without its first n. Unknown rank stays
 * unknown. */
const SfShape *sf_common_batch(const SfShape *s, int inner);
static inline const SfShape *sf_common_rest(const SfShape *s, int outer)
{
    return sf_shape_slice(s, outer, SF_RANK_MAX);
}
/* The broadcast of two shapes that are those of inputs `ia` and `ib` without the last `inner` dims,
 * or the finding (SF101) at the axis where they differ. */
SfStatus sf_common_broadcast(SfInfer *c, int ia, const SfShape *a, int ib, const SfShape *b,
                             int inner, const SfShape **out);
/* warnings (warn.c) */
/* Warns (SF502), while a graph is built, that `what` is taken over an axis of size 1 of input 0. A
 * negative axis counts back; vectors and unknown ranks are passed over. */
void sf_common_warn_axis_of_one(SfInfer *c, const char *what, int64_t axis);
/* Warns (SF503) that labels [n,1] (input 1) are repeated for every class of logits [n,k] (input 0);
 * in a run only what construction could not see. */
void sf_common_warn_labels(SfInfer *c);
/* Warns (SF504), while a graph is built, that a reshape of input 0 to `out` tears samples apart:
 * its axis 0 is a symbol n, and n stands at another axis of `out` behind a size that is not 1, or
 * rows of `out` are cut from samples of which they are neither a part nor a multiple. */
void sf_common_warn_mixed_batch(SfInfer *c, const SfShape *out);
/* The number that an attr holds as a dim; negative: unknown. */
static inline SfDim sf_common_attr_dim(const SfInfer *c, const char *name)
{
    const int64_t n = sf_attr_int(c, name);
    return n < 0 ? SF_DIM_UNKNOWN : n;
}
/* Outputs [first, end) are vectors of `d`, or scalars: the limits of a quantised output. */
SfStatus sf_common_set_output_vectors(SfInfer *c, int first, int end, SfDim d);
SfStatus sf_common_set_output_scalars(SfInfer *c, int first, int end);
/* Output 0 is `s`, which has a rank, with an axis `times` as long. `s` NULL: no memory. */
SfStatus sf_common_set_output_grown(SfInfer *c, const SfShape *s, int axis, SfDim times);
/* What is known behind a handle (dtype variant) is kept beside it, as a shape, in every mode; NULL:
 * nothing is. */
const SfShape *sf_common_record(const SfInfer *c, int input);
/* Output 0 becomes a scalar variant with that behind it; NULL: with nothing. */
SfStatus sf_common_set_output_record(SfInfer *c, const SfShape *record);
/* What stands behind a scalar variant: one tensor's dtype and shape, kept beside the handle in
 * every mode. */
typedef struct SfKept {
    bool known;
    SfDtype dtype;
    const SfShape *shape; /* never NULL */
} SfKept;
SfKept sf_common_kept(const SfInfer *c, int input);
/* Output 0 becomes a scalar variant with that behind it. */
SfStatus sf_common_keep(SfInfer *c, SfKept kept);
/* Is `text` one of a list of names parted by spaces, "ZLIB GZIP"? The empty text is none. */
bool sf_common_is_among(const char *text, const char *list);
/* Of an SfMessage: number and shape of the first input whose shape is not that of input 0. */
int sf_common_first_misfit(SfInfer *c, const SfFinding *f, SfDiagArg out[]);
/* May a string be a serialised protocol buffer? True also when it is not known. */
bool sf_common_may_be_proto(SfElem e);
double sf_common_cost_none(SfInfer *c);  /* moves or names data: no FLOPs */
double sf_common_cost_input(SfInfer *c); /* one for each element of input 0 */

/* Rows of ops that move or name data: no FLOPs. */
/* clang-format off */
/* What only the kernel refuses is deferred. */
#define SF_MOVE(name, ...) \
    SF_OP(name, .cost = sf_common_cost_none, .traits = SF_OP_ASK_KERNEL, __VA_ARGS__)
/* The next two: no gradient is registered. */
/* `...` begins with the transfer function. */
#define SF_PLAIN_OP(name, in, out, attrs_, ...) \
    SF_OP(name, .inputs = in, .outputs = out, .attrs = attrs_, .cost = sf_common_cost_none, \
          .grad = SF_GRAD_MISSING, .infer = __VA_ARGS__)
#define SF_STATEFUL_OP(name, in, out, attrs_, ...) \
    SF_OP(name, .inputs = in, .outputs = out, .attrs = attrs_, .cost = sf_common_cost_none, \
          .traits = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING, .infer = __VA_ARGS__)
/* clang-format on */

#endif
