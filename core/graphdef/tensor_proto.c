/* TensorProto: dtype, shape, and the content of what is small enough to matter for shapes.
 * Invariant: see attr_value.h. Content is kept of integers up to SF_VALUE_MAX elements and of
 * floats up to FLOATS_MAX; more would only be interned to be forgotten.
 * Source: tensorflow/core/framework/tensor.proto; Tensor::FromProto (a typed field that is shorter
 * than the tensor repeats its last element). */
#include <math.h>

#include "core/graphdef/attr_value.h"

enum {
    T_DTYPE = 1,
    T_SHAPE = 2,
    T_CONTENT = 4,
    T_FLOAT = 5,
    T_DOUBLE = 6,
    T_INT = 7,
    T_STRING = 8,
    T_SCOMPLEX = 9,
    T_INT64 = 10,
    T_BOOL = 11,
    T_DCOMPLEX = 12,
    T_HALF = 13,
    T_UINT32 = 16,
    T_UINT64 = 17,
    FLOATS_MAX = 32,
    STRING_MAX = 4096
};

/* elements from bits */
static double from_half(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023);
    double value;
    if (exponent == 31) {
        value = fraction > 0 ? (double)NAN : (double)INFINITY;
    } else if (exponent == 0) {
        value = ldexp(fraction, -24);
    } else {
        value = ldexp(fraction + 1024, exponent - 25);
    }
    return bits & 0x8000 ? -value : value;
}

static double from_float(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static double from_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* One element from its bits, as they stand in tensor_content or in a typed field. */
static SfElem from_bits(SfDtype t, uint64_t bits)
{
    switch ((int)t) {
    case SF_DT_FLOAT:
        return sf_elem_float(from_float(bits));
    case SF_DT_DOUBLE:
        return sf_elem_float(from_double(bits));
    case SF_DT_HALF:
        return sf_elem_float(from_half(bits));
    case SF_DT_BFLOAT16:
        return sf_elem_float(from_float(bits << 16));
    case SF_DT_BOOL:
        return sf_elem_int(bits != 0);
    case SF_DT_INT8:
        return sf_elem_int((int8_t)bits);
    case SF_DT_INT16:
        return sf_elem_int((int16_t)bits);
    case SF_DT_INT32:
        return sf_elem_int((int32_t)bits);
    case SF_DT_UINT8:
        return sf_elem_int((uint8_t)bits);
    case SF_DT_UINT16:
        return sf_elem_int((uint16_t)bits);
    case SF_DT_UINT32:
        return sf_elem_int((uint32_t)bits);
    case SF_DT_INT64:
    case SF_DT_UINT64:
        return sf_elem_int((int64_t)bits);
    default:
        return sf_elem_unknown(); /* no shape depends on quantised, complex or narrow elements */
    }
}

/* Which typed field holds elements of `t`; 0: none that is read. */
static uint32_t field_of(SfDtype t, SfWireType *wire)
{
    *wire = SF_WIRE_VARINT;
    switch ((int)t) {
    case SF_DT_FLOAT:
        *wire = SF_WIRE_FIXED32;
        return T_FLOAT;
    case SF_DT_DOUBLE:
        *wire = SF_WIRE_FIXED64;
        return T_DOUBLE;
    case SF_DT_HALF:
    case SF_DT_BFLOAT16:
        return T_HALF;
    case SF_DT_BOOL:
        return T_BOOL;
    case SF_DT_INT8:
    case SF_DT_INT16:
    case SF_DT_INT32:
    case SF_DT_UINT8:
    case SF_DT_UINT16:
        return T_INT;
    case SF_DT_UINT32:
        return T_UINT32;
    case SF_DT_INT64:
        return T_INT64;
    case SF_DT_UINT64:
        return T_UINT64;
    case SF_DT_STRING:
        *wire = SF_WIRE_BYTES;
        return T_STRING;
    default:
        return 0;
    }
}

/* content */
typedef struct Content {
    SfElem *elems;
    int64_t count, filled;
    SfDtype dtype;
    uint32_t field;
    SfWireType wire;
} Content;

static void store(Content *c, SfElem e)
{
    if (c->filled < c->count) {
        c->elems[c->filled++] = e;
    }
}

static void store_content(Content *c, SfSpan bytes)
{
    const size_t size = sf_dtype_size(c->dtype);
    if (size == 0 || size > 8 || bytes.n != (size_t)c->count * size) {
        return; /* TensorFlow refuses it when the node runs */
    }
    for (int64_t i = 0; i < c->count; i++) {
        uint64_t bits = 0;
        for (size_t k = 0; k < size; k++) {
            bits |= (uint64_t)(uint8_t)bytes.p[(size_t)i * size + k] << (8 * k);
        }
        store(c, from_bits(c->dtype, bits));
    }
}

static void store_field(Content *c, const SfWireField *f)
{
    if (c->wire == SF_WIRE_BYTES) {
        if (f->type == SF_WIRE_BYTES) {
            store(c, f->bytes.n <= STRING_MAX ? sf_elem_string(f->bytes.p, f->bytes.n)
                                              : sf_elem_unknown());
        }
        return;
    }
    SfWire packed = {0};
    uint64_t bits;
    while (c->filled < c->count && sf_wire_number(f, c->wire, &packed, &bits)) {
        store(c, from_bits(c->dtype, bits));
    }
}

static SfElem zero(SfDtype t)
{
    return t == SF_DT_STRING ? sf_elem_string("", 0) : from_bits(t, 0);
}

/* Reads the elements; false: the content stays unknown. */
static bool read_content(Content *c, SfSpan bytes)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    bool raw = false;
    while (sf_wire_next(&w, &f)) {
        if (f.number == T_CONTENT && f.type == SF_WIRE_BYTES && f.bytes.n > 0) {
            raw = true;
            c->filled = 0;
            store_content(c, f.bytes);
        } else if (f.number == c->field && !raw) {
            store_field(c, &f);
        }
    }
    if (raw && c->filled < c->count) {
        return false;
    }
    const SfElem last = c->filled > 0 ? c->elems[c->filled - 1] : zero(c->dtype);
    while (c->filled < c->count) {
        store(c, last);
    }
    return true;
}

static SfDecoded decode_content(SfDecoder *d, SfSpan bytes, SfAttr *out)
{
    Content c = {.dtype = out->u.tensor.dtype, .count = sf_shape_count(out->u.tensor.shape)};
    c.field = field_of(c.dtype, &c.wire);
    const bool is_float = sf_dtype_is_floating(c.dtype);
    if (!sf_shape_is_known(out->u.tensor.shape) || c.field == 0 || c.count < 0 ||
        c.count > (is_float ? FLOATS_MAX : SF_VALUE_MAX) || c.count > d->elements_left) {
        return SF_DECODED;
    }
    d->elements_left -= c.count;
    c.elems = sf_arena_alloc(d->arena, (size_t)c.count * sizeof *c.elems);
    if (!c.elems) {
        return SF_DECODED_NOMEM;
    }
    if (read_content(&c, bytes)) {
        out->u.tensor.value = sf_value_make(c.dtype, out->u.tensor.shape, c.elems);
    }
    return SF_DECODED;
}

SfDecoded sf_tensor_decode(SfDecoder *d, SfSpan bytes, SfAttr *out)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    uint64_t dtype = 0;
    *out = (SfAttr){.type = SF_ATTR_TENSOR, .set = true};
    out->u.tensor.shape = sf_shape_scalar();
    while (sf_wire_next(&w, &f)) {
        if (f.number == T_DTYPE && f.type == SF_WIRE_VARINT) {
            dtype = f.value;
        } else if (f.number == T_SHAPE && f.type == SF_WIRE_BYTES) {
            const SfDecoded shape = sf_shape_decode(f.bytes, &out->u.tensor.shape);
            if (shape != SF_DECODED) {
                return shape;
            }
        }
    }
    if (w.bad) {
        return SF_DECODED_BAD;
    }
    out->u.tensor.dtype = sf_dtype_base(sf_dtype_decode(dtype));
    return out->u.tensor.dtype == SF_DT_INVALID ? SF_DECODED_STRANGE
                                                : decode_content(d, bytes, out);
}
