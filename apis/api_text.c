/* Text: how Python would print an argument, for TensorFlow's error messages. */
#include "apis/api_internal.h"
#include "core/op/port.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows in the call's arena. */
typedef struct Text {
    SfArena *arena;
    char *bytes;
    size_t len, cap;
} Text;

static void append(Text *t, const char *s, size_t n)
{
    if (t->len + n + 1 > t->cap) {
        const size_t cap = (t->cap + n + 64) * 2;
        char *bytes = sf_arena_alloc(t->arena, cap);
        if (!bytes) {
            return;
        }
        if (t->len > 0) {
            memcpy(bytes, t->bytes, t->len);
        }
        t->bytes = bytes;
        t->cap = cap;
    }
    memcpy(t->bytes + t->len, s, n);
    t->len += n;
    t->bytes[t->len] = '\0';
}

static void append_text(Text *t, const char *s)
{
    append(t, s, strlen(s));
}

__attribute__((format(printf, 2, 3))) static void append_format(Text *t, const char *fmt, ...)
{
    char buf[160];
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    if (n > 0) {
        append(t, buf, (size_t)n < sizeof buf ? (size_t)n : sizeof buf - 1);
    }
}

static const char *finish(const Text *t)
{
    return t->bytes ? t->bytes : "";
}

/* repr(float): the shortest digits that read back as the same number. */
static void append_float(Text *t, double f)
{
    char buf[40];
    if (isnan(f)) {
        append_text(t, "nan");
        return;
    }
    if (isinf(f)) {
        append_text(t, f < 0 ? "-inf" : "inf");
        return;
    }
    const double size = fabs(f);
    const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(buf, sizeof buf, "%.*g", digits, f);
        if (strtod(buf, NULL) != f) {
            continue;
        }
        if (plain && strchr(buf, 'e')) { /* 1e+02 is 100.0 in Python */
            (void)snprintf(buf, sizeof buf, "%.0f", f);
        }
        break;
    }
    append_text(t, buf);
    if (plain && !strpbrk(buf, ".e")) {
        append_text(t, ".0");
    }
}

static void append_quoted(Text *t, const char *s, size_t n)
{
    const char quote = memchr(s, '\'', n) && !memchr(s, '"', n) ? '"' : '\'';
    append(t, &quote, 1);
    for (size_t i = 0; i < n; i++) {
        const char ch = s[i];
        if (ch == '\n') {
            append_text(t, "\\n");
        } else if (ch == '\\' || ch == quote) {
            append(t, "\\", 1);
            append(t, &ch, 1);
        } else {
            append(t, &ch, 1);
        }
    }
    append(t, &quote, 1);
}

static void append_dim(Text *t, SfDim d, const char *unknown)
{
    if (sf_dim_is_known(d)) {
        append_format(t, "%lld", (long long)d);
    } else {
        append_text(t, unknown);
    }
}

static void append_shape(Text *t, const SfShape *s, bool words2)
{
    const int rank = sf_shape_rank(s);
    if (rank < 0) {
        append_text(t, "<unknown>");
        return;
    }
    append_text(t, "(");
    for (int i = 0; i < rank; i++) {
        append_text(t, i > 0 ? ", " : "");
        append_dim(t, sf_shape_dim(s, i), words2 ? "None" : "?");
    }
    append_text(t, rank == 1 ? ",)" : ")");
}

static void append_elem(Text *t, SfElem e)
{
    switch (e.kind) {
    case SF_ELEM_INT:
        append_format(t, "%lld", (long long)e.u.i);
        break;
    case SF_ELEM_FLOAT:
        append_float(t, e.u.f);
        break;
    case SF_ELEM_STRING:
        append_text(t, "b");
        append_quoted(t, e.u.s->bytes, e.u.s->len);
        break;
    case SF_ELEM_COMPLEX:
        append_format(t, "(%g%+gj)", e.u.f, e.im);
        break;
    case SF_ELEM_DIM:
    case SF_ELEM_SHAPE:
    case SF_ELEM_UNKNOWN:
        append_text(t, "?");
        break;
    }
}

static void append_tensor(Text *t, const SfCall *c, const SfTensor *x)
{
    const char *dtype = sf_dtype_name(x->dtype);
    if (!x->node) {
        append_text(t, "<tf.Tensor: shape=");
        append_shape(t, x->shape, true);
        append_format(t, ", dtype=%s", dtype);
        if (x->value && sf_shape_rank(x->shape) == 0) {
            append_text(t, ", numpy=");
            append_elem(t, sf_value_elem(x->value, 0));
        }
        append_text(t, ">");
        return;
    }
    if (c->b->version < SF_VERSION(1, 9)) {
        append_format(t, "'Tensor(\"%s:%d\", shape=", x->node->name, x->index);
        append_shape(t, x->shape, false);
        append_format(t, ", dtype=%s)'", dtype);
        return;
    }
    append_format(t, "<tf.Tensor '%s:%d' shape=", x->node->name, x->index);
    append_shape(t, x->shape, sf_api_is_v2(c));
    append_format(t, " dtype=%s>", dtype);
}

static void append_array(Text *t, const SfArg *a)
{
    if (sf_shape_rank(a->u.array.shape) == 0 && a->u.array.value) {
        append_elem(t, sf_value_elem(a->u.array.value, 0));
        return;
    }
    append_text(t, "array(...)");
}

static void append_arg(Text *t, const SfCall *c, const SfArg *a, int depth);

static void append_list(Text *t, const SfCall *c, const SfArg *a, int depth)
{
    enum { SHOWN = 200 };
    append_text(t, a->is_tuple ? "(" : "[");
    for (int i = 0; i < a->u.list.n && depth < 16; i++) {
        append_text(t, i > 0 ? ", " : "");
        if (i == SHOWN) {
            append_text(t, "...");
            break;
        }
        append_arg(t, c, &a->u.list.items[i], depth + 1);
    }
    append_text(t, a->is_tuple ? (a->u.list.n == 1 ? ",)" : ")") : "]");
}

static void append_arg(Text *t, const SfCall *c, const SfArg *a, int depth)
{
    if ((a->kind == SF_ARG_ARRAY || a->kind == SF_ARG_OBJECT) && c->describe) {
        const char *message = c->describe(c, a, false);
        if (message) {
            append_text(t, message);
            return;
        }
    }
    switch (a->kind) {
    case SF_ARG_DEFAULT:
    case SF_ARG_NONE:
        append_text(t, "None");
        break;
    case SF_ARG_BOOL:
        append_text(t, a->u.b ? "True" : "False");
        break;
    case SF_ARG_INT:
        append_format(t, "%lld", (long long)a->u.i);
        break;
    case SF_ARG_FLOAT:
        append_float(t, a->u.f);
        break;
    case SF_ARG_STRING:
        append_quoted(t, a->u.s.bytes, a->u.s.len);
        break;
    case SF_ARG_DTYPE:
        append_format(t, "tf.%s", sf_dtype_name(a->u.dtype));
        break;
    case SF_ARG_SHAPE:
        append_text(t, "TensorShape(");
        append_shape(t, a->u.shape, true);
        append_text(t, ")");
        break;
    case SF_ARG_DIM:
        append_text(t, "Dimension(");
        append_dim(t, a->u.dim, "None");
        append_text(t, ")");
        break;
    case SF_ARG_TENSOR:
        append_tensor(t, c, &a->u.tensor);
        break;
    case SF_ARG_ARRAY:
        append_array(t, a);
        break;
    case SF_ARG_LIST:
        append_list(t, c, a, depth);
        break;
    case SF_ARG_OBJECT:
        append_text(t, "<object>");
        break;
    }
}

const char *sf_arg_repr(const SfCall *c, const SfArg *a)
{
    Text t = {.arena = c->arena};
    append_arg(&t, c, a, 0);
    return finish(&t);
}

const char *sf_arg_str(const SfCall *c, const SfArg *a)
{
    if (a->kind == SF_ARG_STRING) {
        const char *copy = sf_arena_strndup(c->arena, a->u.s.bytes, a->u.s.len);
        return copy ? copy : "";
    }
    if (a->kind == SF_ARG_TENSOR && a->u.tensor.node) {
        Text t = {.arena = c->arena};
        append_format(&t, "Tensor(\"%s:%d\", shape=", a->u.tensor.node->name, a->u.tensor.index);
        append_shape(&t, a->u.tensor.shape, sf_api_is_v2(c));
        append_format(&t, ", dtype=%s)", sf_dtype_name(a->u.tensor.dtype));
        return finish(&t);
    }
    return sf_arg_repr(c, a);
}

const char *sf_arg_type_name(const SfCall *c, const SfArg *a)
{
    if (c->describe) {
        const char *message = c->describe(c, a, true);
        if (message) {
            return message;
        }
    }
    switch (a->kind) {
    case SF_ARG_DEFAULT:
    case SF_ARG_NONE:
        return "NoneType";
    case SF_ARG_BOOL:
        return "bool";
    case SF_ARG_INT:
        return "int";
    case SF_ARG_FLOAT:
        return "float";
    case SF_ARG_STRING:
        return "str";
    case SF_ARG_DTYPE:
        return "DType";
    case SF_ARG_SHAPE:
        return "TensorShape";
    case SF_ARG_DIM:
        return "Dimension";
    case SF_ARG_TENSOR:
        return "Tensor";
    case SF_ARG_ARRAY:
        return sf_shape_rank(a->u.array.shape) == 0 ? sf_dtype_name(a->u.array.dtype) : "ndarray";
    case SF_ARG_LIST:
        return a->is_tuple ? "tuple" : "list";
    case SF_ARG_OBJECT:
        return "object";
    }
    return "object";
}

const char *sf_shape_tuple_text(const SfCall *c, const SfShape *s)
{
    Text t = {.arena = c->arena};
    append_shape(&t, s, sf_api_is_v2(c));
    return finish(&t);
}

const char *sf_int_list_text(const SfCall *c, const int64_t *items, int n, char open, char close)
{
    Text t = {.arena = c->arena};
    append(&t, &open, 1);
    for (int i = 0; i < n; i++) {
        append_format(&t, i > 0 ? ", %lld" : "%lld", (long long)items[i]);
    }
    if (n == 1 && open == '(') {
        append_text(&t, ",");
    }
    append(&t, &close, 1);
    return finish(&t);
}

/* reporting */
SfStatus sf_api_error(SfApiError *e, SfErrorClass class_, const char *text)
{
    e->class_ = class_;
    e->text = text ? text : "";
    return SF_REPORTED;
}

/* The tensors among the arguments of a function, of which its error is. */
static int argument_operands(const SfCall *c, SfDiagOperand *out, int room)
{
    int n = 0;
    for (int i = 0; c->sig && c->args && i < c->sig->nparams && n < room; i++) {
        if (c->args[i].kind == SF_ARG_TENSOR) {
            out[n++] = sf_operand(c->sig->params[i].name, &c->args[i].u.tensor);
        }
    }
    return n;
}

/* The first axis in which two shapes of one rank differ. */
static int differing_axes(const SfDiagOperand *operands, int n, SfPlace *out)
{
    const int rank = n == 2 ? sf_shape_rank(operands[0].shape) : -1;
    if (rank <= 0 || sf_shape_rank(operands[1].shape) != rank) {
        return 0;
    }
    for (int axis = 0; axis < rank; axis++) {
        const SfDim a = sf_shape_dim(operands[0].shape, axis);
        const SfDim b = sf_shape_dim(operands[1].shape, axis);
        if (a != b && sf_dim_is_known(a) && sf_dim_is_known(b)) {
            out[0] = SF_AXIS(0, axis);
            out[1] = SF_AXIS(1, axis);
            return 2;
        }
    }
    return 0;
}

static SfStatus report_as(SfCall *c, SfDiagCode code, const SfApiError *e)
{
    if (!e->text) {
        return SF_REPORTED;
    }
    const SfDiagArg arg = SF_TEXT_ARG(e->text);
    SfDiagOperand operands[4];
    SfPlace places[2];
    const bool of_shapes = code == SF_DIAG_ARGUMENT_SHAPE;
    const int n = of_shapes ? argument_operands(c, operands, SF_ARRAY_LEN(operands)) : 0;
    const SfDiag d = {
        .code = code,
        .phase = SF_PHASE_API,
        .noperands = n,
        .operands = operands,
        .nplaces = differing_axes(operands, n, places),
        .places = places,
        .op_type = c->sig && c->sig->op ? c->sig->op->def->name : NULL,
        .location = c->b->location,
        .nargs = 1,
        .args = &arg,
        .message = e->text,
    };
    return sf_sink_report(c->b->sink, &d);
}

static bool is_unmodelled(const SfCall *c, SfDiagCode code);

SfStatus sf_api_report(SfCall *c, const SfApiError *e)
{
    const SfDiagCode code = e->class_ == SF_ERR_TYPE ? SF_DIAG_BAD_TYPE : SF_DIAG_BAD_ARG;
    return is_unmodelled(c, code) ? SF_UNMODELLED : report_as(c, code, e);
}

/* Counts the tensors of an argument; those that fit are stored too. */
static int add_tensors(const SfArg *a, SfTensor *out, int room)
{
    int n = 0;
    if (a->kind == SF_ARG_TENSOR) {
        if (room > 0) {
            out[0] = a->u.tensor;
        }
        return 1;
    }
    for (int i = 0; a->kind == SF_ARG_LIST && i < a->u.list.n; i++) {
        n += add_tensors(&a->u.list.items[i], n < room ? out + n : NULL, room - n);
    }
    return n;
}

const SfTensor *sf_api_given(const SfCall *c, int *n)
{
    enum { MANY = 256 };
    const SfArg *const lists[] = {c->args, c->raw_args};
    const int counts[] = {c->sig && c->args ? c->sig->nparams : 0, c->nraw};
    SfTensor *found = sf_arena_alloc(c->arena, sizeof *found * MANY);
    int used = 0;
    for (int l = 0; found && l < 2; l++) {
        for (int i = 0; i < counts[l] && used < MANY; i++) {
            used += add_tensors(&lists[l][i], found + used, MANY - used);
        }
    }
    *n = used > MANY ? MANY : used;
    return found;
}

/* Is one of them of a rank that only something unmodelled would tell? */
static bool any_unranked(const SfTensor *given, int n)
{
    for (int i = 0; i < n; i++) {
        if (!sf_shape_is_ranked(given[i].shape) &&
            sf_tensor_is_unmodelled(&given[i], SF_UNMODELLED_SHAPE)) {
            return true;
        }
    }
    return false;
}

/* Is the message due to an argument that comes from something unmodelled? Then it may not hold.
 * In eager mode the dims of a shape that are known hold whatever the others are; in a graph they
 * may be those of an op that has failed. */
static bool is_unmodelled(const SfCall *c, SfDiagCode code)
{
    int n = 0;
    const SfTensor *given = sf_api_given(c, &n);
    if (!given) {
        return false;
    }
    if (code == SF_DIAG_ARGUMENT_SHAPE && sf_api_eager(c)) {
        return any_unranked(given, n);
    }
    return (code != SF_DIAG_BAD_TYPE &&
            sf_tensors_have_unmodelled(given, n, SF_UNMODELLED_SHAPE)) ||
           (code != SF_DIAG_ARGUMENT_SHAPE &&
            sf_tensors_have_unmodelled(given, n, SF_UNMODELLED_DTYPE));
}

static SfStatus report_message(SfCall *c, SfDiagCode code, const char *fmt, va_list ap)
{
    if (is_unmodelled(c, code)) {
        return SF_UNMODELLED;
    }
    va_list again;
    va_copy(again, ap);
    const int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    char *text = n < 0 ? NULL : sf_arena_alloc(c->arena, (size_t)n + 1);
    SF_TRY_ALLOC(text);
    (void)vsnprintf(text, (size_t)n + 1, fmt, ap);
    const SfApiError e = {sf_diag_info(code)->class_, text};
    return report_as(c, code, &e);
}

SfStatus sf_api_value_error(SfCall *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const SfStatus st = report_message(c, SF_DIAG_BAD_ARG, fmt, ap);
    va_end(ap);
    return st;
}

SfStatus sf_api_shape_error(SfCall *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const SfStatus st = report_message(c, SF_DIAG_ARGUMENT_SHAPE, fmt, ap);
    va_end(ap);
    return st;
}

SfStatus sf_api_graph_only_error(SfCall *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const SfStatus st = report_message(c, SF_DIAG_GRAPH_ONLY, fmt, ap);
    va_end(ap);
    return st;
}

SfStatus sf_api_type_error(SfCall *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const SfStatus st = report_message(c, SF_DIAG_BAD_TYPE, fmt, ap);
    va_end(ap);
    return st;
}
