/* The content of Python numbers, strings, arrays and nested lists: dtype, shape and value, as
 * numpy sees them while a graph is built and as py_seq_tensor.cc does in eager mode. */
#include "apis/api_internal.h"

#include <math.h>

enum {
    DEPTH_MAX = 32, /* of nested lists */
    DIMS_MAX = 64   /* with the dims of arrays inside them */
};

/* What a pass over the leaves finds out. */
typedef struct Scan {
    SfCall *c;
    const SfArg *root;
    int rank;
    int list_rank; /* the dims that come from lists, not from arrays inside them */
    int64_t leaves;
    bool ragged, has_bool, has_int, has_float, has_string, has_dim, has_bad, has_wide;
    SfDtype arrays;     /* promotion of the dtypes of arrays in the lists, or SF_DT_INVALID */
    const SfArg *first; /* the first leaf */
    const SfArg *bad;   /* the first None or object */
    SfDim dims[DIMS_MAX];
} Scan;

/* Everything but the dims is cleared. */
static void start(Scan *s, SfCall *c, const SfArg *root)
{
    memset(s, 0, offsetof(Scan, dims));
    s->c = c;
    s->root = root;
}

static int numeric_class(SfDtype t)
{
    if (t == SF_DT_BOOL) {
        return 0;
    }
    if (sf_dtype_is_integer(t) || sf_dtype_is_quantized(t)) {
        return 1;
    }
    if (sf_dtype_is_floating(t)) {
        return 2;
    }
    return sf_dtype_is_complex(t) ? 3 : 4;
}

static SfDtype signed_of_size(size_t bytes)
{
    return bytes <= 1   ? SF_DT_INT8
           : bytes <= 2 ? SF_DT_INT16
           : bytes <= 4 ? SF_DT_INT32
           : bytes <= 8 ? SF_DT_INT64
                        : SF_DT_DOUBLE;
}

/* numpy.promote_types, for the dtypes that TensorFlow shares with it. */
static SfDtype promote(SfDtype a, SfDtype b)
{
    if (a == b || b == SF_DT_INVALID) {
        return a;
    }
    if (a == SF_DT_INVALID) {
        return b;
    }
    const int ka = numeric_class(a), kb = numeric_class(b);
    if (ka == 4 || kb == 4) {
        return SF_DT_STRING;
    }
    if (ka > kb) {
        return promote(b, a);
    }
    const size_t sa = sf_dtype_size(a), sb = sf_dtype_size(b);
    if (ka == 0) {
        return b;
    }
    if (kb == 1) {
        if (sf_dtype_is_unsigned(a) == sf_dtype_is_unsigned(b)) {
            return sa > sb ? a : b;
        }
        const size_t u = sf_dtype_is_unsigned(a) ? sa : sb, s = sf_dtype_is_unsigned(a) ? sb : sa;
        return signed_of_size(u < s ? s : u * 2);
    }
    if (kb == 2) {
        if (ka == 2) {
            return sa > sb ? a : b;
        }
        return sa >= 4 ? SF_DT_DOUBLE : sa == 2 && sb < 4 ? SF_DT_FLOAT : b;
    }
    return sa >= (ka == 3 ? (size_t)16 : (size_t)8) || (ka == 1 && sa >= 4) ? SF_DT_COMPLEX128 : b;
}

static bool is_wide(int64_t i)
{
    return i < INT32_MIN || i > INT32_MAX;
}

/* Is there a known integer that needs 64 bits? */
static bool has_wide_elem(const SfValue *v)
{
    const int64_t n = v ? sf_value_count(v) : 0;
    for (int64_t i = 0; i < n; i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind == SF_ELEM_INT && is_wide(e.u.i)) {
            return true;
        }
    }
    return false;
}

static void scan_leaf(Scan *s, const SfArg *a)
{
    if (!s->first) {
        s->first = a;
    }
    s->leaves++;
    switch (a->kind) {
    case SF_ARG_BOOL:
        s->has_bool = true;
        break;
    case SF_ARG_INT:
        s->has_int = true;
        s->has_wide = s->has_wide || is_wide(a->u.i);
        break;
    case SF_ARG_FLOAT:
        s->has_float = true;
        break;
    case SF_ARG_STRING:
        s->has_string = true;
        break;
    case SF_ARG_DIM:
        s->has_dim = true;
        s->has_wide = s->has_wide || a->u.dim > INT32_MAX;
        break;
    case SF_ARG_ARRAY:
        s->arrays = promote(s->arrays, a->u.array.dtype);
        s->has_string = s->has_string || a->u.array.dtype == SF_DT_STRING;
        s->has_wide = s->has_wide || has_wide_elem(a->u.array.value);
        break;
    case SF_ARG_DEFAULT:
    case SF_ARG_NONE:
    case SF_ARG_DTYPE:
    case SF_ARG_SHAPE:
    case SF_ARG_TENSOR:
    case SF_ARG_LIST:
    case SF_ARG_OBJECT:
        s->has_bad = true;
        if (!s->bad) {
            s->bad = a;
        }
        break;
    }
}

/* The dims of nested lists, read off the first elements, as numpy and TensorFlow do. */
static void measure(Scan *s)
{
    const SfArg *a = s->root;
    while (a->kind == SF_ARG_LIST && s->rank < DEPTH_MAX) {
        s->dims[s->rank++] = a->u.list.n;
        if (a->u.list.n == 0) {
            break;
        }
        a = &a->u.list.items[0];
    }
    s->list_rank = s->rank;
    if (a->kind == SF_ARG_ARRAY) {
        const int rank = sf_shape_rank(a->u.array.shape);
        for (int i = 0; i < rank && s->rank < DIMS_MAX; i++) {
            s->dims[s->rank++] = sf_shape_dim(a->u.array.shape, i);
        }
    }
    if (a->kind == SF_ARG_SHAPE && s->rank > 0) { /* a TensorShape iterates over its dims */
        s->dims[s->rank++] = sf_shape_rank(a->u.shape) < 0 ? 0 : sf_shape_rank(a->u.shape);
    }
}

static void scan(Scan *s, const SfArg *a, int depth)
{
    if (a->kind == SF_ARG_LIST) {
        if (depth >= s->rank || a->u.list.n != s->dims[depth]) { /* an array may have come first */
            s->ragged = true;
        }
        if (depth >= DEPTH_MAX) {
            return;
        }
        for (int i = 0; i < a->u.list.n; i++) {
            scan(s, &a->u.list.items[i], depth + 1);
        }
        return;
    }
    if (a->kind == SF_ARG_SHAPE && depth > 0 && sf_shape_rank(a->u.shape) >= 0) {
        for (int i = 0; i < sf_shape_rank(a->u.shape); i++) {
            const SfDim d = sf_shape_dim(a->u.shape, i);
            s->has_bad = s->has_bad || !sf_dim_is_known(d);
        }
        s->has_int = true;
        s->first = s->first ? s->first : a;
        s->ragged = s->ragged || depth != s->list_rank || s->rank == s->list_rank ||
                    s->dims[s->list_rank] != sf_shape_rank(a->u.shape);
        return;
    }
    if (a->kind == SF_ARG_ARRAY) {
        const int rank = sf_shape_rank(a->u.array.shape);
        s->ragged = s->ragged || depth + (rank < 0 ? 0 : rank) != s->rank;
        for (int i = 0; i < rank && !s->ragged; i++) {
            s->ragged = !sf_dim_compatible(sf_shape_dim(a->u.array.shape, i), s->dims[depth + i]);
        }
    } else if (depth != s->rank) {
        s->ragged = true;
    }
    scan_leaf(s, a);
}

/* what fits a dtype, _AssertCompatible of tensor_util */
static bool leaf_fits(const SfArg *a, SfDtype want)
{
    const int want_class = numeric_class(want);
    switch (a->kind) {
    case SF_ARG_BOOL: /* Python's bool is an int */
        return want_class <= 3;
    case SF_ARG_INT:
        return want_class >= 1 && want_class <= 3;
    case SF_ARG_DIM:
        return want_class == 1;
    case SF_ARG_FLOAT:
        return want_class == 2 || want_class == 3;
    case SF_ARG_STRING:
        return want == SF_DT_STRING;
    case SF_ARG_ARRAY: {
        const int have = numeric_class(a->u.array.dtype);
        return have == 4 ? want == SF_DT_STRING : have <= want_class && want_class <= 3;
    }
    case SF_ARG_DEFAULT:
    case SF_ARG_NONE:
    case SF_ARG_DTYPE:
    case SF_ARG_SHAPE:
    case SF_ARG_TENSOR:
    case SF_ARG_LIST:
    case SF_ARG_OBJECT:
        return false;
    }
    return false;
}

static const SfArg *first_misfit(const SfArg *a, SfDtype want)
{
    if (a->kind == SF_ARG_LIST) {
        for (int i = 0; i < a->u.list.n; i++) {
            const SfArg *bad = first_misfit(&a->u.list.items[i], want);
            if (bad) {
                return bad;
            }
        }
        return NULL;
    }
    if (a->kind == SF_ARG_SHAPE) {
        return sf_shape_is_known(a->u.shape) && numeric_class(want) == 1 ? NULL : a;
    }
    return leaf_fits(a, want) ? NULL : a;
}

/* messages */
static SfStatus no_common_type(const Scan *s, SfApiError *e)
{
    const SfCall *c = s->c;
    const char *text =
        sf_api_is_v2(c)
            ? sf_arena_printf(c->arena,
                              "Failed to convert elements of %s to Tensor. Consider casting "
                              "elements to a supported type. See "
                              "https://www.tensorflow.org/api_docs/python/tf/dtypes for supported "
                              "TF dtypes.",
                              sf_arg_repr(c, s->root))
            : sf_arena_printf(c->arena,
                              "Failed to convert object of type <class '%s'> to Tensor. Contents: "
                              "%s. Consider casting elements to a supported type.",
                              sf_arg_type_name(c, s->root), sf_arg_repr(c, s->root));
    return sf_api_error(e, SF_ERR_TYPE, text);
}

static SfStatus misfit(const Scan *s, const SfArg *bad, SfDtype want, SfApiError *e)
{
    const SfCall *c = s->c;
    const char *text =
        sf_api_is_v2(c)
            ? sf_arena_printf(c->arena, "Expected %s, but got %s of type '%s'.",
                              sf_dtype_name(want), sf_arg_str(c, bad), sf_arg_type_name(c, bad))
            : sf_arena_printf(c->arena, "Expected %s, got %s of type '%s' instead.",
                              sf_dtype_name(want), sf_arg_repr(c, bad), sf_arg_type_name(c, bad));
    return sf_api_error(e, SF_ERR_TYPE, text);
}

/* The first `n` dims of a list whose elements were counted. */
static const char *dims_text(const Scan *s, int n)
{
    int64_t dims[DIMS_MAX];
    for (int i = 0; i < n; i++) {
        dims[i] = s->dims[i];
    }
    return sf_int_list_text(s->c, dims, n, '[', ']');
}

static SfStatus not_dense(const Scan *s, SfDtype want, SfApiError *e)
{
    const SfCall *c = s->c;
    const char *text;
    if (sf_api_is_v2(c)) {
        text = sf_arena_printf(c->arena,
                               "setting an array element with a sequence. The requested array has "
                               "an inhomogeneous shape after 1 dimensions. The detected shape was "
                               "(%lld,) + inhomogeneous part.",
                               (long long)s->dims[0]);
    } else if (want != SF_DT_INVALID) {
        text = "setting an array element with a sequence.";
    } else {
        text = sf_arena_printf(c->arena,
                               "Argument must be a dense tensor: %s - got shape [%lld], but wanted "
                               "%s.",
                               sf_arg_repr(c, s->root), (long long)s->dims[0],
                               dims_text(s, s->list_rank));
    }
    return sf_api_error(e, SF_ERR_VALUE, text);
}

static SfStatus arrays_in_list(const Scan *s, SfApiError *e)
{
    const SfCall *c = s->c;
    const char *got = dims_text(s, s->rank);
    const char *wanted = dims_text(s, s->list_rank);
    const char *text =
        sf_api_is_v2(c)
            ? sf_arena_printf(c->arena,
                              "Expected values %s to be a dense tensor with shape %s, but got "
                              "shape %s.",
                              sf_arg_repr(c, s->root), wanted, got)
            : sf_arena_printf(c->arena,
                              "Argument must be a dense tensor: %s - got shape %s, but wanted %s.",
                              sf_arg_repr(c, s->root), got, wanted);
    return sf_api_error(e, SF_ERR_VALUE, text);
}

/* deduction */
static SfStatus deduce_graph(const Scan *s, SfDtype want, SfDtype *out, SfApiError *e)
{
    if (want != SF_DT_INVALID) {
        const SfArg *bad = first_misfit(s->root, want);
        if (bad) {
            return misfit(s, bad, want, e);
        }
        if (s->ragged) {
            return not_dense(s, want, e);
        }
        *out = want;
        return SF_OK;
    }
    if (s->ragged) {
        return not_dense(s, want, e);
    }
    const bool numbers = s->has_bool || s->has_int || s->has_float;
    if (s->has_bad || (s->has_dim && s->root->kind == SF_ARG_LIST) ||
        (s->has_string && (numbers || s->arrays != SF_DT_INVALID) && s->arrays != SF_DT_STRING)) {
        return no_common_type(s, e);
    }
    SfDtype t = s->arrays;
    t = s->has_float ? promote(t, SF_DT_DOUBLE) : t;
    t = s->has_int || s->has_dim ? promote(t, SF_DT_INT64) : t;
    t = s->has_bool ? promote(t, SF_DT_BOOL) : t;
    t = s->has_string ? SF_DT_STRING : t;
    if (t == SF_DT_INVALID || t == SF_DT_DOUBLE) { /* an empty list, or Python's floats */
        t = SF_DT_FLOAT;
    } else if (t == SF_DT_INT64 && !s->has_wide) {
        t = SF_DT_INT32;
    }
    *out = t;
    return SF_OK;
}

static SfStatus unsupported(const Scan *s, const SfArg *bad, SfApiError *e)
{
    const SfCall *c = s->c;
    return sf_api_error(e, SF_ERR_VALUE,
                        sf_arena_printf(c->arena,
                                        "Attempt to convert a value (%s) with an unsupported type "
                                        "(<class '%s'>) to a Tensor.",
                                        sf_arg_repr(c, bad), sf_arg_type_name(c, bad)));
}

/* What the first array of a list asks for: its own dtype, but that of Python's integers. */
static SfDtype array_type(const Scan *s, const SfArg *a, SfDtype ints)
{
    const SfDtype t = a->u.array.dtype;
    if (s->root->kind != SF_ARG_LIST) {
        return t;
    }
    const SfDim count = sf_shape_count(a->u.array.shape);
    const bool has_floats = s->has_float || numeric_class(s->arrays) == 2;
    if (sf_dim_is_known(count) && count == 0) {
        return SF_DT_FLOAT;
    }
    return numeric_class(t) != 1 ? t : has_floats ? SF_DT_FLOAT : ints;
}

/* The dtype that the first leaf asks for; integers give way to floats further on. */
static SfDtype eager_type(const Scan *s)
{
    const SfArg *a = s->first;
    const SfDtype ints = s->has_wide ? SF_DT_INT64 : SF_DT_INT32;
    if (!a) {
        return SF_DT_FLOAT;
    }
    if (a->kind == SF_ARG_ARRAY) {
        return array_type(s, a, ints);
    }
    if (s->has_string) {
        return SF_DT_STRING;
    }
    if (numeric_class(s->arrays) == 3) {
        return SF_DT_COMPLEX128;
    }
    if (s->has_float || (s->arrays != SF_DT_INVALID && numeric_class(s->arrays) == 2)) {
        return SF_DT_FLOAT;
    }
    return s->has_int || s->has_dim ? ints : s->has_bool ? SF_DT_BOOL : SF_DT_FLOAT;
}

/* IsCompatible of pywrap_tensor.cc. */
static bool eager_compatible(SfDtype want, SfDtype have)
{
    if (want == have) {
        return true;
    }
    const int kw = numeric_class(want), kh = numeric_class(have);
    if (kw == 0 || kw == 4 || kh == 4) {
        return false;
    }
    return kh <= kw;
}

static SfStatus deduce_eager(const Scan *s, SfDtype want, SfDtype *out, SfApiError *e)
{
    const SfCall *c = s->c;
    if (s->has_bad && s->bad == s->first) {
        return unsupported(s, s->first, e);
    }
    const bool mixed = (s->has_bool && (s->has_int || s->has_float)) ||
                       (s->has_string && (s->has_bool || s->has_int || s->has_float));
    if (s->has_bad || (mixed && want == SF_DT_INVALID)) {
        return sf_api_error(e, SF_ERR_VALUE,
                            "Can't convert Python sequence with mixed types to Tensor.");
    }
    if (s->ragged) {
        return sf_api_error(e, SF_ERR_VALUE,
                            "Can't convert non-rectangular Python sequence to Tensor.");
    }
    const SfDtype have = eager_type(s);
    *out = want != SF_DT_INVALID ? want : have;
    const bool empty = !s->first;
    if (!empty && !eager_compatible(*out, have)) {
        return sf_api_error(e, SF_ERR_TYPE,
                            sf_arena_printf(c->arena,
                                            "Cannot convert %s to EagerTensor of dtype %s",
                                            sf_arg_repr(c, s->root), sf_dtype_sig_name(want)));
    }
    return SF_OK;
}

/* values */
static SfElem elem_cast(SfElem e, SfDtype t)
{
    const int k = numeric_class(t);
    if (e.kind == SF_ELEM_FLOAT && k <= 1) {
        if (k == 0) {
            return sf_elem_int(e.u.f != 0);
        }
        return fabs(e.u.f) < 9.2e18 ? sf_elem_int((int64_t)e.u.f) : sf_elem_unknown();
    }
    if (e.kind == SF_ELEM_INT && k == 0) {
        return sf_elem_int(e.u.i != 0);
    }
    if (e.kind == SF_ELEM_INT && k == 2) {
        return sf_elem_float((double)e.u.i);
    }
    if (e.kind == SF_ELEM_COMPLEX && k <= 2) {
        return elem_cast(sf_elem_float(e.u.f), t);
    }
    if (k == 3 && (e.kind == SF_ELEM_INT || e.kind == SF_ELEM_FLOAT)) {
        SfElem z = {.kind = SF_ELEM_COMPLEX};
        z.u.f = e.kind == SF_ELEM_INT ? (double)e.u.i : e.u.f;
        return z;
    }
    if ((e.kind == SF_ELEM_STRING) != (t == SF_DT_STRING)) {
        return sf_elem_unknown();
    }
    return e;
}

static SfElem leaf_elem(const SfArg *a, SfDtype t)
{
    switch (a->kind) {
    case SF_ARG_BOOL:
        return elem_cast(sf_elem_int(a->u.b), t);
    case SF_ARG_INT:
        return elem_cast(sf_elem_int(a->u.i), t);
    case SF_ARG_FLOAT:
        return elem_cast(sf_elem_float(a->u.f), t);
    case SF_ARG_STRING:
        return sf_elem_string(a->u.s.bytes, a->u.s.len);
    case SF_ARG_DIM:
        return sf_dim_is_known(a->u.dim) ? elem_cast(sf_elem_int(a->u.dim), t) : sf_elem_unknown();
    case SF_ARG_DEFAULT:
    case SF_ARG_NONE:
    case SF_ARG_DTYPE:
    case SF_ARG_SHAPE:
    case SF_ARG_TENSOR:
    case SF_ARG_ARRAY:
    case SF_ARG_LIST:
    case SF_ARG_OBJECT:
        break;
    }
    return sf_elem_unknown();
}

static void fill(const SfArg *a, SfDtype t, SfElem *elems, int64_t *at, int64_t count)
{
    if (a->kind == SF_ARG_LIST) {
        for (int i = 0; i < a->u.list.n; i++) {
            fill(&a->u.list.items[i], t, elems, at, count);
        }
        return;
    }
    const bool array = a->kind == SF_ARG_ARRAY, shape = a->kind == SF_ARG_SHAPE;
    int64_t n = array ? sf_shape_count(a->u.array.shape) : shape ? sf_shape_rank(a->u.shape) : 1;
    for (int64_t i = 0; i < n && *at < count; i++, (*at)++) {
        if (array) {
            elems[*at] = a->u.array.value ? elem_cast(sf_value_elem(a->u.array.value, i), t)
                                          : sf_elem_unknown();
        } else if (shape) {
            elems[*at] = elem_cast(sf_elem_dim(sf_shape_dim(a->u.shape, (int)i)), t);
        } else {
            elems[*at] = leaf_elem(a, t);
        }
    }
}

static SfStatus make_content(const Scan *s, SfDtype t, SfContent *out)
{
    enum { ON_STACK = 16 };
    SfElem few[ON_STACK];
    *out = (SfContent){.dtype = t, .shape = sf_shape_make(s->rank, s->dims)};
    SF_TRY_ALLOC(out->shape);
    const SfDim count = sf_shape_count(out->shape);
    if (!sf_dim_is_known(count) || count > SF_VALUE_MAX) {
        return SF_OK;
    }
    SfElem *elems = few;
    if (count > ON_STACK) {
        elems = sf_arena_alloc(s->c->arena, sizeof *elems * (size_t)count);
        SF_TRY_ALLOC(elems);
    }
    int64_t at = 0;
    fill(s->root, t, elems, &at, count);
    out->value = sf_value_make(t, out->shape, elems);
    return SF_OK;
}

/* An array keeps its dtype, or is cast without questions (ndarray.astype). */
static SfStatus array_content(const SfCall *c, const SfArg *a, SfDtype want, SfContent *out,
                              SfApiError *e)
{
    const SfDtype have = a->u.array.dtype;
    const SfDtype t = want != SF_DT_INVALID ? want : have;
    *out = (SfContent){t, a->u.array.shape, a->u.array.value, a->u.array.bounds};
    if (t == have || have == SF_DT_INVALID) {
        return SF_OK;
    }
    if (out->bounds) {
        SfInterval *cast = sf_arena_copy(c->arena, out->bounds, sizeof *cast);
        SF_TRY_ALLOC(cast);
        *cast = sf_interval_cast(*cast, have, t);
        out->bounds = cast;
    }
    if ((t == SF_DT_STRING) != (have == SF_DT_STRING)) {
        out->value = NULL;
        if (sf_api_is_eager(c)) {
            return sf_api_error(e, SF_ERR_TYPE,
                                sf_arena_printf(c->arena,
                                                "Cannot convert %s to EagerTensor of dtype %s",
                                                sf_arg_repr(c, a), sf_dtype_sig_name(t)));
        }
        return SF_OK; /* numpy prints numbers, and parses strings */
    }
    if (out->value) {
        const int64_t n = sf_value_count(out->value);
        SfElem *elems = sf_arena_alloc(c->arena, sizeof *elems * (size_t)(n + 1));
        SF_TRY_ALLOC(elems);
        for (int64_t i = 0; i < n; i++) {
            elems[i] = elem_cast(sf_value_elem(out->value, i), t);
        }
        out->value = sf_value_make(t, out->shape, elems);
    }
    return SF_OK;
}

static SfStatus shape_content(const SfCall *c, const SfArg *a, SfDtype want, SfContent *out,
                              SfApiError *e)
{
    const SfShape *s = a->u.shape;
    if (!sf_shape_is_known(s)) {
        const char *message = sf_shape_tuple_text(c, s);
        const char *text =
            sf_api_is_v2(c)
                ? sf_arena_printf(c->arena,
                                  "Cannot convert a partially known TensorShape %s to a Tensor.",
                                  message)
                : sf_arena_printf(c->arena,
                                  "Cannot convert a partially known TensorShape to a Tensor: %s",
                                  message);
        return sf_api_error(e, SF_ERR_VALUE, text);
    }
    if (want != SF_DT_INVALID && want != SF_DT_INT32 && want != SF_DT_INT64) {
        return sf_api_error(e, SF_ERR_TYPE,
                            sf_arena_printf(c->arena, "Cannot convert a TensorShape to dtype: %s",
                                            sf_dtype_name(want)));
    }
    const SfDtype t = want != SF_DT_INVALID ? want : SF_DT_INT32;
    *out = (SfContent){t, sf_shape_vector(sf_shape_rank(s)), sf_value_from_shape(s, t), NULL};
    return !out->shape ? SF_NOMEM : SF_OK;
}

/* A list of small integers, as most shapes, axes and bounds are: needs no promotion, cast or
 * check. SF_OK without a shape: the argument is something else. */
static SfStatus few_ints(const SfArg *a, SfDtype want, SfContent *out)
{
    enum { FEW = 16 };
    SfElem elems[FEW];
    const SfDtype t = want == SF_DT_INT64 ? SF_DT_INT64 : SF_DT_INT32;
    const int n = a->kind == SF_ARG_LIST ? a->u.list.n : 0;
    out->shape = NULL;
    if (n == 0 || n > FEW || (want != SF_DT_INVALID && want != t)) {
        return SF_OK;
    }
    for (int i = 0; i < n; i++) {
        const SfArg *item = &a->u.list.items[i];
        if (item->kind != SF_ARG_INT || item->u.i != (int32_t)item->u.i) {
            return SF_OK;
        }
        elems[i] = sf_elem_int(item->u.i);
    }
    out->dtype = t;
    out->shape = sf_shape_vector(n);
    out->value = out->shape ? sf_value_make(t, out->shape, elems) : NULL;
    return out->value ? SF_OK : SF_NOMEM;
}

SfStatus sf_convert_content(SfCall *c, const SfArg *a, SfDtype want, SfContent *out, SfApiError *e)
{
    want = sf_dtype_base(want);
    out->bounds = NULL;
    SF_TRY(few_ints(a, want, out));
    if (out->shape) {
        return SF_OK;
    }
    if (a->kind == SF_ARG_ARRAY) {
        return array_content(c, a, want, out, e);
    }
    if (a->kind == SF_ARG_SHAPE) {
        return shape_content(c, a, want, out, e);
    }
    Scan s;
    start(&s, c, a);
    measure(&s);
    scan(&s, a, 0);
    if (a->kind == SF_ARG_DIM && !sf_dim_is_known(a->u.dim)) {
        return sf_api_error(e, SF_ERR_VALUE, "Cannot convert an unknown Dimension to a Tensor: ?");
    }
    SfDtype t = SF_DT_INVALID;
    if (sf_api_is_eager(c)) {
        SF_TRY(deduce_eager(&s, want, &t, e));
        return make_content(&s, t, out);
    }
    if (sf_arg_is_none(a)) {
        return sf_api_error(e, SF_ERR_VALUE, "None values not supported.");
    }
    SF_TRY(deduce_graph(&s, want, &t, e));
    if (s.rank != s.list_rank && s.list_rank > 0) {
        return arrays_in_list(&s, e);
    }
    if (s.has_dim && a->kind == SF_ARG_LIST) {
        for (int i = 0; i < a->u.list.n; i++) {
            const SfArg *item = &a->u.list.items[i];
            if (item->kind == SF_ARG_DIM && !sf_dim_is_known(item->u.dim)) {
                return sf_api_error(e, SF_ERR_TYPE, "__int__ returned non-int (type NoneType)");
            }
        }
    }
    return make_content(&s, t, out);
}
