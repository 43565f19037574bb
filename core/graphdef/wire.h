/* The protobuf wire format: a cursor over fields, and strings that point into the file.
 * Invariant: nothing is read outside [at, end); after the first malformed byte `bad` is set and the
 * cursor is at its end. Nothing is copied, nothing allocated, nothing recursive.
 * Owner: of the bytes, the caller. Source: protobuf.dev, "Encoding". */
#ifndef SF_CORE_WIRE_H
#define SF_CORE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a file, not terminated. */
typedef struct SfSpan {
    const char *p;
    size_t n;
} SfSpan;

/* Bytes of our own making, from sf_malloc. */
typedef struct SfBytes {
    char *p;
    size_t n, room;
} SfBytes;

static inline bool sf_span_is(SfSpan s, const char *text)
{
    return strlen(text) == s.n && memcmp(s.p, text, s.n) == 0;
}

static inline bool sf_span_equal(SfSpan a, SfSpan b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

typedef enum SfWireType {
    SF_WIRE_VARINT = 0,
    SF_WIRE_FIXED64 = 1,
    SF_WIRE_BYTES = 2,
    SF_WIRE_FIXED32 = 5
} SfWireType;

typedef struct SfWire {
    const uint8_t *at, *end;
    bool bad;
} SfWire;

typedef struct SfWireField {
    uint32_t number;
    SfWireType type;
    uint64_t value; /* of a varint or fixed field */
    SfSpan bytes;   /* of a field of bytes */
} SfWireField;

static inline SfWire sf_wire(SfSpan s)
{
    const uint8_t *at = (const uint8_t *)s.p;
    return (SfWire){at, s.n ? at + s.n : at, false};
}

bool sf_wire_next_slowly(SfWire *w, SfWireField *f);

/* The next field; groups (deprecated, used by no message here) are skipped. False at the end and at
 * a malformed byte: ask `bad`. Nearly all fields of a graph are short strings with a tag and a
 * length of one byte each: those are read here. */
static inline bool sf_wire_next(SfWire *w, SfWireField *f)
{
    if (w->end - w->at >= 2 && w->at[0] < 0x80 && (w->at[0] & 7) == SF_WIRE_BYTES &&
        w->at[0] >> 3 != 0 && w->at[1] < 0x80 && w->end - w->at - 2 >= w->at[1]) {
        f->number = w->at[0] >> 3;
        f->type = SF_WIRE_BYTES;
        f->bytes.p = (const char *)w->at + 2;
        f->bytes.n = w->at[1];
        w->at += 2 + f->bytes.n;
        return true;
    }
    return sf_wire_next_slowly(w, f);
}
/* One varint; 0 with `bad` set when it is malformed. */
uint64_t sf_wire_varint(SfWire *w);
/* How many fields of that number a message has that hold bytes; -1: it is malformed. */
int64_t sf_wire_count(SfSpan message, uint32_t number);
/* Reads a repeated number field, packed or not, element by element: call with the field until it
 * gives false. *packed starts as {0}. */
bool sf_wire_number(const SfWireField *f, SfWireType element, SfWire *packed, uint64_t *out);

#endif
