/* The protobuf wire format. See wire.h. */
#include "core/graphdef/wire.h"

enum { GROUP_START = 3, GROUP_END = 4, GROUPS_MAX = 64 };

static void fail(SfWire *w)
{
    w->bad = true;
    w->at = w->end;
}

static uint64_t long_varint(SfWire *w)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70 && w->at < w->end; shift += 7) {
        const uint8_t byte = *w->at++;
        if (shift < 64) {
            value |= (uint64_t)(byte & 0x7f) << shift;
        }
        if (byte < 0x80) {
            return value;
        }
    }
    fail(w);
    return 0;
}

uint64_t sf_wire_varint(SfWire *w)
{
    if (w->at < w->end && *w->at < 0x80) {
        return *w->at++;
    }
    return long_varint(w);
}

static uint64_t fixed(SfWire *w, unsigned size)
{
    uint64_t value = 0;
    if ((size_t)(w->end - w->at) < size) {
        fail(w);
        return 0;
    }
    for (unsigned i = 0; i < size; i++) {
        value |= (uint64_t)w->at[i] << (8 * i);
    }
    w->at += size;
    return value;
}

static bool read_value(SfWire *w, unsigned type, SfWireField *f)
{
    switch (type) {
    case SF_WIRE_VARINT:
        f->value = sf_wire_varint(w);
        break;
    case SF_WIRE_FIXED64:
        f->value = fixed(w, 8);
        break;
    case SF_WIRE_FIXED32:
        f->value = fixed(w, 4);
        break;
    case SF_WIRE_BYTES: {
        const uint64_t n = sf_wire_varint(w);
        if (w->bad || n > (uint64_t)(w->end - w->at)) {
            fail(w);
            return false;
        }
        f->bytes = (SfSpan){(const char *)w->at, (size_t)n};
        w->at += n;
        break;
    }
    default:
        fail(w);
        break;
    }
    f->type = (SfWireType)type;
    return !w->bad;
}

static bool read_tag(SfWire *w, uint32_t *number, unsigned *type)
{
    const uint64_t tag = sf_wire_varint(w);
    *number = (uint32_t)(tag >> 3);
    *type = (unsigned)(tag & 7);
    if (w->bad || tag > UINT32_MAX || *number == 0) {
        fail(w);
        return false;
    }
    return true;
}

/* Behind the start of group `number`: to behind its end. */
static void skip_group(SfWire *w, uint32_t number)
{
    uint32_t open[GROUPS_MAX];
    int depth = 1;
    open[0] = number;
    while (depth > 0 && !w->bad) {
        unsigned type = 0;
        SfWireField f;
        if (w->at == w->end || !read_tag(w, &number, &type)) {
            fail(w);
        } else if (type == GROUP_START && depth < GROUPS_MAX) {
            open[depth++] = number;
        } else if (type == GROUP_END && open[depth - 1] == number) {
            depth--;
        } else {
            (void)read_value(w, type, &f); /* fails on a stray end, and on nesting too deep */
        }
    }
}

bool sf_wire_next_slowly(SfWire *w, SfWireField *f)
{
    unsigned type = 0;
    while (w->at < w->end && read_tag(w, &f->number, &type)) {
        if (type != GROUP_START) {
            return read_value(w, type, f);
        }
        skip_group(w, f->number);
    }
    return false;
}

bool sf_wire_number(const SfWireField *f, SfWireType element, SfWire *packed, uint64_t *out)
{
    if (f->type == element && element != SF_WIRE_BYTES) {
        if (packed->at) {
            return false; /* given already */
        }
        static const uint8_t given = 0;
        packed->at = packed->end = &given;
        *out = f->value;
        return true;
    }
    if (f->type != SF_WIRE_BYTES) {
        return false;
    }
    if (!packed->at) {
        *packed = sf_wire(f->bytes);
    }
    if (packed->at == packed->end) {
        return false;
    }
    *out = element == SF_WIRE_VARINT ? sf_wire_varint(packed)
                                     : fixed(packed, element == SF_WIRE_FIXED64 ? 8 : 4);
    return !packed->bad;
}

int64_t sf_wire_count(SfSpan message, uint32_t number)
{
    SfWire w = sf_wire(message);
    SfWireField f;
    int64_t n = 0;
    while (sf_wire_next(&w, &f)) {
        n += f.number == number && f.type == SF_WIRE_BYTES;
    }
    return w.bad ? -1 : n;
}
