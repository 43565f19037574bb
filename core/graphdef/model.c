/* MetaGraphDef and SavedModel. See model.h. */
#include "core/graphdef/model.h"

enum {
    S_VERSION = 1,
    S_META = 2, /* SavedModel */
    M_INFO = 1,
    M_GRAPH = 2, /* MetaGraphDef */
    I_TAGS = 4,
    I_VERSION = 5 /* MetaInfoDef */
};

enum { BAD = -1, NOMEM = -2 };

SfModelKind sf_model_kind_of(SfSpan file)
{
    SfWire w = sf_wire(file);
    SfWireField f;
    return sf_wire_next(&w, &f) && f.number == S_VERSION && f.type == SF_WIRE_VARINT
               ? SF_MODEL_SAVED
               : SF_MODEL_GRAPH;
}

static int read_info(SfArena *arena, SfSpan bytes, SfModelPart *part)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    int n = 0;
    while (sf_wire_next(&w, &f)) {
        n += f.number == I_TAGS && f.type == SF_WIRE_BYTES && n < 64;
    }
    part->tags = sf_arena_alloc(arena, (size_t)n * sizeof *part->tags);
    if (!part->tags) {
        return NOMEM;
    }
    const bool bad = w.bad;
    w = sf_wire(bytes);
    while (sf_wire_next(&w, &f)) {
        if (f.number == I_TAGS && f.type == SF_WIRE_BYTES && part->ntags < n) {
            part->tags[part->ntags++] = f.bytes;
        } else if (f.number == I_VERSION && f.type == SF_WIRE_BYTES) {
            part->version = f.bytes;
        }
    }
    return bad ? BAD : 0;
}

static int read_meta(SfArena *arena, SfSpan bytes, SfModelPart *part)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    int status = 0;
    part->meta = bytes;
    while (sf_wire_next(&w, &f)) {
        if (f.type == SF_WIRE_BYTES && f.number == M_GRAPH) {
            part->graph = f.bytes;
        } else if (f.type == SF_WIRE_BYTES && f.number == M_INFO) {
            part->ntags = 0;
            const int info = read_info(arena, f.bytes, part);
            status = status ? status : info;
        }
    }
    return w.bad ? BAD : status;
}

static int read_saved(SfArena *arena, SfSpan file, SfModelPart **out)
{
    SfWire w = sf_wire(file);
    SfWireField f;
    const int64_t n = sf_wire_count(file, S_META);
    if (n < 0 || n > INT32_MAX / 4) {
        return BAD;
    }
    *out = sf_arena_alloc(arena, (size_t)n * sizeof **out);
    if (!*out) {
        return NOMEM;
    }
    int at = 0;
    while (sf_wire_next(&w, &f)) {
        if (f.number == S_META && f.type == SF_WIRE_BYTES) {
            const int status = read_meta(arena, f.bytes, &(*out)[at++]);
            if (status) {
                return status;
            }
        }
    }
    return at;
}

int sf_model_parts(SfArena *arena, SfSpan file, SfModelKind kind, SfModelPart **out)
{
    if (kind == SF_MODEL_SAVED) {
        return read_saved(arena, file, out);
    }
    *out = sf_arena_alloc(arena, sizeof **out);
    if (!*out) {
        return NOMEM;
    }
    if (kind == SF_MODEL_GRAPH) {
        (*out)->graph = file;
        return 1;
    }
    const int status = read_meta(arena, file, *out);
    return status ? status : 1;
}
