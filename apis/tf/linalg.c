/* tf.linalg: products, norms, decompositions. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

/* matmul */
static SfStatus both_true(SfCall *c, char which)
{
    return sf_api_is_v2(c)
               ? sf_api_value_error(c,
                                    "Only one of `transpose_%c` and `adjoint_%c` can be True. "
                                    "Received `transpose_%c`=True, `adjoint_%c`=True.",
                                    which, which, which, which)
               : sf_api_value_error(c, "Only one of transpose_%c and adjoint_%c can be True.",
                                    which, which);
}

/* a and b of a product, with "transpose or adjoint" (the shapes of both are the same). */
typedef struct Product {
    SfTensor a, b;
    bool transpose_a, transpose_b;
} Product;

static bool flag_set(const SfArg *a)
{
    return a->kind == SF_ARG_BOOL && a->u.b;
}

static SfStatus read_flags(SfCall *c, Product *p)
{
    SF_TRY(sf_api_bool(c, "transpose_a", &p->transpose_a));
    SF_TRY(sf_api_bool(c, "transpose_b", &p->transpose_b));
    const bool adjoint_a = flag_set(sf_api_arg(c, "adjoint_a"));
    const bool adjoint_b = flag_set(sf_api_arg(c, "adjoint_b"));
    if (p->transpose_a && adjoint_a) {
        return both_true(c, 'a');
    }
    if (p->transpose_b && adjoint_b) {
        return both_true(c, 'b');
    }
    p->transpose_a = p->transpose_a || adjoint_a;
    p->transpose_b = p->transpose_b || adjoint_b;
    return SF_OK;
}

static SfStatus body_matmul(SfCall *c, const char *scope, SfTensor *out)
{
    Product p = {0};
    SF_TRY(read_flags(c, &p));
    SF_TRY(sf_compose_arg(c, "a", &p.a));
    if (sf_api_version(c) >= SF_VERSION(2, 0)) {
        SF_TRY(sf_compose_arg_hint(c, "b", p.a.dtype, &p.b));
    } else {
        SF_TRY(sf_compose_arg(c, "b", &p.b));
    }
    SfDtype wanted = p.a.dtype;
    SF_TRY(sf_api_dtype(c, "output_type", &wanted));
    if (wanted != p.a.dtype || wanted != p.b.dtype) {
        if (!sf_arg_is_none(sf_api_arg(c, "output_type"))) { /* small integers, say */
            const SfTensor in[] = {p.a, p.b};
            const SfAttrArg attrs[] = {SF_ABOOL("adj_x", p.transpose_a),
                                       SF_ABOOL("adj_y", p.transpose_b), SF_ATYPE("Tout", wanted)};
            return sf_api_op(c, "BatchMatMulV3", scope, in, 2, attrs, 3, out);
        }
    }
    return sf_compose_matmul(c, p.a, p.b, p.transpose_a, p.transpose_b, scope, out);
}

/* a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, ... */
static SfStatus api_matmul(SfCall *c)
{
    enum { A, B, FLAGS, END_FLAGS = 6 };
    bool plain = c->args[A].kind == SF_ARG_TENSOR && c->args[B].kind == SF_ARG_TENSOR &&
                 sf_arg_is_none(sf_api_arg(c, "output_type"));
    for (int i = FLAGS; i < END_FLAGS; i++) {
        plain = plain && c->args[i].kind == SF_ARG_BOOL && !c->args[i].u.b;
    }
    if (plain) { /* no constants to make, no scope to enter */
        SfTensor out;
        const char *name = sf_api_name(c);
        SF_TRY(sf_compose_matmul(c, c->args[A].u.tensor, c->args[B].u.tensor, false, false,
                                 name || sf_api_eager(c) ? name : "MatMul", &out));
        sf_return_tensor(c, out);
        return SF_OK;
    }
    return sf_compose_scoped(c, "MatMul", body_matmul);
}

/* A matrix times a vector: times a matrix of one column. */
static SfStatus body_matvec(SfCall *c, const char *scope, SfTensor *out)
{
    Product p = {0};
    const int64_t last = -1;
    SF_TRY(read_flags(c, &p));
    SF_TRY(sf_compose_arg(c, "a", &p.a));
    SF_TRY(sf_compose_arg(c, "b", &p.b));
    SF_TRY(sf_compose_expand_dims(c, p.b, -1, NULL, &p.b));
    SF_TRY(sf_compose_matmul(c, p.a, p.b, p.transpose_a, false, NULL, out));
    return sf_compose_squeeze(c, *out, &last, 1, scope, out);
}

/* tensordot */
enum { UNKNOWN_AXES = -1 };

typedef struct Axes {
    int n; /* or UNKNOWN_AXES */
    int64_t at[SF_RANK_MAX];
} Axes;

static SfStatus read_axis_list(SfCall *c, const SfArg *a, Axes *out)
{
    const int n = a->kind == SF_ARG_LIST ? a->u.list.n : 1;
    const SfArg *items = a->kind == SF_ARG_LIST ? a->u.list.items : a;
    if (n > SF_RANK_MAX) {
        return sf_api_value_error(c, "too many axes");
    }
    for (int i = 0; i < n; i++) {
        if (!sf_arg_as_int(&items[i], &out->at[i])) {
            return sf_api_value_error(c, "'axes' must be an integer or have length 2.");
        }
    }
    out->n = n;
    return SF_OK;
}

/* An array or a tensor: a row of axes of each, or one axis. */
static SfStatus read_axis_rows(SfCall *c, const SfValue *v, Axes *of_a, Axes *of_b)
{
    const SfShape *shape = sf_value_shape(v);
    const int64_t n = sf_value_count(v) / 2;
    const int rank = sf_shape_rank(shape);
    if (rank < 1 || rank > 2 || sf_shape_dim(shape, 0) != 2 || n > SF_RANK_MAX) {
        return sf_api_value_error(c, "'axes' must be an integer or have length 2.");
    }
    of_a->n = of_b->n = (int)n;
    for (int i = 0; i < n; i++) {
        of_a->at[i] = sf_value_elem(v, i).u.i;
        of_b->at[i] = sf_value_elem(v, n + i).u.i;
    }
    return SF_OK;
}

/* axes=n: the last n of a with the first n of b; axes=[[...], [...]]: those. */
static SfStatus tensordot_axes(SfCall *c, SfTensor a, Axes *of_a, Axes *of_b)
{
    const SfArg *axes = sf_api_arg(c, "axes");
    int64_t n = 0;
    if (axes->kind != SF_ARG_LIST && sf_arg_as_int(axes, &n)) {
        if (n < 0 || n > SF_RANK_MAX) {
            return sf_api_value_error(c, "`axes` must be at least 0.");
        }
        if (sf_tensor_rank(a) >= 0 && n > sf_tensor_rank(a)) {
            return sf_api_shape_error(c,
                                      "'axes' must not be larger than the number of dimensions "
                                      "of tensor %s.",
                                      sf_arg_str(c, sf_api_arg(c, "a")));
        }
        of_a->n = of_b->n = (int)n;
        for (int i = 0; i < n; i++) {
            of_a->at[i] = sf_tensor_rank(a) - n + i;
            of_b->at[i] = i;
        }
        return SF_OK;
    }
    if (axes->kind == SF_ARG_ARRAY || axes->kind == SF_ARG_TENSOR) {
        const SfValue *v = axes->kind == SF_ARG_ARRAY ? axes->u.array.value : axes->u.tensor.value;
        if (v && sf_value_is_exact(v)) {
            return read_axis_rows(c, v, of_a, of_b);
        }
        if (axes->kind == SF_ARG_TENSOR) {
            of_a->n = of_b->n = UNKNOWN_AXES;
            return SF_OK;
        }
    }
    if (axes->kind != SF_ARG_LIST || axes->u.list.n != 2) {
        return sf_api_value_error(c, "'axes' must be an integer or have length 2.");
    }
    SF_TRY(read_axis_list(c, &axes->u.list.items[0], of_a));
    SF_TRY(read_axis_list(c, &axes->u.list.items[1], of_b));
    if (of_a->n != of_b->n) {
        return sf_api_value_error(c, "Different number of contraction axes 'a' and 'b', %d != %d.",
                                  of_a->n, of_b->n);
    }
    return SF_OK;
}

static bool has_axis(const Axes *axes, int64_t axis)
{
    for (int i = 0; i < axes->n; i++) {
        if (axes->at[i] == axis) {
            return true;
        }
    }
    return false;
}

/* One operand as a matrix: free axes by contracted ones (or the other way); the dims of the free
 * axes come back as a tensor. */
static SfStatus as_matrix(SfCall *c, SfTensor x, Axes *axes, bool contracted_first, SfTensor *out,
                          SfTensor *free_dims)
{
    const int rank = sf_tensor_rank(x);
    int64_t perm[SF_RANK_MAX], frees[SF_RANK_MAX];
    SfTensor shape, in[3], parts[2], prod;
    int n = 0, nfree = 0;
    for (int i = 0; i < axes->n; i++) {
        axes->at[i] += axes->at[i] < 0 ? rank : 0;
        if (axes->at[i] < 0 || axes->at[i] >= rank) {
            return sf_api_shape_error(c, "axis out of range in tensordot");
        }
    }
    for (int i = 0; i < rank; i++) {
        if (!has_axis(axes, i)) {
            frees[nfree++] = i;
        }
    }
    for (int i = 0; i < axes->n && contracted_first; i++) {
        perm[n++] = axes->at[i];
    }
    for (int i = 0; i < nfree; i++) {
        perm[n++] = frees[i];
    }
    for (int i = 0; i < axes->n && !contracted_first; i++) {
        perm[n++] = axes->at[i];
    }
    if (sf_shape_is_known(x.shape)) {
        int64_t dims[SF_RANK_MAX], sides[2] = {1, 1};
        for (int i = 0; i < rank; i++) {
            const SfDim d = sf_shape_dim(x.shape, i);
            sides[has_axis(axes, i) != contracted_first] *= d;
        }
        for (int i = 0; i < nfree; i++) {
            dims[i] = sf_shape_dim(x.shape, (int)frees[i]);
        }
        SF_TRY(sf_api_const_ints(c, dims, nfree, SF_DT_INT32, "free", free_dims));
        SF_TRY(sf_compose_transpose(c, x, perm, rank, "transpose", &x));
        return sf_compose_reshape(c, x, sides, 2, NULL, out);
    }
    SF_TRY(sf_compose_shape(c, x, SF_DT_INT32, NULL, &shape));
    SF_TRY(sf_api_const_int(c, 0, SF_DT_INT32, NULL, &in[2]));
    in[0] = shape;
    SF_TRY(sf_api_const_ints(c, frees, nfree, SF_DT_INT32, "free", &in[1]));
    SF_TRY(sf_api_op(c, "GatherV2", NULL, in, 3, NULL, 0, free_dims));
    SF_TRY(sf_api_const_ints(c, axes->at, axes->n, SF_DT_INT32, "axes", &in[1]));
    SF_TRY(sf_api_op(c, "GatherV2", NULL, in, 3, NULL, 0, &parts[!contracted_first]));
    SF_TRY(sf_compose_reduce_all(c, "Prod", NULL, parts[!contracted_first], &prod));
    parts[!contracted_first] = prod;
    SF_TRY(sf_compose_reduce_all(c, "Prod", NULL, *free_dims, &parts[contracted_first]));
    SF_TRY(sf_compose_pack(c, parts, 2, 0, "stack", &shape));
    SF_TRY(sf_compose_transpose(c, x, perm, rank, "transpose", &x));
    return sf_compose_binary(c, "Reshape", NULL, x, shape, out);
}

/* The dims of the axes that are not contracted. */
static const SfShape *free_shape(SfTensor x, const Axes *axes)
{
    SfDim dims[SF_RANK_MAX];
    const int rank = sf_tensor_rank(x);
    int n = 0;
    for (int i = 0; i < rank; i++) {
        if (!has_axis(axes, i) && !has_axis(axes, i - rank)) {
            dims[n++] = sf_shape_dim(x.shape, i);
        }
    }
    return sf_shape_make(n, dims);
}

/* The axes are a tensor that nobody knows: so are the rank and the dims of the result. */
static SfStatus of_unknown_axes(SfCall *c, SfTensor a, const char *scope, SfTensor *out)
{
    SfTensor axes, in[3], dims;
    SF_TRY(sf_compose_arg(c, "axes", &axes));
    const SfDtype dtype = sf_tensor_dtype(axes);
    SF_TRY(sf_api_const_int(c, 0, dtype, NULL, &in[0]));
    SF_TRY(sf_compose_reduce_all(c, "Max", NULL, axes, &in[1]));
    SF_TRY(sf_api_const_int(c, 1, dtype, NULL, &in[2]));
    SF_TRY(sf_api_op(c, "Range", NULL, in, 3, NULL, 0, &dims));
    return sf_compose_binary(c, "Reshape", scope, a, dims, out);
}

static SfStatus body_tensordot(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor a, b, dims[2];
    Axes of_a, of_b;
    SF_TRY(sf_compose_arg(c, "a", &a));
    SF_TRY(sf_compose_arg(c, "b", &b));
    SF_TRY(tensordot_axes(c, a, &of_a, &of_b));
    if (of_a.n == UNKNOWN_AXES) {
        return of_unknown_axes(c, a, scope, out);
    }
    if (sf_tensor_rank(a) < 0 || sf_tensor_rank(b) < 0) { /* nothing is known of the result */
        const int64_t flat = -1;
        SfTensor opaque = sf_tensor_rank(a) < 0 ? a : b;
        SF_TRY(sf_compose_shape(c, opaque, SF_DT_INT32, NULL, &dims[0]));
        SF_TRY(sf_compose_reshape(c, opaque, &flat, 1, NULL, &opaque));
        return sf_compose_binary(c, "Reshape", scope, opaque, dims[0], out);
    }
    const SfShape *result = sf_shape_concat(free_shape(a, &of_a), free_shape(b, &of_b));
    SF_TRY(as_matrix(c, a, &of_a, false, &a, &dims[0]));
    SF_TRY(as_matrix(c, b, &of_b, true, &b, &dims[1]));
    SF_TRY(sf_compose_binary(c, "MatMul", NULL, a, b, out));
    SF_TRY(sf_compose_concat(c, dims, 2, 0, "concat", &dims[0]));
    SF_TRY(sf_compose_binary(c, "Reshape", scope, *out, dims[0], out));
    return sf_compose_set_shape(c, out, result);
}

/* einsum: the op Einsum, once for each pair of inputs */
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* The equation as the op wants it: without spaces, and the result spelt out. Left away, it is the
 * ellipsis (TensorFlow 2: if it stands once) and then the labels that stand once, in their
 * alphabet's order. NULL: no memory. */
static const char *whole_equation(SfCall *c, const char *given)
{
    int seen[256] = {0};
    char *e = sf_arena_alloc(c->arena, strlen(given) + sizeof "->..." LETTERS);
    if (!e) {
        return NULL;
    }
    char *at = e;
    for (; *given != '\0'; given++) {
        if (*given != ' ') {
            *at++ = *given;
            seen[(unsigned char)*given]++;
        }
    }
    *at = '\0';
    if (strstr(e, "->") || e[strspn(e, LETTERS ",.")] != '\0') {
        return e; /* what is wrong with it the op says */
    }
    const bool dots = seen['.'] == 3 || (seen['.'] != 0 && sf_api_version(c) < SF_VERSION(2, 0));
    const char *start = dots ? "->..." : "->";
    memcpy(at, start, strlen(start));
    at += strlen(start);
    for (const char *label = LETTERS; *label != '\0'; label++) {
        if (seen[(unsigned char)*label] == 1) {
            *at++ = *label;
        }
    }
    *at = '\0';
    return e;
}

/* With more than two inputs the first two become one, which keeps the labels that another input
 * or the result names. opt_einsum may choose another order; the shape of the result is the same. */
static SfStatus merge_first(SfCall *c, const char **equation, SfTensor *inputs)
{
    const char *e = *equation, *comma = strchr(e, ',');
    const char *rest = !comma ? NULL : strchr(comma + 1, ',');
    if (!rest) {
        return SF_OK;
    }
    char kept[sizeof "..." LETTERS] = "";
    size_t n = 0;
    const char *dots = memchr(e, '.', (size_t)(rest - e));
    if (dots) {
        memcpy(kept, "...", n = 3);
    }
    for (const char *label = LETTERS; *label != '\0'; label++) {
        if (memchr(e, *label, (size_t)(rest - e)) && strchr(rest, *label)) {
            kept[n++] = *label;
        }
    }
    kept[n] = '\0';
    const char *pair = sf_arena_printf(c->arena, "%.*s->%s", (int)(rest - e), e, kept);
    *equation = sf_arena_printf(c->arena, "%s%s", kept, rest);
    SF_TRY_ALLOC(pair && *equation);
    const SfAttrArg attrs[] = {{.name = "equation", .value = sf_attr_make_string(pair)}};
    return sf_api_op(c, "Einsum", "Einsum", inputs, 2, attrs, 1, &inputs[1]);
}

static int count_commas(const char *s)
{
    int n = 0;
    while ((s = strchr(s, ','))) {
        s++;
        n++;
    }
    return n;
}

static SfStatus einsum(SfCall *c, const char *equation, SfTensor *inputs, int n, SfTensor *out)
{
    /* another number of inputs than of terms is for the op to report */
    const bool fits = count_commas(equation) == n - 1;
    for (; fits && n > 2; inputs++, n--) {
        SF_TRY(merge_first(c, &equation, inputs));
    }
    const SfAttrArg attrs[] = {{.name = "equation", .value = sf_attr_make_string(equation)}};
    return sf_api_op(c, "Einsum", "Einsum", inputs, n, attrs, 1, out);
}

static SfStatus api_einsum(SfCall *c)
{
    const char *equation = "";
    SfTensor *inputs = NULL, out;
    SfScope scope;
    int n = 0;
    SF_TRY(sf_api_string(c, "equation", &equation));
    SF_TRY(sf_compose_list(c, sf_api_arg(c, "inputs"), true, "inputs", &inputs, &n));
    if (!(equation = whole_equation(c, equation))) {
        return SF_NOMEM;
    }
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), "einsum", &scope));
    const SfStatus st = einsum(c, equation, inputs, n, &out);
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) {
        sf_return_tensor(c, out);
    }
    return st;
}

/* norms */
static SfStatus body_norm(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x, axes;
    bool keep = false;
    const SfArg *keep_arg;
    SF_TRY(sf_compose_arg(c, "tensor", &x));
    SF_TRY(sf_api_either(c, "keepdims", "keep_dims", &keep_arg));
    keep = keep_arg->kind == SF_ARG_BOOL && keep_arg->u.b;
    SF_TRY(sf_compose_reduction_dims(c, x, sf_api_arg(c, "axis"), &axes));
    const SfArg *ord = sf_api_arg(c, "ord");
    const bool infinite = ord->kind == SF_ARG_FLOAT && ord->u.f > 1e300;
    const bool one =
        (ord->kind == SF_ARG_INT && ord->u.i == 1) || (ord->kind == SF_ARG_FLOAT && ord->u.f == 1);
    if (infinite || one) {
        SF_TRY(sf_compose_unary(c, "Abs", NULL, x, &x));
        SF_TRY(sf_compose_reduce(c, infinite ? "Max" : "Sum", NULL, x, axes, true, out));
    } else {
        SF_TRY(sf_compose_binary(c, "Mul", "mul", x, x, &x));
        SF_TRY(sf_compose_reduce(c, "Sum", NULL, x, axes, true, &x));
        SF_TRY(sf_compose_unary(c, "Sqrt", NULL, x, out));
    }
    if (keep) {
        return SF_OK;
    }
    int64_t *items = NULL;
    int n = 0;
    if (sf_api_arg(c, "axis")->kind != SF_ARG_TENSOR) {
        SF_TRY(sf_api_ints(c, "axis", &items, &n));
    }
    return sf_compose_squeeze(c, *out, items, n, NULL, out);
}

/* sqrt of the sum of the squares of all; entries that are None do not count. */
static SfStatus global_norm(SfCall *c, const char *scope, SfTensor *out)
{
    const SfArg *list = sf_api_arg(c, "t_list");
    if (list->kind != SF_ARG_LIST) {
        return sf_api_type_error(c, "%s",
                                 sf_api_is_v2(c) ? "`t_list` should be a sequence of "
                                                   "tensors"
                                                 : "t_list should be a sequence");
    }
    SfTensor *norms = sf_arena_alloc(c->arena, sizeof *norms * (size_t)(list->u.list.n + 1));
    int n = 0;
    SF_TRY_ALLOC(norms);
    for (int i = 0; i < list->u.list.n; i++) {
        SfTensor t;
        if (sf_arg_is_none(&list->u.list.items[i])) {
            continue;
        }
        SF_TRY(sf_api_tensor(c, &list->u.list.items[i], SF_DT_INVALID, &t));
        SF_TRY(sf_compose_unary(c, "L2Loss", NULL, t, &norms[n++]));
    }
    if (n == 0) { /* the norm of nothing */
        return sf_compose_scalar(c, 0, SF_DT_FLOAT, "global_norm", out);
    }
    SF_TRY(sf_compose_pack(c, norms, n, 0, "stack", out));
    SF_TRY(sf_compose_reduce_axis(c, "Sum", NULL, *out, 0, false, out));
    SF_TRY(sf_compose_binary_const(c, "Mul", "mul", *out, 2, out));
    return sf_compose_unary(c, "Sqrt", "global_norm", *out, out);
}

/* t * clip_norm / max(norm, clip_norm) for each; entries that are None are left out. */
static SfStatus clip_all(SfCall *c, const char *scope, SfTensor norm, SfTensor *out, int *n)
{
    const SfArg *list = sf_api_arg(c, "t_list");
    SfTensor clip, scale;
    SF_TRY(sf_compose_arg_hint(c, "clip_norm", norm.dtype, &clip));
    SF_TRY(sf_compose_binary(c, "Maximum", NULL, norm, clip, &scale));
    SF_TRY(sf_compose_binary(c, "RealDiv", "truediv", clip, scale, &scale));
    for (int i = 0; i < list->u.list.n; i++) {
        SfTensor t;
        if (sf_arg_is_none(&list->u.list.items[i])) {
            continue;
        }
        const char *name = scope ? sf_arena_printf(c->arena, "%s_%d", scope, i) : NULL;
        SF_TRY(sf_api_tensor(c, &list->u.list.items[i], SF_DT_INVALID, &t));
        SF_TRY(sf_compose_binary(c, "Mul", "mul", t, scale, &t));
        SF_TRY(sf_compose_unary(c, "Identity", name, t, &out[(*n)++]));
    }
    out[(*n)++] = norm;
    return SF_OK;
}

/* The norm itself stands in its own scope, beside the clipping. */
static SfStatus norm_of_list(SfCall *c, SfTensor *out)
{
    SfScope scope;
    const SfArg *use = sf_api_arg(c, "use_norm");
    if (!sf_arg_is_none(use)) {
        return sf_api_tensor(c, use, SF_DT_INVALID, out);
    }
    const char *name = sf_api_name(c) ? sf_api_name(c) : "global_norm";
    SF_TRY(sf_api_scope_enter(c, name, NULL, &scope));
    const SfStatus st = global_norm(c, scope.scope, out);
    sf_api_scope_exit(c, &scope);
    return st;
}

/* Results: the clipped tensors without the Nones, then the norm; pymodule restores the pair. */
static SfStatus api_clip_by_global_norm(SfCall *c)
{
    const SfArg *list = sf_api_arg(c, "t_list");
    const int count = list->kind == SF_ARG_LIST ? list->u.list.n : 0;
    SfTensor *out = sf_arena_alloc(c->arena, sizeof *out * (size_t)(count + 1)), norm;
    SfScope scope;
    int n = 0;
    if (list->kind != SF_ARG_LIST) {
        return sf_api_type_error(c, "t_list should be a sequence");
    }
    SF_TRY_ALLOC(out);
    SF_TRY(norm_of_list(c, &norm));
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), "clip_by_global_norm", &scope));
    const SfStatus st = clip_all(c, scope.scope, norm, out, &n);
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) {
        sf_return_list(c, out, n);
    }
    return st;
}

/* decompositions and solvers */
static SfStatus body_trace(SfCall *c, const char *scope, SfTensor *out)
{
    const int64_t last = -1;
    SfTensor axes;
    SF_TRY(sf_compose_arg(c, "x", out));
    SF_TRY(sf_compose_unary(c, "MatrixDiagPart", NULL, *out, out));
    SF_TRY(sf_api_const_ints(c, &last, 1, SF_DT_INT32, "reduction_indices", &axes));
    return sf_compose_reduce(c, "Sum", scope, *out, axes, false, out);
}

/* svd returns s, u, v; without compute_uv only s. */
static SfStatus api_svd(SfCall *c)
{
    SfTensor x, out[3];
    bool full = false, vectors = true;
    int n = 0;
    SF_TRY(sf_compose_arg(c, "tensor", &x));
    SF_TRY(sf_api_bool(c, "full_matrices", &full));
    SF_TRY(sf_api_bool(c, "compute_uv", &vectors));
    const SfAttrArg attrs[] = {SF_ABOOL("full_matrices", full), SF_ABOOL("compute_uv", vectors)};
    SF_TRY(sf_api_op_multi(c, "Svd", sf_api_name(c), &x, 1, NULL, attrs, 2, out, 3, &n));
    sf_compose_return(c, out, vectors ? 3 : 1);
    return SF_OK;
}

/* SelfAdjointEigV2: eigenvalues, and vectors when asked for. */
static SfStatus api_eigh(SfCall *c)
{
    const bool vectors = c->sig->row->data[0] == 'v';
    SfTensor x, out[2];
    int n = 0;
    SF_TRY(sf_compose_arg(c, "tensor", &x));
    const SfAttrArg attrs[] = {SF_ABOOL("compute_v", vectors)};
    SF_TRY(
        sf_api_op_multi(c, "SelfAdjointEigV2", sf_api_name(c), &x, 1, NULL, attrs, 1, out, 2, &n));
    sf_compose_return(c, out, vectors ? 2 : 1);
    return SF_OK;
}

/* Eig: complex eigenvalues, and vectors when asked for. */
static SfStatus api_eig(SfCall *c)
{
    const bool vectors = c->sig->row->data[0] == 'v';
    SfTensor x, out[2];
    int n = 0;
    SF_TRY(sf_compose_arg(c, "tensor", &x));
    const SfDtype t = sf_tensor_dtype(x);
    const bool wide = t == SF_DT_DOUBLE || t == SF_DT_COMPLEX128;
    const SfAttrArg attrs[] = {SF_ABOOL("compute_v", vectors),
                               SF_ATYPE("Tout", wide ? SF_DT_COMPLEX128 : SF_DT_COMPLEX64)};
    SF_TRY(sf_api_op_multi(c, "Eig", sf_api_name(c), &x, 1, NULL, attrs, 2, out, 2, &n));
    sf_compose_return(c, out, vectors ? 2 : 1);
    return SF_OK;
}

/* tf.linalg.normalize: the tensor over its norm, and the norm with its axes kept. */
static SfStatus normalized(SfCall *c, SfTensor *out)
{
    SfTensor x, axes, sum;
    SF_TRY(sf_compose_arg(c, "tensor", &x));
    SF_TRY(sf_compose_reduction_dims(c, x, sf_api_arg(c, "axis"), &axes));
    SF_TRY(sf_compose_binary(c, "Mul", "mul", x, x, &sum));
    SF_TRY(sf_compose_reduce(c, "Sum", NULL, sum, axes, true, &sum));
    SF_TRY(sf_compose_unary(c, "Sqrt", "norm", sum, &out[1]));
    return sf_compose_binary(c, "RealDiv", "truediv", x, out[1], &out[0]);
}

static SfStatus api_normalize(SfCall *c)
{
    SfTensor out[2];
    SfScope scope;
    SF_TRY(sf_api_scope_enter(c, sf_api_name(c), "normalize", &scope));
    const SfStatus st = normalized(c, out);
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) {
        sf_compose_return(c, out, 2);
    }
    return st;
}

static SfStatus body_cholesky_solve(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor chol, rhs;
    SF_TRY(sf_compose_arg(c, "chol", &chol));
    SF_TRY(sf_compose_arg(c, "rhs", &rhs));
    const SfTensor first[] = {chol, rhs};
    const SfAttrArg attrs[] = {SF_ABOOL("lower", true), SF_ABOOL("adjoint", true)};
    SF_TRY(sf_api_op(c, "MatrixTriangularSolve", NULL, first, 2, attrs, 1, &rhs));
    const SfTensor second[] = {chol, rhs};
    return sf_api_op(c, "MatrixTriangularSolve", scope, second, 2, attrs, 2, out);
}

static SfStatus body_logdet(SfCall *c, const char *scope, SfTensor *out)
{
    const int64_t last = -1;
    SfTensor axes;
    SF_TRY(sf_compose_arg(c, "matrix", out));
    SF_TRY(sf_compose_unary(c, "Cholesky", NULL, *out, out));
    SF_TRY(sf_compose_unary(c, "MatrixDiagPart", NULL, *out, out));
    SF_TRY(sf_compose_unary(c, "Log", NULL, *out, out));
    SF_TRY(sf_api_const_ints(c, &last, 1, SF_DT_INT32, "reduction_indices", &axes));
    SF_TRY(sf_compose_reduce(c, "Sum", NULL, *out, axes, false, out));
    return sf_compose_binary_const(c, "Mul", scope, *out, 2, out);
}

/* clang-format off */
static const SfApiRow rows[] = {
    {"tf.matmul tf.linalg.matmul", SF_TF12,
     "a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, "
     "a_is_sparse=False, b_is_sparse=False, output_type=None, grad_a=False, grad_b=False, "
     "name=None", .call = api_matmul},
    {"tf.linalg.matvec", SF_TF12,
     "a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None",
     SF_SCOPED("MatVec", body_matvec)},
    {"tf.batch_matmul", SF_TF1, "x, y, adj_x=None, adj_y=None, name=None",
     .op = "BatchMatMul", .until = SF_VERSION(1, 0)},
    {"tf.tensordot tf.linalg.tensordot", SF_TF12, "a, b, axes, name=None",
     SF_SCOPED("Tensordot", body_tensordot)},
    {"tf.einsum tf.linalg.einsum", SF_TF12, "equation, *inputs, name=None, optimize='greedy'",
     .call = api_einsum},
    {"tf.norm tf.linalg.norm", SF_TF1,
     "tensor, ord='euclidean', axis=None, keepdims=None, name=None, keep_dims=None",
     SF_SCOPED("norm", body_norm)},
    {"tf.norm tf.linalg.norm", SF_TF2,
     "tensor, ord='euclidean', axis=None, keepdims=None, name=None", SF_SCOPED("norm", body_norm)},
    {"tf.linalg.global_norm", SF_TF12, "t_list, name=None", SF_SCOPED("global_norm", global_norm)},
    {"tf.global_norm", SF_TF1, "t_list, name=None", SF_SCOPED("global_norm", global_norm)},
    {"tf.clip_by_global_norm", SF_TF12, "t_list, clip_norm, use_norm=None, name=None",
     .call = api_clip_by_global_norm},
    {"tf.linalg.trace", SF_TF12, "x, name=None", SF_SCOPED("Trace", body_trace)},
    {"tf.trace", SF_TF1, "x, name=None", SF_SCOPED("Trace", body_trace)},
    {"tf.linalg.svd", SF_TF12, "tensor, full_matrices=False, compute_uv=True, name=None",
     .call = api_svd},
    {"tf.svd", SF_TF1, "tensor, full_matrices=False, compute_uv=True, name=None", .call = api_svd},
    {"tf.linalg.eigh", SF_TF12, "tensor, name=None", .call = api_eigh, .data = "vectors"},
    {"tf.self_adjoint_eig", SF_TF1, "tensor, name=None", .call = api_eigh, .data = "vectors"},
    {"tf.linalg.eigvalsh", SF_TF12, "tensor, name=None", .call = api_eigh, .data = "eigenvalues"},
    {"tf.self_adjoint_eigvals", SF_TF1, "tensor, name=None",
     .call = api_eigh, .data = "eigenvalues"},
    {"tf.eig tf.linalg.eig", SF_TF2, "tensor, name=None", .call = api_eig, .data = "vectors"},
    {"tf.eigvals tf.linalg.eigvals", SF_TF2, "tensor, name=None",
     .call = api_eig, .data = "eigenvalues"},
    {"tf.linalg.normalize", SF_TF12, "tensor, ord='euclidean', axis=None, name=None",
     .call = api_normalize},
    {"tf.linalg.cholesky_solve", SF_TF12, "chol, rhs, name=None",
     SF_SCOPED("cholesky_solve", body_cholesky_solve)},
    {"tf.cholesky_solve", SF_TF1, "chol, rhs, name=None",
     SF_SCOPED("cholesky_solve", body_cholesky_solve)},
    {"tf.linalg.logdet", SF_TF12, "matrix, name=None", SF_SCOPED("logdet", body_logdet)},
    {"tf.linalg.triangular_solve", SF_TF12, "matrix, rhs, lower=True, adjoint=False, name=None",
     .op = "MatrixTriangularSolve"},
    {"tf.matrix_triangular_solve", SF_TF1, "matrix, rhs, lower=True, adjoint=False, name=None",
     .op = "MatrixTriangularSolve"},
    {"tf.linalg.lstsq", SF_TF12, "matrix, rhs, l2_regularizer=0.0, fast=True, name=None",
     .op = "MatrixSolveLs"},
    {"tf.matrix_solve_ls", SF_TF1, "matrix, rhs, l2_regularizer=0.0, fast=True, name=None",
     .op = "MatrixSolveLs"},
    {"tf.linalg.banded_triangular_solve", SF_TF2,
     "bands, rhs, lower=True, adjoint=False, name=None",
     .op = "BandedTriangularSolve", .rename = "bands=matrix"},
    /* decompositions */
    {"tf.linalg.cholesky", SF_TF12, "input, name=None", .op = "Cholesky"},
    {"tf.cholesky", SF_TF1, "input, name=None", .op = "Cholesky"},
    {"tf.linalg.det", SF_TF12, "input, name=None", .op = "MatrixDeterminant"},
    {"tf.matrix_determinant", SF_TF1, "input, name=None", .op = "MatrixDeterminant"},
    {"tf.linalg.inv", SF_TF12, "input, adjoint=False, name=None", .op = "MatrixInverse"},
    {"tf.matrix_inverse", SF_TF1, "input, adjoint=False, name=None", .op = "MatrixInverse"},
    {"tf.linalg.logm", SF_TF12, "input, name=None", .op = "MatrixLogarithm"},
    {"tf.linalg.lu", SF_TF12, "input, output_idx_type=tf.int32, name=None", .op = "Lu"},
    {"tf.linalg.slogdet", SF_TF12, "input, name=None", .op = "LogMatrixDeterminant"},
    {"tf.linalg.solve", SF_TF12, "matrix, rhs, adjoint=False, name=None", .op = "MatrixSolve"},
    {"tf.matrix_solve", SF_TF1, "matrix, rhs, adjoint=False, name=None", .op = "MatrixSolve"},
    {"tf.matrix_square_root tf.linalg.sqrtm", SF_TF12, "input, name=None",
     .op = "MatrixSquareRoot"},
    {"tf.linalg.qr", SF_TF12, "input, full_matrices=False, name=None", .op = "Qr"},
    {"tf.qr", SF_TF1, "input, full_matrices=False, name=None", .op = "Qr"},
    {"tf.linalg.cross", SF_TF12, "a, b, name=None", .op = "Cross"},
    {"tf.cross", SF_TF1, "a, b, name=None", .op = "Cross"},
    {"tf.sparse_matmul", SF_TF1,
     "a, b, transpose_a=False, transpose_b=False, a_is_sparse=False, b_is_sparse=False, "
     "name=None", .op = "SparseMatMul"},
};
/* clang-format on */
const SfApiTable sf_api_linalg = {rows, SF_ARRAY_LEN(rows), "linalg"};
