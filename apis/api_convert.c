/* ops.convert_to_tensor: what Python hands over becomes a tensor, a Const or a Pack. */
#include "apis/api_internal.h"
#include "core/graph/trace.h"

#include <string.h>

bool sf_arg_has_tensor(const SfArg *a)
{
    if (a->kind == SF_ARG_TENSOR) {
        return true;
    }
    for (int i = 0; a->kind == SF_ARG_LIST && i < a->u.list.n; i++) {
        if (sf_arg_has_tensor(&a->u.list.items[i])) {
            return true;
        }
    }
    return false;
}

SfStatus sf_convert_const(SfCall *c, SfDtype dtype, const SfShape *shape, const SfValue *value,
                          const char *name, SfTensor *out)
{
    SF_TRY_ALLOC(shape);
    if (sf_api_is_eager(c)) {
        *out = (SfTensor){.shape = shape, .value = value, .dtype = dtype};
        if (c->b->trace) { /* a NoOp: with a Const's attrs each value would become a record */
            sf_trace_record(c->b->trace, sf_op_find("NoOp"), NULL, NULL, 0, out, 1, c->b->location);
        }
        return SF_OK;
    }
    const SfAttrArg attrs[] = {
        {.name = "value",
         .value = {.type = SF_ATTR_TENSOR, .set = true, .u.tensor = {dtype, shape, value}}},
        SF_ATYPE("dtype", dtype),
    };
    return sf_api_op(c, "Const", name, NULL, 0, attrs, SF_ARRAY_LEN(attrs), out);
}

SfStatus sf_convert_known(SfCall *c, const SfContent *content, const char *name, SfTensor *out)
{
    if (content->bounds && c->b->trace && sf_api_is_eager(c)) {
        sf_trace_tell_content(c->b->trace, *content->bounds);
    }
    return sf_convert_const(c, content->dtype, content->shape, content->value, name, out);
}

/* lists with tensors: _autopacking_conversion_function */
static const SfTensor *first_tensor(const SfArg *a)
{
    if (a->kind == SF_ARG_TENSOR) {
        return sf_dtype_base(a->u.tensor.dtype) != SF_DT_INVALID ? &a->u.tensor : NULL;
    }
    for (int i = 0; a->kind == SF_ARG_LIST && i < a->u.list.n; i++) {
        const SfTensor *t = first_tensor(&a->u.list.items[i]);
        if (t) {
            return t;
        }
    }
    return NULL;
}

static SfStatus pack_tensor(SfCall *c, const SfArg *a, SfDtype dtype, bool cast, SfTensor *out,
                            SfApiError *e)
{
    const SfDtype have = sf_dtype_base(a->u.tensor.dtype);
    *out = a->u.tensor;
    if (have == dtype || have == SF_DT_INVALID || dtype == SF_DT_INVALID) {
        return SF_OK;
    }
    if (cast) {
        const SfAttrArg attrs[] = {SF_ATYPE("DstT", dtype)};
        return sf_api_op(c, "Cast", NULL, out, 1, attrs, 1, out);
    }
    if (sf_api_is_eager(c)) {
        return SF_OK; /* left to Pack, which refuses it */
    }
    return sf_api_error(
        e, SF_ERR_TYPE,
        sf_arena_printf(c->arena,
                        "Cannot convert a list containing a tensor of dtype <dtype: '%s'> to "
                        "<dtype: '%s'> (Tensor is: %s)",
                        sf_dtype_name(a->u.tensor.dtype), sf_dtype_name(dtype), sf_arg_repr(c, a)));
}

static SfStatus pack_list(SfCall *c, const SfArg *a, SfDtype dtype, bool cast, const char *name,
                          SfTensor *out, SfApiError *e);

static SfStatus pack_item(SfCall *c, const SfArg *item, SfDtype dtype, bool cast, int i,
                          SfTensor *out, SfApiError *e)
{
    if (item->kind == SF_ARG_TENSOR) {
        return pack_tensor(c, item, dtype, cast, out, e);
    }
    const char *name = sf_api_is_eager(c) ? NULL : sf_arena_printf(c->arena, "%d", i);
    if (item->kind == SF_ARG_LIST && sf_arg_has_tensor(item)) {
        return pack_list(c, item, dtype, cast, name, out, e);
    }
    if (item->kind == SF_ARG_DIM && !sf_dim_is_known(item->u.dim) && !sf_api_is_eager(c)) {
        return sf_api_error(e, SF_ERR_TYPE, "__int__ returned non-int (type NoneType)");
    }
    SfContent content;
    SF_TRY(sf_convert_content(c, item, dtype, &content, e));
    return sf_convert_known(c, &content, name, out);
}

/* A list of sizes, in which each item is one number, also where nobody knows its rank. */
SfStatus sf_api_sizes(SfCall *c, const SfArg *a, const SfArg **out)
{
    *out = a;
    SfArg *items = NULL;
    for (int i = 0; a->kind == SF_ARG_LIST && i < a->u.list.n; i++) {
        const SfArg *item = &a->u.list.items[i];
        if (item->kind != SF_ARG_TENSOR || sf_shape_rank(item->u.tensor.shape) >= 0 ||
            !sf_tensor_is_unmodelled(&item->u.tensor, SF_UNMODELLED_SHAPE)) {
            continue;
        }
        if (!items) {
            const size_t bytes = sizeof *items * (size_t)a->u.list.n;
            SfArg *made = sf_arena_alloc(c->arena, sizeof *made);
            items = sf_arena_alloc(c->arena, bytes);
            SF_TRY_ALLOC(items && made);
            memcpy(items, a->u.list.items, bytes);
            *made = *a;
            made->u.list.items = items;
            *out = made;
        }
        SfTensor in[2] = {item->u.tensor};
        SF_TRY(sf_api_const_ints(c, NULL, 0, SF_DT_INT32, NULL, &in[1]));
        SF_TRY(sf_api_op(c, "Reshape", NULL, in, 2, NULL, 0, &items[i].u.tensor));
    }
    return SF_OK;
}

/* Is what is wanted a shape, or as many numbers as there are axes? */
static bool wants_sizes(const SfWant *want)
{
    static const char *const names[] = {"Tshape", "Tmultiples", "index_type"};
    const SfAttrSpec *attr = want->preferred;
    for (int i = 0; attr && i < SF_ARRAY_LEN(names); i++) {
        if (attr->name_length == strlen(names[i]) &&
            memcmp(attr->name, names[i], attr->name_length) == 0) {
            return true;
        }
    }
    return false;
}

static SfStatus pack_items(SfCall *c, const SfArg *a, SfDtype dtype, bool cast, const char *scope,
                           SfTensor *out, SfApiError *e)
{
    const int n = a->u.list.n;
    SfTensor *items = sf_arena_alloc(c->arena, sizeof *items * (size_t)(n + 1));
    SF_TRY_ALLOC(items);
    for (int i = 0; i < n; i++) {
        SF_TRY(pack_item(c, &a->u.list.items[i], dtype, cast, i, &items[i], e));
    }
    const SfAttrArg attrs[] = {SF_AINT("axis", 0)};
    return sf_api_op(c, "Pack", scope, items, n, attrs, 1, out);
}

static SfStatus pack_list(SfCall *c, const SfArg *a, SfDtype dtype, bool cast, const char *name,
                          SfTensor *out, SfApiError *e)
{
    SfScope scope;
    SF_TRY(sf_api_scope_enter(c, name, "packed", &scope));
    const SfStatus st = pack_items(c, a, dtype, cast, scope.scope, out, e);
    sf_api_scope_exit(c, &scope);
    return st;
}

/* Tensors in a list are cast to a preferred dtype, unless the op takes theirs too. Source: the
 * preferred_dtype of ops.convert_to_tensor, _cast_nested_seqs_to_dtype. */
static bool packs_preferred(const SfCall *c, const SfTensor *first, SfDtype have,
                            const SfWant *want)
{
    if (want->prefer == SF_DT_INVALID || have == want->prefer || c->b->version < SF_VERSION(1, 9)) {
        return false;
    }
    if (sf_tensor_is_unmodelled(first, SF_UNMODELLED_DTYPE)) {
        return true; /* the dtype of the other one is unknown */
    }
    if (have == SF_DT_STRING || want->prefer == SF_DT_STRING) {
        return false; /* no cast between the two */
    }
    const bool takes = want->preferred && want->preferred->nallowed > 0 && sf_api_is_v2(c) &&
                       sf_attr_allows_type(want->preferred, have);
    return !takes;
}

static SfStatus convert_pack(SfCall *c, const SfArg *a, const SfWant *want, SfTensor *out,
                             SfApiError *e)
{
    if (wants_sizes(want)) {
        SF_TRY(sf_api_sizes(c, a, &a));
    }
    const SfTensor *first = first_tensor(a);
    const SfDtype have = first ? sf_dtype_base(first->dtype) : SF_DT_INVALID;
    SfDtype dtype = sf_dtype_base(want->dtype);
    if (dtype == SF_DT_INVALID) {
        dtype = first && packs_preferred(c, first, have, want) ? want->prefer : have;
    }
    const bool cast = dtype != have && have != SF_DT_INVALID;
    if (cast && c->b->version < SF_VERSION(1, 9)) {
        return sf_api_error(e, SF_ERR_TYPE,
                            sf_arena_printf(c->arena,
                                            "Expected %s, got list containing Tensors of type "
                                            "'_Message' instead.",
                                            sf_dtype_name(dtype)));
    }
    return pack_list(c, a, dtype, cast, want->name, out, e);
}

/* everything else */
static SfStatus convert_tensor(SfCall *c, const SfArg *a, const SfWant *want, SfTensor *out,
                               SfApiError *e)
{
    const SfDtype have = a->u.tensor.dtype;
    *out = a->u.tensor;
    if (want->dtype == SF_DT_INVALID || have == SF_DT_INVALID ||
        sf_dtype_base(want->dtype) == sf_dtype_base(have)) {
        return SF_OK;
    }
    if (sf_tensor_is_unmodelled(&a->u.tensor, SF_UNMODELLED_DTYPE)) {
        return sf_build_retyped(c->b, &a->u.tensor, sf_dtype_base(want->dtype), out);
    }
    const bool prefix = sf_api_is_v2(c) && want->name;
    return sf_api_error(e, SF_ERR_VALUE,
                        sf_arena_printf(c->arena,
                                        "%s%sTensor conversion requested dtype %s for Tensor with "
                                        "dtype %s: %s",
                                        prefix ? want->name : "", prefix ? ": " : "",
                                        sf_dtype_name(want->dtype), sf_dtype_name(have),
                                        sf_arg_repr(c, a)));
}

/* With a preferred dtype: that one when it fits, else the deduced one. From TensorFlow 2 on an op's
 * default gives way to any allowed dtype that the value has by itself. */
static SfStatus prefer_content(SfCall *c, const SfArg *a, const SfWant *want, SfContent *out,
                               SfApiError *e)
{
    SfApiError dropped = {SF_ERR_VALUE, NULL};
    if (want->preferred && sf_api_is_v2(c) &&
        sf_convert_content(c, a, SF_DT_INVALID, out, &dropped) == SF_OK &&
        want->preferred->nallowed > 0 && sf_attr_allows_type(want->preferred, out->dtype)) {
        return SF_OK;
    }
    const SfStatus st = sf_convert_content(c, a, want->prefer, out, &dropped);
    return st == SF_REPORTED ? sf_convert_content(c, a, SF_DT_INVALID, out, e) : st;
}

SfStatus sf_convert(SfCall *c, const SfArg *a, const SfWant *want, SfTensor *out, SfApiError *e)
{
    *e = (SfApiError){SF_ERR_VALUE, NULL};
    if (a->kind == SF_ARG_TENSOR) {
        return convert_tensor(c, a, want, out, e);
    }
    if (a->kind == SF_ARG_LIST && sf_arg_has_tensor(a)) {
        return convert_pack(c, a, want, out, e);
    }
    SfContent content;
    if (want->dtype == SF_DT_INVALID && want->prefer != SF_DT_INVALID) {
        SF_TRY(prefer_content(c, a, want, &content, e));
    } else {
        SF_TRY(sf_convert_content(c, a, want->dtype, &content, e));
    }
    return sf_convert_known(c, &content, want->name, out);
}

static SfStatus convert_or_report(SfCall *c, const SfArg *a, const SfWant *want, SfTensor *out)
{
    SfApiError e = {SF_ERR_VALUE, NULL};
    const SfStatus st = sf_convert(c, a, want, out, &e);
    return st == SF_REPORTED ? sf_api_report(c, &e) : st;
}

SfStatus sf_api_tensor_named(SfCall *c, const SfArg *a, SfDtype want, const char *node_name,
                             SfTensor *out)
{
    return convert_or_report(c, a, &(SfWant){.dtype = want, .name = node_name}, out);
}

SfStatus sf_api_tensor(SfCall *c, const SfArg *a, SfDtype want, SfTensor *out)
{
    return sf_api_tensor_named(c, a, want, NULL, out);
}

SfStatus sf_api_tensor_hint(SfCall *c, const SfArg *a, SfDtype hint, const char *node_name,
                            SfTensor *out)
{
    return convert_or_report(c, a, &(SfWant){.prefer = sf_dtype_base(hint), .name = node_name},
                             out);
}

/* constants made here */
SfStatus sf_api_const_value(SfCall *c, const SfValue *v, const char *name, SfTensor *out)
{
    SF_TRY_ALLOC(v);
    return sf_convert_const(c, sf_value_dtype(v), sf_value_shape(v), v, name, out);
}

SfStatus sf_api_const_int(SfCall *c, int64_t v, SfDtype dtype, const char *name, SfTensor *out)
{
    return sf_api_const_value(c, sf_value_int(dtype, v), name, out);
}

SfStatus sf_api_const_ints(SfCall *c, const int64_t *v, int n, SfDtype dtype, const char *name,
                           SfTensor *out)
{
    SfElem *elems = sf_arena_alloc(c->arena, sizeof *elems * (size_t)(n + 1));
    const SfShape *shape = sf_shape_vector(n);
    SF_TRY_ALLOC(elems && shape);
    for (int i = 0; i < n; i++) {
        elems[i] = sf_elem_int(v[i]);
    }
    return sf_convert_const(c, dtype, shape, sf_value_make(dtype, shape, elems), name, out);
}
