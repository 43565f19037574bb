/* Typed readings of arguments, and arguments as attrs (op_def_library._Make*). */
#include "apis/api_internal.h"

#include <math.h>
#include <string.h>

static const SfArg none_arg = {.kind = SF_ARG_NONE};

const SfArg *sf_api_arg(const SfCall *c, const char *param)
{
    for (int i = 0; i < c->sig->nparams; i++) {
        const char *name = c->sig->params[i].name;
        if (name[0] == param[0] && strcmp(name, param) == 0) { /* most differ at once */
            return &c->args[i];
        }
    }
    return &none_arg;
}

bool sf_arg_is_none(const SfArg *a)
{
    return a->kind == SF_ARG_NONE || a->kind == SF_ARG_DEFAULT;
}

SfStatus sf_api_either(SfCall *c, const char *param, const char *deprecated, const SfArg **out)
{
    const SfArg *now = sf_api_arg(c, param), *old = sf_api_arg(c, deprecated);
    *out = sf_arg_is_none(old) ? now : old;
    if (!sf_arg_is_none(old) && !sf_arg_is_none(now)) {
        return sf_api_value_error(c, "Cannot specify both '%s' and '%s'%s", deprecated, param,
                                  sf_api_is_v2(c) ? "." : "");
    }
    return SF_OK;
}

/* scalars */
static bool elem_as_int(SfElem e, int64_t *out)
{
    if (e.kind == SF_ELEM_INT) {
        *out = e.u.i;
        return true;
    }
    if (e.kind == SF_ELEM_FLOAT && e.u.f > -9e18 && e.u.f < 9e18) {
        *out = (int64_t)e.u.f;
        return true;
    }
    return false;
}

bool sf_arg_as_int(const SfArg *a, int64_t *out)
{
    switch (a->kind) {
    case SF_ARG_BOOL:
        *out = a->u.b;
        return true;
    case SF_ARG_INT:
        *out = a->u.i;
        return true;
    case SF_ARG_FLOAT:
        return elem_as_int(sf_elem_float(a->u.f), out);
    case SF_ARG_DIM:
        *out = a->u.dim;
        return sf_dim_is_known(a->u.dim);
    case SF_ARG_ARRAY:
        return a->u.array.value && sf_value_count(a->u.array.value) == 1 &&
               elem_as_int(sf_value_elem(a->u.array.value, 0), out);
    case SF_ARG_TENSOR: /* int() of an eager tensor */
        return !a->u.tensor.node && a->u.tensor.value && sf_value_count(a->u.tensor.value) == 1 &&
               elem_as_int(sf_value_elem(a->u.tensor.value, 0), out);
    case SF_ARG_DEFAULT:
    case SF_ARG_NONE:
    case SF_ARG_STRING:
    case SF_ARG_DTYPE:
    case SF_ARG_SHAPE:
    case SF_ARG_LIST:
    case SF_ARG_OBJECT:
        break;
    }
    return false;
}

/* Is the argument an eager tensor or array of unknown content? It has a value at run time, so
 * nothing is refused. */
static bool content_unknown(const SfArg *a)
{
    return (a->kind == SF_ARG_TENSOR && !a->u.tensor.node) ||
           (a->kind == SF_ARG_ARRAY && !a->u.array.value);
}

static bool arg_as_float(const SfArg *a, double *out)
{
    int64_t i = 0;
    if (a->kind == SF_ARG_FLOAT) {
        *out = a->u.f;
        return true;
    }
    const SfValue *v = a->kind == SF_ARG_ARRAY                         ? a->u.array.value
                       : a->kind == SF_ARG_TENSOR && !a->u.tensor.node ? a->u.tensor.value
                                                                       : NULL;
    if (v && sf_value_count(v) == 1 && sf_value_elem(v, 0).kind == SF_ELEM_FLOAT) {
        *out = sf_value_elem(v, 0).u.f;
        return true;
    }
    if (sf_arg_as_int(a, &i)) {
        *out = (double)i;
        return true;
    }
    return false;
}

static bool arg_as_bool(const SfArg *a, bool *out)
{
    int64_t i = 0;
    if (a->kind == SF_ARG_BOOL) {
        *out = a->u.b;
        return true;
    }
    if (a->kind == SF_ARG_ARRAY && a->u.array.dtype == SF_DT_BOOL && sf_arg_as_int(a, &i)) {
        *out = i != 0;
        return true;
    }
    return false;
}

static SfStatus expected(SfCall *c, const char *what, const char *name, const SfArg *a)
{
    return sf_api_type_error(c, "Expected %s for argument '%s' not %s.", what, name,
                             sf_arg_repr(c, a));
}

static SfStatus read_bool(SfCall *c, const char *name, const SfArg *a, bool *out)
{
    if (arg_as_bool(a, out) || content_unknown(a)) {
        return SF_OK;
    }
    return expected(c, "bool", name, a);
}

static SfStatus read_int(SfCall *c, const char *name, const SfArg *a, int64_t *out)
{
    if (sf_arg_as_int(a, out) || content_unknown(a)) {
        return SF_OK;
    }
    return expected(c, "int", name, a);
}

static SfStatus read_float(SfCall *c, const char *name, const SfArg *a, double *out)
{
    if (arg_as_float(a, out) || content_unknown(a)) {
        return SF_OK;
    }
    return expected(c, "float", name, a);
}

static SfStatus read_string(SfCall *c, const char *name, const SfArg *a, const SfString **out)
{
    if (a->kind != SF_ARG_STRING) {
        return expected(c, "string", name, a);
    }
    const SfElem e = sf_elem_string(a->u.s.bytes, a->u.s.len);
    if (e.kind != SF_ELEM_STRING) {
        return SF_NOMEM;
    }
    *out = e.u.s;
    return SF_OK;
}

static SfStatus read_dtype(SfCall *c, const SfArg *a, SfDtype *out)
{
    SfDtype t = SF_DT_INVALID;
    if (a->kind == SF_ARG_DTYPE) {
        t = a->u.dtype;
    } else if (a->kind == SF_ARG_STRING) {
        t = sf_dtype_parse(a->u.s.bytes, a->u.s.len);
        if (t == SF_DT_INVALID && strcmp(a->u.s.bytes, "float") == 0) {
            t = SF_DT_FLOAT;
        }
    } else if (a->kind == SF_ARG_INT && a->u.i > 0 && a->u.i < SF_DT_COUNT) {
        t = (SfDtype)a->u.i;
    }
    if (t == SF_DT_INVALID) {
        const char *text = sf_arg_repr(c, a);
        if (c->b->version < SF_VERSION(1, 9)) {
            return sf_api_type_error(c, "Cannot convert %s to a dtype. data type %s not understood",
                                     sf_arg_str(c, a), text);
        }
        return sf_api_is_v2(c)
                   ? sf_api_type_error(c,
                                       "Cannot convert the argument `type_value`: %s to a "
                                       "TensorFlow DType.",
                                       text)
                   : sf_api_type_error(c, "Cannot convert value %s to a TensorFlow DType.", text);
    }
    *out = t;
    return SF_OK;
}

SfStatus sf_api_bool(SfCall *c, const char *param, bool *out)
{
    const SfArg *a = sf_api_arg(c, param);
    return sf_arg_is_none(a) ? SF_OK : read_bool(c, param, a, out);
}

SfStatus sf_api_int(SfCall *c, const char *param, int64_t *out)
{
    const SfArg *a = sf_api_arg(c, param);
    return sf_arg_is_none(a) ? SF_OK : read_int(c, param, a, out);
}

SfStatus sf_api_float(SfCall *c, const char *param, double *out)
{
    const SfArg *a = sf_api_arg(c, param);
    return sf_arg_is_none(a) ? SF_OK : read_float(c, param, a, out);
}

SfStatus sf_api_string(SfCall *c, const char *param, const char **out)
{
    const SfArg *a = sf_api_arg(c, param);
    if (sf_arg_is_none(a)) {
        return SF_OK;
    }
    const SfString *s = NULL;
    SF_TRY(read_string(c, param, a, &s));
    *out = s->bytes;
    return SF_OK;
}

SfStatus sf_api_dtype(SfCall *c, const char *param, SfDtype *out)
{
    const SfArg *a = sf_api_arg(c, param);
    return sf_arg_is_none(a) ? SF_OK : read_dtype(c, a, out);
}

/* lists */
/* The elements of an argument that is a sequence of numbers by itself; -1: it is none. */
static int64_t sequence_count(const SfArg *a)
{
    if (a->kind == SF_ARG_LIST) {
        return a->u.list.n;
    }
    if (a->kind == SF_ARG_SHAPE) {
        return sf_shape_rank(a->u.shape);
    }
    const SfValue *v = a->kind == SF_ARG_ARRAY    ? a->u.array.value
                       : a->kind == SF_ARG_TENSOR ? a->u.tensor.value
                                                  : NULL;
    return v && sf_shape_rank(sf_value_shape(v)) == 1 ? sf_value_count(v) : -1;
}

static SfStatus sequence_int(SfCall *c, const char *name, const SfArg *a, int i, int64_t *out)
{
    if (a->kind == SF_ARG_LIST) {
        return read_int(c, name, &a->u.list.items[i], out);
    }
    if (a->kind == SF_ARG_SHAPE) {
        *out = sf_shape_dim(a->u.shape, i);
        return sf_dim_is_known(*out) ? SF_OK : expected(c, "int", name, &none_arg);
    }
    const SfValue *v = a->kind == SF_ARG_ARRAY ? a->u.array.value : a->u.tensor.value;
    if (!elem_as_int(sf_value_elem(v, i), out)) {
        *out = -1;
    }
    return SF_OK;
}

static SfStatus read_ints(SfCall *c, const char *name, const SfArg *a, int64_t **items, int *n)
{
    const int64_t count = sequence_count(a);
    const size_t room = (size_t)(count > 0 ? count : 1);
    int64_t *out = sf_arena_alloc(c->arena, sizeof *out * room);
    SF_TRY_ALLOC(out);
    if (count < 0) {
        SF_TRY(read_int(c, name, a, &out[0]));
    }
    for (int i = 0; i < count; i++) {
        SF_TRY(sequence_int(c, name, a, i, &out[i]));
    }
    *items = out;
    *n = count < 0 ? 1 : (int)count;
    return SF_OK;
}

SfStatus sf_api_ints(SfCall *c, const char *param, int64_t **items, int *n)
{
    const SfArg *a = sf_api_arg(c, param);
    return sf_arg_is_none(a) ? SF_OK : read_ints(c, param, a, items, n);
}

/* shapes: tensor_shape.as_shape */
static SfStatus bad_shape(SfCall *c, const char *name, const char *why)
{
    if (!name) {
        return sf_api_value_error(c, "%s", why);
    }
    return sf_api_value_error(c, "Error converting %s to a TensorShape: %s%s", name, why,
                              why[strlen(why) - 1] == '.' ? "" : ".");
}

/* Of what is not modelled, or not known: TensorFlow has a number, or a list of them. */
static bool nobody_knows(const SfArg *a)
{
    return content_unknown(a) ||
           (a->kind == SF_ARG_TENSOR && sf_tensor_is_unmodelled(&a->u.tensor, SF_UNMODELLED_DTYPE));
}

static SfStatus read_dim(SfCall *c, const char *name, const SfArg *a, SfDim *out)
{
    int64_t i = 0;
    *out = SF_DIM_UNKNOWN;
    if (sf_arg_is_none(a)) {
        return SF_OK;
    }
    if (nobody_knows(a)) {
        *out = sf_dim_unmodelled();
        return SF_OK;
    }
    if (a->kind == SF_ARG_DIM) {
        *out = a->u.dim;
        return SF_OK;
    }
    const bool whole = a->kind != SF_ARG_FLOAT || a->u.f == floor(a->u.f);
    if (a->kind == SF_ARG_TENSOR || !whole || !sf_arg_as_int(a, &i)) {
        if (a->kind == SF_ARG_TENSOR && a->u.tensor.value && sf_arg_as_int(a, &i)) {
            *out = i;
            return SF_OK;
        }
        if (sf_api_is_v2(c)) {
            return sf_api_type_error(c,
                                     "Dimension value must be integer or None or have an "
                                     "__index__ method, got value '%s' with type '<class "
                                     "'%s'>'",
                                     sf_arg_repr(c, a), sf_arg_type_name(c, a));
        }
        const char *why = !whole                     ? "Ambiguous dimension: %s"
                          : a->kind == SF_ARG_STRING ? "invalid literal for int() with base 10: %s"
                          : strcmp(sf_arg_type_name(c, a), "int") == 0 ? "Value out of range: %s"
                                                                       : NULL;
        if (why) {
            why = sf_arena_printf(c->arena, why, sf_arg_repr(c, a));
            return !why ? SF_NOMEM : bad_shape(c, name, why);
        }
        return sf_api_type_error(c,
                                 "int() argument must be a string, a bytes-like object or a "
                                 "number, not '%s'",
                                 sf_arg_type_name(c, a));
    }
    if (i < 0) {
        const char *message =
            sf_arena_printf(c->arena, "Dimension %lld must be >= 0", (long long)i);
        return !message ? SF_NOMEM : bad_shape(c, name, message);
    }
    *out = i;
    return SF_OK;
}

SfStatus sf_arg_to_shape(SfCall *c, const char *name, const SfArg *a, const SfShape **out)
{
    if (sf_arg_is_none(a)) {
        *out = sf_shape_unknown();
        return SF_OK;
    }
    if (a->kind == SF_ARG_SHAPE) {
        *out = a->u.shape;
        return SF_OK;
    }
    const int64_t count = sequence_count(a);
    if (count > SF_RANK_MAX) {
        return bad_shape(c, name, "too many dimensions");
    }
    SfDim dims[SF_RANK_MAX];
    const bool is_number = a->kind == SF_ARG_TENSOR && sf_shape_rank(a->u.tensor.shape) == 0;
    if (count < 0 && !is_number && nobody_knows(a)) {
        *out = sf_shape_unknown();
        return SF_OK;
    }
    if (count < 0) {
        SF_TRY(read_dim(c, name, a, &dims[0]));
        *out = sf_shape_make(1, dims);
        return !*out ? SF_NOMEM : SF_OK;
    }
    for (int i = 0; i < count; i++) {
        if (a->kind == SF_ARG_LIST) {
            SF_TRY(read_dim(c, name, &a->u.list.items[i], &dims[i]));
        } else {
            int64_t d = -1;
            SF_TRY(sequence_int(c, name ? name : "shape", a, i, &d));
            dims[i] = d < 0 ? SF_DIM_UNKNOWN : d;
        }
    }
    *out = sf_shape_make((int)count, dims);
    return !*out ? SF_NOMEM : SF_OK;
}

SfStatus sf_api_static_shape(SfCall *c, const char *param, const SfShape **out)
{
    const SfArg *a = sf_api_arg(c, param);
    return sf_arg_is_none(a) ? SF_OK : sf_arg_to_shape(c, NULL, a, out);
}

/* attrs */
static SfStatus list_to_attr(SfCall *c, SfAttrType element, const char *name, const SfArg *a,
                             SfAttr *out)
{
    if (a->kind != SF_ARG_LIST && element != SF_ATTR_INT) {
        return sf_api_type_error(c, "Expected list for attr %s", name);
    }
    if (element == SF_ATTR_INT) {
        int64_t *items = NULL;
        if (sequence_count(a) < 0 && !content_unknown(a)) {
            return sf_api_type_error(c, "Expected list for attr %s", name);
        }
        SF_TRY(read_ints(c, name, a, &items, &out->u.list.n));
        out->u.list.u.i = items;
        return SF_OK;
    }
    const int n = a->u.list.n;
    const size_t widest = sizeof(void *) > sizeof(double) ? sizeof(void *) : sizeof(double);
    void *items = sf_arena_alloc(c->arena, widest * (size_t)(n + 1));
    SF_TRY_ALLOC(items);
    out->u.list.n = n;
    double *f = items;
    bool *b = items;
    SfDtype *t = items;
    const SfString **s = items;
    const SfShape **shapes = items;
    for (int i = 0; i < n; i++) {
        const SfArg *item = &a->u.list.items[i];
        if (element == SF_ATTR_FLOAT) {
            SF_TRY(read_float(c, name, item, &f[i]));
        } else if (element == SF_ATTR_BOOL) {
            SF_TRY(read_bool(c, name, item, &b[i]));
        } else if (element == SF_ATTR_TYPE) {
            SF_TRY(read_dtype(c, item, &t[i]));
        } else if (element == SF_ATTR_STRING) {
            SF_TRY(read_string(c, name, item, &s[i]));
        } else if (element == SF_ATTR_SHAPE) {
            SF_TRY(sf_arg_to_shape(c, name, item, &shapes[i]));
        } else if (element != SF_ATTR_FUNC) { /* of a list of functions only the length is kept */
            return sf_api_type_error(c, "Unrecognized Attr type of %s", name);
        }
    }
    switch (element) {
    case SF_ATTR_FLOAT:
        out->u.list.u.f = f;
        break;
    case SF_ATTR_BOOL:
        out->u.list.u.b = b;
        break;
    case SF_ATTR_TYPE:
        out->u.list.u.type = t;
        break;
    case SF_ATTR_STRING:
        out->u.list.u.s = s;
        break;
    case SF_ATTR_SHAPE:
        out->u.list.u.shape = shapes;
        break;
    case SF_ATTR_INT:
    case SF_ATTR_TENSOR:
    case SF_ATTR_FUNC:
    case SF_ATTR_LIST:
        break;
    }
    return SF_OK;
}

static SfStatus tensor_to_attr(SfCall *c, const SfArg *a, SfAttr *out)
{
    SfApiError e = {SF_ERR_VALUE, NULL};
    SfContent content = {0};
    if (a->kind == SF_ARG_TENSOR) { /* an eager tensor stands for its proto */
        out->u.tensor.dtype = a->u.tensor.dtype;
        out->u.tensor.shape = a->u.tensor.shape;
        out->u.tensor.value = a->u.tensor.value;
        return SF_OK;
    }
    const SfStatus st = sf_convert_content(c, a, SF_DT_INVALID, &content, &e);
    if (st != SF_OK) {
        return st == SF_REPORTED ? sf_api_report(c, &e) : st;
    }
    out->u.tensor.dtype = content.dtype;
    out->u.tensor.shape = content.shape;
    out->u.tensor.value = content.value;
    return SF_OK;
}

SfStatus sf_arg_to_attr(SfCall *c, const SfAttrSpec *spec, const char *name, const SfArg *a,
                        SfAttr *out)
{
    *out = (SfAttr){.type = spec->type, .set = true};
    switch (spec->type) {
    case SF_ATTR_INT:
        return read_int(c, name, a, &out->u.i);
    case SF_ATTR_FLOAT:
        return read_float(c, name, a, &out->u.f);
    case SF_ATTR_BOOL:
        return read_bool(c, name, a, &out->u.b);
    case SF_ATTR_STRING:
        return read_string(c, name, a, &out->u.s);
    case SF_ATTR_TYPE:
        SF_TRY(read_dtype(c, a, &out->u.type));
        out->u.type = sf_dtype_base(out->u.type);
        return SF_OK;
    case SF_ATTR_SHAPE:
        return sf_arg_to_shape(c, name, a, &out->u.shape);
    case SF_ATTR_TENSOR:
        return tensor_to_attr(c, a, out);
    case SF_ATTR_FUNC:
        out->u.func = a->kind == SF_ARG_STRING ? a->u.s.bytes : "";
        return SF_OK;
    case SF_ATTR_LIST:
    default:
        return list_to_attr(c, (SfAttrType)(spec->type - SF_ATTR_LIST), name, a, out);
    }
}

SfAttr sf_attr_make_string(const char *s)
{
    const SfElem e = sf_elem_string(s, strlen(s));
    SfAttr a = {.type = SF_ATTR_STRING, .set = e.kind == SF_ELEM_STRING};
    a.u.s = a.set ? e.u.s : NULL;
    return a;
}

SfAttr sf_attr_make_ints(const int64_t *items, int n)
{
    SfAttr a = {.type = (SfAttrType)(SF_ATTR_LIST + SF_ATTR_INT), .set = true};
    a.u.list.n = n;
    a.u.list.u.i = items;
    return a;
}
