/* A graph as the bytes of a GraphDef, for scripts that pass one on. See graphdef.h.
 * Invariant: what is read back is no more than what was known: content that is not known is written
 * so that every reader refuses it.
 * Source: Graph.as_graph_def. */
#include <math.h>
#include <stdio.h>

#include "core/graph/trace.h"
#include "core/graphdef/graphdef.h"
#include "lattice/intern.h"

typedef struct Out {
    SfBytes *b;
    bool failed;
    bool of_trace;
    const SfOpSig *constant, *fed; /* of a trace: what stands for content from outside */
} Out;

static void write_raw(Out *o, const void *bytes, size_t n)
{
    SfBytes *b = o->b;
    if (b->room - b->n < n) {
        size_t room = b->room ? b->room * 2 : 4096;
        while (room - b->n < n) {
            room *= 2;
        }
        char *p = sf_realloc(b->p, room);
        if (!p) {
            o->failed = true;
            return;
        }
        b->p = p;
        b->room = room;
    }
    if (n) {
        memcpy(b->p + b->n, bytes, n);
        b->n += n;
    }
}

static void write_varint(Out *o, uint64_t value)
{
    uint8_t bytes[10];
    size_t n = 0;
    for (; value > 0x7f; value >>= 7) {
        bytes[n++] = (uint8_t)(value | 0x80);
    }
    bytes[n++] = (uint8_t)value;
    write_raw(o, bytes, n);
}

static void write_int(Out *o, uint32_t field, int64_t value)
{
    write_varint(o, (uint64_t)field << 3);
    write_varint(o, (uint64_t)value);
}

static void write_bytes(Out *o, uint32_t field, const char *bytes, size_t n)
{
    write_varint(o, (uint64_t)field << 3 | SF_WIRE_BYTES);
    write_varint(o, n);
    write_raw(o, bytes, n);
}

static void write_text(Out *o, uint32_t field, const char *text)
{
    write_bytes(o, field, text, strlen(text));
}

static void write_float(Out *o, uint32_t field, double value)
{
    const float narrow = (float)value;
    write_varint(o, (uint64_t)field << 3 | SF_WIRE_FIXED32);
    write_raw(o, &narrow, sizeof narrow);
}

/* The length of a message is known when it is complete: a varint of five bytes. */
static size_t open_message(Out *o, uint32_t field)
{
    static const uint8_t room[5] = {0};
    write_varint(o, (uint64_t)field << 3 | SF_WIRE_BYTES);
    write_raw(o, room, sizeof room);
    return o->b->n;
}

static void close_message(Out *o, size_t start)
{
    uint64_t n = o->b->n - start;
    for (int i = 0; i < 5 && !o->failed; i++, n >>= 7) {
        o->b->p[start - 5 + (size_t)i] = (char)((n & 0x7f) | (i < 4 ? 0x80u : 0u));
    }
}

/* attrs */
static void write_shape(Out *o, uint32_t field, const SfShape *s)
{
    const size_t message = open_message(o, field);
    if (!s || !sf_shape_is_ranked(s)) {
        write_int(o, 3, 1);
    }
    for (int i = 0; s && i < sf_shape_rank(s); i++) {
        const SfDim d = sf_shape_dim(s, i);
        const size_t dim = open_message(o, 2);
        write_int(o, 1, sf_dim_is_known(d) ? d : -1);
        close_message(o, dim);
    }
    close_message(o, message);
}

/* Of a value of float16, normal or not. */
static int64_t half_bits(double x)
{
    const int64_t sign = signbit(x) ? 0x8000 : 0;
    int exponent = 0;
    if (isnan(x) || isinf(x)) {
        return sign | (isnan(x) ? 0x7e00 : 0x7c00);
    }
    if (fabs(x) < 0x1p-14) { /* zero, or subnormal */
        return sign | (int64_t)ldexp(fabs(x), 24);
    }
    const double fraction = frexp(fabs(x), &exponent); /* in [0.5, 1) */
    return sign | ((((int64_t)exponent + 14) << 10) + (int64_t)ldexp(fraction - 0.5, 11));
}

static int64_t bfloat16_bits(double x)
{
    const float narrow = (float)x;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits >> 16;
}

static void write_element(Out *o, SfDtype t, SfElem e)
{
    const double f = e.u.f;
    if (e.kind == SF_ELEM_STRING) {
        write_bytes(o, 8, e.u.s->bytes, e.u.s->len);
    } else if (e.kind == SF_ELEM_INT) {
        write_int(o,
                  t == SF_DT_INT64    ? 10
                  : t == SF_DT_BOOL   ? 11
                  : t == SF_DT_UINT32 ? 16
                  : t == SF_DT_UINT64 ? 17
                                      : 7,
                  e.u.i);
    } else if (t == SF_DT_DOUBLE) {
        write_varint(o, 6 << 3 | SF_WIRE_FIXED64);
        write_raw(o, &f, sizeof f);
    } else if (t == SF_DT_HALF || t == SF_DT_BFLOAT16) {
        write_int(o, 13, t == SF_DT_HALF ? half_bits(f) : bfloat16_bits(f));
    } else {
        write_float(o, 5, f);
    }
}

static bool is_writable(const SfValue *v)
{
    const SfDtype t = v ? sf_value_dtype(v) : SF_DT_INVALID;
    return v && sf_value_is_exact(v) &&
           (t == SF_DT_FLOAT || t == SF_DT_DOUBLE || t == SF_DT_HALF || t == SF_DT_BFLOAT16 ||
            t == SF_DT_STRING || t == SF_DT_BOOL || sf_dtype_is_integer(t)) &&
           t != SF_DT_INT4 && t != SF_DT_UINT4;
}

static void write_tensor(Out *o, uint32_t field, const SfAttr *a)
{
    const size_t message = open_message(o, field);
    const SfValue *v = a->u.tensor.value;
    write_int(o, 1, a->u.tensor.dtype);
    write_shape(o, 2, a->u.tensor.shape);
    if (is_writable(v)) {
        for (int64_t i = 0; i < sf_value_count(v); i++) {
            write_element(o, sf_value_dtype(v), sf_value_elem(v, i));
        }
    } else {
        /* Content of a length that no tensor of this form has. */
        const int64_t size = (int64_t)sf_dtype_size(a->u.tensor.dtype);
        const bool one = a->u.tensor.shape && sf_shape_count(a->u.tensor.shape) * size == 1;
        write_bytes(o, 4, "??", one ? 2 : 1);
    }
    close_message(o, message);
}

/* The field of a list has the number of the same type by itself. */
static void write_attr(Out *o, const SfAttr *a)
{
    if (a->type == SF_ATTR_STRING) {
        write_bytes(o, 2, a->u.s ? a->u.s->bytes : "", a->u.s ? a->u.s->len : 0);
    } else if (a->type == SF_ATTR_INT) {
        write_int(o, 3, a->u.i);
    } else if (a->type == SF_ATTR_FLOAT) {
        write_float(o, 4, a->u.f);
    } else if (a->type == SF_ATTR_BOOL) {
        write_int(o, 5, a->u.b);
    } else if (a->type == SF_ATTR_TYPE) {
        write_int(o, 6, a->u.type);
    } else if (a->type == SF_ATTR_SHAPE) {
        write_shape(o, 7, a->u.shape);
    } else if (a->type == SF_ATTR_TENSOR) {
        write_tensor(o, 8, a);
    } else {
        const size_t func = open_message(o, 10);
        write_text(o, 1, a->u.func ? a->u.func : "");
        close_message(o, func);
    }
}

static void write_list(Out *o, const SfAttr *a)
{
    const bool kept = sf_attr_type_info(a->type)->size > 0;
    const size_t message = open_message(o, 1);
    for (int i = 0; kept && i < a->u.list.n; i++) {
        const SfAttr element = sf_attr_element(a, i);
        write_attr(o, &element);
    }
    close_message(o, message);
}

static void write_value(Out *o, const SfAttr *a)
{
    const size_t message = open_message(o, 2);
    if (sf_attr_is_list(a->type)) {
        write_list(o, a);
    } else {
        write_attr(o, a);
    }
    close_message(o, message);
}

/* nodes */
static const char *name_of(const Out *o, const SfNode *n, char text[SF_TRACE_NAME_MAX])
{
    if (o->of_trace) {
        sf_trace_name(n, text);
        return text;
    }
    return n->name;
}

static void write_input(Out *o, const SfTensor *t)
{
    char port[16], text[SF_TRACE_NAME_MAX];
    const int n = t->index > 0 ? snprintf(port, sizeof port, ":%d", (int)t->index) : 0;
    const char *name = name_of(o, t->node, text);
    write_varint(o, 3 << 3 | SF_WIRE_BYTES);
    write_varint(o, strlen(name) + (size_t)n);
    write_raw(o, name, strlen(name));
    write_raw(o, port, (size_t)n);
}

/* What comes from outside at one place is one record; each reader knows its own content. */
static bool is_outside(const SfTensor *t)
{
    return !t->node || (sf_node_role(t->node) == SF_ROLE_NO_OP && t->value);
}

static void outside_name(const SfNode *n, int input, char text[SF_TRACE_NAME_MAX])
{
    (void)snprintf(text, SF_TRACE_NAME_MAX, "outside_%d_%d", n->id, input);
}

static void write_shapes(Out *o, const SfNode *n)
{
    const size_t entry = open_message(o, 5);
    write_text(o, 1, "_output_shapes");
    const size_t value = open_message(o, 2);
    const size_t list = open_message(o, 1);
    for (int i = 0; i < n->nout; i++) {
        write_shape(o, 7, n->outputs[i].shape);
    }
    close_message(o, list);
    close_message(o, value);
    close_message(o, entry);
}

static void write_named(Out *o, const char *name, const SfAttr *value)
{
    const size_t entry = open_message(o, 5);
    write_text(o, 1, name);
    write_value(o, value);
    close_message(o, entry);
}

/* What comes from outside, as a node of its own. */
static void write_outside(Out *o, const char *name, const SfTensor *t)
{
    const SfDtype dtype = sf_dtype_base(t->dtype);
    const bool is_known = is_writable(t->value);
    const SfAttr type = {.type = SF_ATTR_TYPE, .u.type = dtype},
                 shape = {.type = SF_ATTR_SHAPE, .u.shape = t->shape},
                 content = {.type = SF_ATTR_TENSOR,
                            .u.tensor = {.dtype = dtype, .shape = t->shape, .value = t->value}};
    const size_t message = open_message(o, 1);
    write_text(o, 1, name);
    write_text(o, 2, (is_known ? o->constant : o->fed)->def->name);
    write_named(o, "dtype", &type);
    write_named(o, is_known ? "value" : "shape", is_known ? &content : &shape);
    close_message(o, message);
}

static void write_node(Out *o, const SfNode *n, bool shapes)
{
    char text[SF_TRACE_NAME_MAX];
    for (int i = 0; i < n->nin && o->of_trace; i++) {
        if (is_outside(&n->inputs[i])) {
            outside_name(n, i, text);
            write_outside(o, text, &n->inputs[i]);
        }
    }
    if (o->of_trace && sf_node_role(n) == SF_ROLE_NO_OP && n->nout == 1) {
        sf_trace_name(n, text);
        write_outside(o, text, &n->outputs[0]);
        return;
    }
    const size_t message = open_message(o, 1);
    write_text(o, 1, name_of(o, n, text));
    write_text(o, 2, n->sig->def->name);
    for (int i = 0; i < n->nin; i++) {
        if (o->of_trace && is_outside(&n->inputs[i])) {
            outside_name(n, i, text);
            write_text(o, 3, text);
        } else if (n->inputs[i].node) {
            write_input(o, &n->inputs[i]);
        }
    }
    for (int i = 0; i < n->context->control.n; i++) {
        const char *name = n->context->control.items[i]->name;
        write_varint(o, 3 << 3 | SF_WIRE_BYTES);
        write_varint(o, strlen(name) + 1);
        write_raw(o, "^", 1);
        write_raw(o, name, strlen(name));
    }
    if (*n->context->device) {
        write_text(o, 4, n->context->device);
    }
    for (int i = 0; i < n->sig->nattr; i++) {
        const size_t entry = open_message(o, 5);
        write_text(o, 1, n->sig->attrs[i].name);
        write_value(o, &n->attrs[i]);
        close_message(o, entry);
    }
    if (shapes && n->nout > 0) {
        write_shapes(o, n);
    }
    close_message(o, message);
}

static bool write_graph(Out *o, const SfGraph *g, bool shapes, int producer)
{
    *o->b = (SfBytes){0};
    for (int i = 0; i < sf_graph_size(g); i++) {
        write_node(o, sf_graph_node(g, i), shapes);
    }
    const size_t versions = open_message(o, 4);
    write_int(o, 1, producer);
    close_message(o, versions);
    if (o->failed) {
        sf_free(o->b->p);
        *o->b = (SfBytes){0};
    }
    return !o->failed;
}

bool sf_graph_write(const SfGraph *g, bool shapes, int producer, SfBytes *out)
{
    Out o = {.b = out};
    return write_graph(&o, g, shapes, producer);
}

bool sf_trace_graph_write(const SfGraph *records, int producer, const SfOpSig *constant,
                          const SfOpSig *fed, SfBytes *out)
{
    Out o = {.b = out, .of_trace = true, .constant = constant, .fed = fed};
    return write_graph(&o, records, false, producer);
}
