/* AttrValue and TensorShapeProto; tensors are tensor_proto.c's. See attr_value.h. */
#include "core/graphdef/attr_value.h"

enum {
    /* AttrValue */
    A_LIST = 1,
    A_S = 2,
    A_I = 3,
    A_F = 4,
    A_B = 5,
    A_TYPE = 6,
    A_SHAPE = 7,
    A_TENSOR = 8,
    A_PLACEHOLDER = 9,
    A_FUNC = 10,
    /* AttrValue.ListValue: as AttrValue, except */
    L_FUNC = 9,
    /* TensorShapeProto, TensorShapeProto.Dim, NameAttrList */
    S_DIM = 2,
    S_UNKNOWN_RANK = 3,
    D_SIZE = 1,
    N_NAME = 1
};

/* Longer strings are not kept: no attr has them, and interned strings are never freed. */
#define STRING_MAX (64u << 10)

SfDtype sf_dtype_decode(uint64_t number)
{
    const uint64_t base = number > SF_DT_REF ? number - SF_DT_REF : number;
    const bool known = base < SF_DT_COUNT && strcmp(sf_dtype_name((SfDtype)base), "invalid") != 0;
    return known ? (SfDtype)number : SF_DT_INVALID;
}

static bool decode_dim(SfSpan bytes, SfDim *out)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    int64_t size = 0;
    while (sf_wire_next(&w, &f)) {
        if (f.number == D_SIZE && f.type == SF_WIRE_VARINT) {
            size = (int64_t)f.value;
        }
    }
    *out = size < 0 ? SF_DIM_UNKNOWN : size;
    return !w.bad;
}

SfDecoded sf_shape_decode(SfSpan bytes, const SfShape **out)
{
    SfDim dims[SF_RANK_MAX];
    int rank = 0;
    bool unknown = false;
    SfWire w = sf_wire(bytes);
    SfWireField f;
    while (sf_wire_next(&w, &f)) {
        if (f.number == S_UNKNOWN_RANK && f.type == SF_WIRE_VARINT) {
            unknown = f.value != 0;
        } else if (f.number == S_DIM && f.type == SF_WIRE_BYTES) {
            if (rank == SF_RANK_MAX) {
                unknown = true;
            } else if (!decode_dim(f.bytes, &dims[rank++])) {
                return SF_DECODED_BAD;
            }
        }
    }
    if (w.bad) {
        return SF_DECODED_BAD;
    }
    *out = unknown ? sf_shape_unknown() : sf_shape_make(rank, dims);
    return *out ? SF_DECODED : SF_DECODED_NOMEM;
}

static SfDecoded decode_string(SfSpan bytes, const SfString **out)
{
    if (bytes.n > STRING_MAX) {
        return SF_DECODED_STRANGE;
    }
    const SfElem e = sf_elem_string(bytes.p, bytes.n);
    *out = e.kind == SF_ELEM_STRING ? e.u.s : NULL;
    return *out ? SF_DECODED : SF_DECODED_NOMEM;
}

static SfDecoded decode_func(SfDecoder *d, SfSpan bytes, const char **out)
{
    SfSpan name = {"", 0};
    SfWire w = sf_wire(bytes);
    SfWireField f;
    while (sf_wire_next(&w, &f)) {
        if (f.number == N_NAME && f.type == SF_WIRE_BYTES) {
            name = f.bytes;
        }
    }
    if (w.bad || memchr(name.p, 0, name.n)) {
        return SF_DECODED_BAD;
    }
    *out = sf_arena_strndup(d->arena, name.p, name.n);
    return *out ? SF_DECODED : SF_DECODED_NOMEM;
}

static double float_of(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

/* lists */
static const struct {
    SfAttrType type;
    SfWireType wire;
    size_t size; /* 0: kept by their number only */
} kinds[] = {
    [A_S] = {SF_ATTR_STRING, SF_WIRE_BYTES, sizeof(const SfString *)},
    [A_I] = {SF_ATTR_INT, SF_WIRE_VARINT, sizeof(int64_t)},
    [A_F] = {SF_ATTR_FLOAT, SF_WIRE_FIXED32, sizeof(double)},
    [A_B] = {SF_ATTR_BOOL, SF_WIRE_VARINT, sizeof(bool)},
    [A_TYPE] = {SF_ATTR_TYPE, SF_WIRE_VARINT, sizeof(SfDtype)},
    [A_SHAPE] = {SF_ATTR_SHAPE, SF_WIRE_BYTES, sizeof(const SfShape *)},
    [A_TENSOR] = {SF_ATTR_TENSOR, SF_WIRE_BYTES, 0},
    [L_FUNC] = {SF_ATTR_FUNC, SF_WIRE_BYTES, 0},
};

static bool is_element(uint32_t number)
{
    return number >= A_S && number <= L_FUNC;
}

/* Elements of one field; -1 when it is malformed. */
static int64_t count_elements(const SfWireField *f)
{
    const SfWireType wire = kinds[f->number].wire;
    int64_t n = 0;
    uint64_t value;
    SfWire packed = {0};
    if (wire == SF_WIRE_BYTES) {
        return f->type == SF_WIRE_BYTES ? 1 : 0;
    }
    while (sf_wire_number(f, wire, &packed, &value)) {
        n++;
    }
    return packed.bad ? -1 : n;
}

static SfDecoded store_number(uint32_t kind, uint64_t value, void *items, int64_t i)
{
    switch (kind) {
    case A_I:
        ((int64_t *)items)[i] = (int64_t)value;
        break;
    case A_F:
        ((double *)items)[i] = float_of(value);
        break;
    case A_B:
        ((bool *)items)[i] = value != 0;
        break;
    default:
        ((SfDtype *)items)[i] = sf_dtype_decode(value);
        return ((SfDtype *)items)[i] == SF_DT_INVALID ? SF_DECODED_STRANGE : SF_DECODED;
    }
    return SF_DECODED;
}

static SfDecoded store_elements(const SfWireField *f, void *items, int64_t *at)
{
    uint64_t value;
    SfWire packed = {0};
    if (f->number == A_S) {
        return decode_string(f->bytes, &((const SfString **)items)[(*at)++]);
    }
    if (f->number == A_SHAPE) {
        return sf_shape_decode(f->bytes, &((const SfShape **)items)[(*at)++]);
    }
    SfDecoded all = SF_DECODED;
    while (sf_wire_number(f, kinds[f->number].wire, &packed, &value)) {
        const SfDecoded one = store_number(f->number, value, items, (*at)++);
        all = one == SF_DECODED ? all : one;
    }
    return all;
}

static SfDecoded decode_list(SfDecoder *d, SfSpan bytes, SfAttrType want, SfAttr *out)
{
    uint32_t kind = 0;
    int64_t n = 0;
    SfWire w = sf_wire(bytes);
    SfWireField f;
    while (sf_wire_next(&w, &f)) {
        if (is_element(f.number)) {
            const int64_t more = count_elements(&f);
            if (more < 0 || n + more > INT32_MAX) {
                return SF_DECODED_BAD;
            }
            kind = more > 0 ? f.number : kind; /* of a list of mixed kinds, the last */
            n += more;
        }
    }
    if (w.bad) {
        return SF_DECODED_BAD;
    }
    *out = (SfAttr){.type = want | SF_ATTR_LIST, .set = true};
    if (n == 0) {
        return SF_DECODED;
    }
    out->type = SF_ATTR_LIST + kinds[kind].type;
    if (kinds[kind].size == 0) {
        out->u.list.n = (int)n;
        return SF_DECODED;
    }
    void *items = sf_arena_alloc(d->arena, (size_t)n * kinds[kind].size);
    if (!items) {
        return SF_DECODED_NOMEM;
    }
    SfDecoded all = SF_DECODED;
    int64_t at = 0;
    w = sf_wire(bytes);
    while (sf_wire_next(&w, &f)) {
        if (f.number == kind && count_elements(&f) > 0) {
            const SfDecoded one = store_elements(&f, items, &at);
            all = one == SF_DECODED ? all : one;
        }
    }
    out->u.list.n = (int)at;
    out->u.list.u.i = items;
    return all;
}

/* one attr */
static SfDecoded decode_bytes(SfDecoder *d, const SfWireField *f, SfAttrType want, SfAttr *out)
{
    *out = (SfAttr){.set = true};
    switch (f->number) {
    case A_LIST:
        return decode_list(d, f->bytes, want, out);
    case A_S:
        out->type = SF_ATTR_STRING;
        return decode_string(f->bytes, &out->u.s);
    case A_SHAPE:
        out->type = SF_ATTR_SHAPE;
        return sf_shape_decode(f->bytes, &out->u.shape);
    case A_TENSOR:
        return sf_tensor_decode(d, f->bytes, out);
    case A_FUNC:
        out->type = SF_ATTR_FUNC;
        return decode_func(d, f->bytes, &out->u.func);
    default:
        return SF_DECODED_STRANGE; /* a placeholder of a generic function, or something newer */
    }
}

static SfDecoded decode_number(const SfWireField *f, SfAttr *out)
{
    *out = (SfAttr){.set = true};
    switch (f->number) {
    case A_I:
        out->type = SF_ATTR_INT;
        out->u.i = (int64_t)f->value;
        return SF_DECODED;
    case A_F:
        out->type = SF_ATTR_FLOAT;
        out->u.f = float_of(f->value);
        return SF_DECODED;
    case A_B:
        out->type = SF_ATTR_BOOL;
        out->u.b = f->value != 0;
        return SF_DECODED;
    case A_TYPE:
        out->type = SF_ATTR_TYPE;
        out->u.type = sf_dtype_decode(f->value);
        return out->u.type == SF_DT_INVALID ? SF_DECODED_STRANGE : SF_DECODED;
    default:
        return SF_DECODED_STRANGE;
    }
}

SfDecoded sf_attr_decode(SfDecoder *d, SfSpan bytes, SfAttrType want, SfAttr *out)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    SfDecoded last = SF_DECODED_STRANGE; /* no value at all */
    *out = (SfAttr){.type = want};
    while (sf_wire_next(&w, &f)) {
        if (f.number < A_LIST || f.number > A_FUNC) {
            continue;
        }
        const bool is_number = f.number >= A_I && f.number <= A_TYPE;
        if (is_number != (f.type != SF_WIRE_BYTES) ||
            (f.number == A_F) != (f.type == SF_WIRE_FIXED32)) {
            continue; /* an unknown field that has the number of a known one */
        }
        last = is_number ? decode_number(&f, out) : decode_bytes(d, &f, want, out);
        if (last == SF_DECODED_BAD || last == SF_DECODED_NOMEM) {
            return last;
        }
    }
    return w.bad ? SF_DECODED_BAD : last;
}
