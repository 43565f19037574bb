/* What is done with attrs, whatever op they are of. See attr.h. */
#include "core/op/attr.h"

#include <string.h>

static const SfAttrTypeInfo infos[] = {
    [SF_ATTR_INT] = {"int", "int", "int", sizeof(int64_t)},
    [SF_ATTR_FLOAT] = {"float", "float", "float", sizeof(double)},
    [SF_ATTR_BOOL] = {"bool", "bool", "bool", sizeof(bool)},
    [SF_ATTR_STRING] = {"string", "string", "str", sizeof(const SfString *)},
    [SF_ATTR_TYPE] = {"type", "DataType", "DType", sizeof(SfDtype)},
    [SF_ATTR_SHAPE] = {"shape", "TensorShape", "TensorShape", sizeof(const SfShape *)},
    [SF_ATTR_TENSOR] = {"tensor", "tensor", "TensorProto", 0},
    [SF_ATTR_FUNC] = {"func", "func", "function", 0},
};

const SfAttrTypeInfo *sf_attr_type_info(SfAttrType type)
{
    return &infos[(unsigned)type % SF_ARRAY_LEN(infos)];
}

static size_t list_size(const SfAttr *list)
{
    return (size_t)list->u.list.n * sf_attr_type_info(list->type)->size;
}

/* All members of the unions start at their union's start, and each array holds its own type. */
SfAttr sf_attr_element(const SfAttr *list, int i)
{
    SfAttr a = {.type = (SfAttrType)(list->type - SF_ATTR_LIST), .set = true};
    const size_t size = sf_attr_type_info(a.type)->size;
    if (size > 0) {
        memcpy(&a.u, (const char *)list->u.list.u.i + (size_t)i * size, size);
    }
    return a;
}

/* Two floats are the same attr when they print the same: NaN is, 0 and -0 are not. */
static uint64_t float_bits(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

bool sf_attr_same(const SfAttr *a, const SfAttr *b)
{
    if (a->type != b->type || a->set != b->set) {
        return false;
    }
    if (sf_attr_is_list(a->type)) {
        const size_t size = list_size(a);
        return a->u.list.n == b->u.list.n &&
               (size == 0 || memcmp(a->u.list.u.i, b->u.list.u.i, size) == 0);
    }
    switch (a->type) {
    case SF_ATTR_INT:
        return a->u.i == b->u.i;
    case SF_ATTR_FLOAT:
        return float_bits(a->u.f) == float_bits(b->u.f);
    case SF_ATTR_BOOL:
        return a->u.b == b->u.b;
    case SF_ATTR_STRING:
        return a->u.s == b->u.s;
    case SF_ATTR_TYPE:
        return a->u.type == b->u.type;
    case SF_ATTR_SHAPE:
        return a->u.shape == b->u.shape;
    case SF_ATTR_TENSOR:
        return a->u.tensor.dtype == b->u.tensor.dtype && a->u.tensor.shape == b->u.tensor.shape &&
               a->u.tensor.value == b->u.tensor.value;
    case SF_ATTR_FUNC:
        return a->u.func == b->u.func ||
               (a->u.func && b->u.func && strcmp(a->u.func, b->u.func) == 0);
    case SF_ATTR_LIST:
    default:
        return false;
    }
}

SfStatus sf_attr_keep(SfArena *arena, SfAttr *a)
{
    if (sf_attr_is_list(a->type)) {
        const size_t size = list_size(a);
        a->u.list.u.i = size ? sf_arena_copy(arena, a->u.list.u.i, size) : NULL;
        return a->u.list.u.i || !size ? SF_OK : SF_NOMEM;
    }
    if (a->type == SF_ATTR_TENSOR) {
        (void)sf_value_keep(a->u.tensor.value);
    }
    if (a->type == SF_ATTR_FUNC && a->u.func) {
        a->u.func = sf_arena_strdup(arena, a->u.func);
        return a->u.func ? SF_OK : SF_NOMEM;
    }
    return SF_OK;
}

bool sf_attr_convert(SfAttrType want, SfAttr *a)
{
    if (a->type == want) {
        return true;
    }
    if (sf_attr_is_list(want) && sf_attr_is_list(a->type)) {
        a->type = want;
        return a->u.list.n == 0; /* an empty list fits every list */
    }
    SfAttr out = {.type = want, .set = true};
    if (want == SF_ATTR_INT && a->type == SF_ATTR_BOOL) {
        out.u.i = a->u.b;
    } else if (want == SF_ATTR_INT && a->type == SF_ATTR_FLOAT && a->u.f > -9e18 && a->u.f < 9e18) {
        out.u.i = (int64_t)a->u.f;
    } else if (want == SF_ATTR_FLOAT && a->type == SF_ATTR_INT) {
        out.u.f = (double)a->u.i;
    } else if (want == SF_ATTR_FLOAT && a->type == SF_ATTR_BOOL) {
        out.u.f = a->u.b;
    } else if (want == SF_ATTR_FUNC && a->type == SF_ATTR_STRING && a->u.s) {
        out.u.func = a->u.s->bytes;
    } else {
        return false;
    }
    *a = out;
    return true;
}

bool sf_attr_allows_type(const SfAttrSpec *spec, SfDtype t)
{
    return spec->allowed_types == 0 || (t < 64 && (spec->allowed_types >> t & 1));
}

bool sf_attr_allows_string(const SfAttrSpec *spec, const SfString *s)
{
    const SfStrings *allowed = &spec->allowed_strings;
    for (int i = 0; i < allowed->n; i++) {
        const SfString *one = allowed->items[i];
        if (s && one->len == s->len && memcmp(one->bytes, s->bytes, s->len) == 0) {
            return true;
        }
    }
    return allowed->n == 0;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

void sf_strbuf_python_name(SfStrbuf *t, const char *op)
{
    for (const char *c = op; *c; c++) {
        if (c > op && is_upper(*c) && (is_lower(c[-1]) || is_lower(c[1]))) {
            sf_strbuf_char(t, '_');
        }
        sf_strbuf_char(t, is_upper(*c) ? (char)(*c - 'A' + 'a') : *c);
    }
}
