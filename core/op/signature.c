/* The parser of op signatures.
 * Invariant: a cursor that has failed stays failed; every list it builds lives in its arena.
 * Owner: the arena given to sf_op_parse. Source: tensorflow/core/framework/op_def_builder.{h,cc}.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/op/op.h"

typedef struct Cursor {
    const char *at;
    SfArena *arena;
    const char *op;
    const char *error;
    bool failed; /* with error NULL: no memory */
} Cursor;

static bool fail(Cursor *c, const char *wanted)
{
    if (!c->failed) {
        c->failed = true;
        c->error = sf_arena_printf(c->arena, "%s: expected %s at \"%.40s\"", c->op, wanted, c->at);
    }
    return false;
}

static void *take_memory(Cursor *c, const void *src, size_t size)
{
    void *p = src ? sf_arena_copy(c->arena, src, size) : sf_arena_alloc(c->arena, size);
    if (!p) {
        c->failed = true;
    }
    return p;
}

/* reading */
static void skip_blanks(Cursor *c)
{
    while (*c->at == ' ' || *c->at == '\t' || *c->at == '\n') {
        c->at++;
    }
}

static bool at_char(Cursor *c, char wanted)
{
    skip_blanks(c);
    return *c->at == wanted;
}

static bool take_char(Cursor *c, char wanted)
{
    if (!at_char(c, wanted)) {
        return false;
    }
    c->at++;
    return true;
}

static bool want_char(Cursor *c, char wanted)
{
    const char text[] = {'\'', wanted, '\'', '\0'};
    return take_char(c, wanted) || fail(c, text);
}

static bool is_word_char(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
           ch == '_';
}

typedef struct Word {
    const char *start;
    size_t len;
} Word;

static bool want_word(Cursor *c, Word *out)
{
    skip_blanks(c);
    out->start = c->at;
    while (is_word_char(*c->at)) {
        c->at++;
    }
    out->len = (size_t)(c->at - out->start);
    return out->len > 0 || fail(c, "a name");
}

static bool word_is(Word w, const char *text)
{
    return strlen(text) == w.len && memcmp(w.start, text, w.len) == 0;
}

static const char *keep_word(Cursor *c, Word w)
{
    const char *s = sf_arena_strndup(c->arena, w.start, w.len);
    c->failed = c->failed || !s;
    return s;
}

static bool want_int(Cursor *c, int64_t *out)
{
    skip_blanks(c);
    char *end;
    errno = 0;
    *out = strtoll(c->at, &end, 10);
    if (end == c->at || errno != 0) {
        return fail(c, "an integer");
    }
    c->at = end;
    return true;
}

static const SfString *want_string(Cursor *c)
{
    skip_blanks(c);
    const char quote = *c->at;
    const char *end = quote == '\'' || quote == '"' ? strchr(c->at + 1, quote) : NULL;
    if (!end) {
        (void)fail(c, "a quoted string");
        return NULL;
    }
    const size_t len = (size_t)(end - c->at - 1);
    SfString *s = take_memory(c, NULL, sizeof(*s));
    if (!s || !(s->bytes = sf_arena_strndup(c->arena, c->at + 1, len))) {
        c->failed = true;
        return NULL;
    }
    s->len = len;
    c->at = end + 1;
    return s;
}

/* "DT_FLOAT", "float", "float32". */
static bool dtype_of(Word w, SfDtype *out)
{
    char name[32];
    size_t len = w.len;
    const char *start = w.start;
    if (len > 3 && memcmp(start, "DT_", 3) == 0 && len - 3 < sizeof(name)) {
        len -= 3;
        for (size_t i = 0; i < len; i++) {
            const char ch = start[3 + i];
            name[i] = ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
        }
        start = name;
    }
    *out = sf_dtype_parse(start, len);
    return *out != SF_DT_INVALID;
}

/* sets of dtypes and of strings */
#define REAL_NUMBERS                                                                               \
    SF_DT_FLOAT, SF_DT_DOUBLE, SF_DT_INT32, SF_DT_UINT8, SF_DT_INT16, SF_DT_INT8, SF_DT_INT64,     \
        SF_DT_BFLOAT16, SF_DT_UINT16, SF_DT_HALF, SF_DT_UINT32, SF_DT_UINT64
static const SfDtype number_types[] = {
    SF_DT_FLOAT,      SF_DT_DOUBLE,    SF_DT_INT32,  SF_DT_UINT8,   SF_DT_INT16,
    SF_DT_INT8,       SF_DT_COMPLEX64, SF_DT_INT64,  SF_DT_QINT8,   SF_DT_QUINT8,
    SF_DT_QINT32,     SF_DT_BFLOAT16,  SF_DT_QINT16, SF_DT_QUINT16, SF_DT_UINT16,
    SF_DT_COMPLEX128, SF_DT_HALF,      SF_DT_UINT32, SF_DT_UINT64};
static const SfDtype real_number_types[] = {REAL_NUMBERS};
static const SfDtype quantized_types[] = {SF_DT_QINT8, SF_DT_QUINT8, SF_DT_QINT32, SF_DT_QINT16,
                                          SF_DT_QUINT16};

static const struct {
    const char *word;
    const SfDtype *types;
    int count;
} type_message[] = {
    {"numbertype", number_types, SF_ARRAY_LEN(number_types)},
    {"realnumbertype", real_number_types, SF_ARRAY_LEN(real_number_types)},
    {"quantizedtype", quantized_types, SF_ARRAY_LEN(quantized_types)},
};

typedef struct TypeSet {
    SfDtype items[SF_DT_COUNT];
    int count;
    uint64_t bits;
} TypeSet;

static void add_type(TypeSet *set, SfDtype t)
{
    const uint64_t bit = UINT64_C(1) << (unsigned)t;
    if (!(set->bits & bit)) {
        set->bits |= bit;
        set->items[set->count++] = t;
    }
}

/* One word of a set of types: an alias or a dtype. */
static bool add_type_word(TypeSet *set, Word w)
{
    for (int i = 0; i < SF_ARRAY_LEN(type_message); i++) {
        if (word_is(w, type_message[i].word)) {
            for (int k = 0; k < type_message[i].count; k++) {
                add_type(set, type_message[i].types[k]);
            }
            return true;
        }
    }
    SfDtype t;
    if (!dtype_of(w, &t) || sf_dtype_is_ref(t)) {
        return false;
    }
    add_type(set, t);
    return true;
}

static bool keep_types(Cursor *c, const TypeSet *set, SfAttrSpec *out)
{
    out->type = (SfAttrType)(out->type | SF_ATTR_TYPE);
    out->allowed_types = set->bits;
    out->nallowed = set->count;
    out->allowed_order = take_memory(c, set->items, (size_t)set->count * sizeof(SfDtype));
    return out->allowed_order;
}

static bool parse_type_set(Cursor *c, SfAttrSpec *out)
{
    TypeSet set = {.count = 0};
    do {
        Word w;
        if (!want_word(c, &w)) {
            return false;
        }
        if (!add_type_word(&set, w)) {
            c->at = w.start;
            return fail(c, "a dtype");
        }
    } while (take_char(c, ',') && !at_char(c, '}'));
    return want_char(c, '}') && keep_types(c, &set, out);
}

enum { LIST_MAX = 64 };

static bool parse_string_set(Cursor *c, SfAttrSpec *out)
{
    const SfString *items[LIST_MAX];
    int n = 0;
    do {
        if (n == LIST_MAX) {
            return fail(c, "fewer strings");
        }
        items[n] = want_string(c);
        if (!items[n++]) {
            return false;
        }
    } while (take_char(c, ',') && !at_char(c, '}'));
    out->type = (SfAttrType)(out->type | SF_ATTR_STRING);
    out->allowed_strings.n = n;
    out->allowed_strings.items = take_memory(c, items, (size_t)n * sizeof(items[0]));
    return want_char(c, '}') && out->allowed_strings.items;
}

/* attrs */
/* "int", "{float, half}", "{'SAME', 'VALID'}", "numbertype"; within "list(...)" too. */
static bool parse_element_type(Cursor *c, SfAttrSpec *out)
{
    if (take_char(c, '{')) {
        const bool strings = at_char(c, '\'') || at_char(c, '"');
        return strings ? parse_string_set(c, out) : parse_type_set(c, out);
    }
    Word w;
    if (!want_word(c, &w)) {
        return false;
    }
    for (SfAttrType type = SF_ATTR_INT; type <= SF_ATTR_FUNC; type++) {
        if (word_is(w, sf_attr_type_info(type)->name)) {
            out->type = (SfAttrType)(out->type | type);
            return true;
        }
    }
    TypeSet set = {.count = 0};
    SfDtype t;
    if (!dtype_of(w, &t) && add_type_word(&set, w)) {
        return keep_types(c, &set, out);
    }
    c->at = w.start;
    return fail(c, "a type of attr");
}

static bool parse_attr_type(Cursor *c, SfAttrSpec *out)
{
    skip_blanks(c);
    if (strncmp(c->at, "list", 4) == 0 && !is_word_char(c->at[4])) {
        c->at += 4;
        out->type = SF_ATTR_LIST;
        return want_char(c, '(') && parse_element_type(c, out) && want_char(c, ')');
    }
    return parse_element_type(c, out);
}

/* `[2,?]`, `?`, TensorFlow's `{ unknown_rank: true }` and `{}` (a scalar). */
static bool parse_shape(Cursor *c, const SfShape **out)
{
    skip_blanks(c);
    if (take_char(c, '{')) {
        const char *end = strchr(c->at, '}');
        if (!end) {
            return fail(c, "'}'");
        }
        const char *unknown = strstr(c->at, "unknown_rank");
        *out = unknown && unknown < end ? sf_shape_unknown() : sf_shape_scalar();
        c->at = end + 1;
        return true;
    }
    if (take_char(c, '?')) {
        *out = sf_shape_unknown();
        return true;
    }
    SfDim dims[SF_RANK_MAX];
    int rank = 0;
    if (!want_char(c, '[')) {
        return false;
    }
    while (!take_char(c, ']')) {
        int64_t dim = SF_DIM_UNKNOWN;
        if (rank == SF_RANK_MAX || (!take_char(c, '?') && !want_int(c, &dim))) {
            return fail(c, "a dimension");
        }
        dims[rank++] = dim < 0 ? SF_DIM_UNKNOWN : dim;
        if (!take_char(c, ',') && !at_char(c, ']')) {
            return fail(c, "']'");
        }
    }
    *out = sf_shape_make(rank, dims);
    c->failed = c->failed || !*out;
    return *out;
}

/* A vector of integers: "{255, 0, 0, 255}:uint8". */
static bool parse_tensor(Cursor *c, SfAttr *out)
{
    SfElem elems[LIST_MAX];
    int n = 0;
    Word w;
    if (!want_char(c, '{')) {
        return false;
    }
    while (!take_char(c, '}')) {
        int64_t i;
        if (n == LIST_MAX) {
            return fail(c, "fewer elements");
        }
        if (!want_int(c, &i)) {
            return false;
        }
        elems[n++] = sf_elem_int(i);
        if (!take_char(c, ',') && !at_char(c, '}')) {
            return fail(c, "'}'");
        }
    }
    if (!want_char(c, ':') || !want_word(c, &w) || !dtype_of(w, &out->u.tensor.dtype)) {
        return fail(c, "a dtype");
    }
    out->u.tensor.shape = sf_shape_vector(n);
    out->u.tensor.value =
        out->u.tensor.shape ? sf_value_make(out->u.tensor.dtype, out->u.tensor.shape, elems) : NULL;
    c->failed = c->failed || !out->u.tensor.value;
    return !c->failed;
}

static bool parse_scalar_default(Cursor *c, SfAttrType type, SfAttr *out)
{
    Word w;
    char *end;
    switch (type) {
    case SF_ATTR_INT:
        return want_int(c, &out->u.i);
    case SF_ATTR_FLOAT:
        skip_blanks(c);
        out->u.f = strtod(c->at, &end);
        if (end == c->at) {
            return fail(c, "a number");
        }
        c->at = end;
        return true;
    case SF_ATTR_BOOL:
        if (!want_word(c, &w)) {
            return false;
        }
        out->u.b = word_is(w, "true") || word_is(w, "True");
        return out->u.b || word_is(w, "false") || word_is(w, "False") || fail(c, "true or false");
    case SF_ATTR_STRING:
        return (out->u.s = want_string(c));
    case SF_ATTR_TYPE:
        return want_word(c, &w) && (dtype_of(w, &out->u.type) || fail(c, "a dtype"));
    case SF_ATTR_SHAPE:
        return parse_shape(c, &out->u.shape);
    case SF_ATTR_FUNC:
        return want_word(c, &w) && (out->u.func = keep_word(c, w));
    case SF_ATTR_TENSOR:
        return parse_tensor(c, out);
    case SF_ATTR_LIST:
        break;
    }
    return fail(c, "no default for this type of attr");
}

/* All members of the unions start at their union's start, and each array holds its own type. */
static bool parse_list_default(Cursor *c, SfAttrType element, SfAttr *out)
{
    const size_t size = sf_attr_type_info(element)->size;
    if (!want_char(c, '[')) {
        return false;
    }
    if (size == 0) {
        out->u.list.n = 0; /* lists of functions and tensors: only the empty default exists */
        return want_char(c, ']');
    }
    char items[LIST_MAX * sizeof(int64_t)];
    int n = 0;
    while (!take_char(c, ']')) {
        SfAttr item = {.type = element};
        if (n == LIST_MAX) {
            return fail(c, "fewer elements");
        }
        if (!parse_scalar_default(c, element, &item)) {
            return false;
        }
        memcpy(items + (size_t)n++ * size, &item.u, size);
        if (!take_char(c, ',') && !at_char(c, ']')) {
            return fail(c, "']'");
        }
    }
    void *kept = take_memory(c, items, (size_t)n * size);
    out->u.list.n = n;
    out->u.list.u.i = kept;
    return kept;
}

static bool parse_attr(Cursor *c, SfAttrSpec *out)
{
    Word name;
    if (!want_word(c, &name) || !(out->name = keep_word(c, name)) || !want_char(c, ':') ||
        !parse_attr_type(c, out)) {
        return false;
    }
    out->name_length = strlen(out->name);
    if (take_char(c, '>')) {
        out->has_minimum = true;
        if (!want_char(c, '=') || !want_int(c, &out->minimum)) {
            return false;
        }
    }
    out->def.type = out->type;
    if (take_char(c, '=')) {
        out->has_default = true;
        const SfAttrType element = (SfAttrType)((unsigned)out->type & ~(unsigned)SF_ATTR_LIST);
        return out->type & SF_ATTR_LIST ? parse_list_default(c, element, &out->def)
                                        : parse_scalar_default(c, element, &out->def);
    }
    return true;
}

/* ports */
static int find_attr(const SfAttrSpec *attrs, int n, Word name)
{
    for (int i = 0; i < n; i++) {
        if (word_is(name, attrs[i].name)) {
            return i;
        }
    }
    return -1;
}

/* "T", "Tlist", "int32": what stands for the dtype of one port. */
static bool resolve_type(Cursor *c, Word w, const SfAttrSpec *attrs, int nattr, SfPortSpec *out)
{
    const int attr = find_attr(attrs, nattr, w);
    if (attr < 0) {
        return dtype_of(w, &out->dtype) || (c->at = w.start, fail(c, "a dtype or an attr"));
    }
    if (attrs[attr].type == SF_ATTR_TYPE) {
        out->type_attr = attr;
        return true;
    }
    if (attrs[attr].type == (SF_ATTR_LIST | SF_ATTR_TYPE) && out->number_attr < 0) {
        out->list_attr = attr;
        return true;
    }
    c->at = w.start;
    return fail(c, "an attr that is a type");
}

static bool parse_port(Cursor *c, const SfAttrSpec *attrs, int nattr, SfPortSpec *out)
{
    Word w;
    out->type_attr = out->number_attr = out->list_attr = -1;
    if (!want_word(c, &w) || !(out->name = keep_word(c, w)) || !want_char(c, ':') ||
        !want_word(c, &w)) {
        return false;
    }
    out->name_length = strlen(out->name);
    /* "N * T", "Ref(T)" and, of RefMerge alone, "Ref(N * T)". */
    out->is_ref = word_is(w, "Ref") && take_char(c, '(');
    if (out->is_ref && !want_word(c, &w)) {
        return false;
    }
    if (take_char(c, '*')) {
        out->number_attr = find_attr(attrs, nattr, w);
        if (out->number_attr < 0 || attrs[out->number_attr].type != SF_ATTR_INT) {
            c->at = w.start;
            return fail(c, "an int attr");
        }
        if (!want_word(c, &w)) {
            return false;
        }
    }
    return resolve_type(c, w, attrs, nattr, out) && (!out->is_ref || want_char(c, ')'));
}

/* the whole */
/* An upper bound of the entries of a list: its commas and one more. */
static size_t count_entries(const char *text)
{
    size_t n = 1;
    for (; *text; text++) {
        n += *text == ',';
    }
    return n;
}

static bool more_entries(Cursor *c, bool first)
{
    if (at_char(c, '\0')) {
        return false;
    }
    if (!first && !take_char(c, ',')) {
        return fail(c, "','");
    }
    return !at_char(c, '\0'); /* a final comma is what joined string literals leave */
}

static const SfAttrSpec *parse_attrs(Cursor *c, const char *text, int *count)
{
    c->at = text ? text : "";
    SfAttrSpec *attrs = take_memory(c, NULL, count_entries(c->at) * sizeof(*attrs));
    *count = 0;
    while (attrs && more_entries(c, *count == 0)) {
        if (!parse_attr(c, &attrs[*count])) {
            return NULL;
        }
        const SfAttrSpec *made = &attrs[*count];
        if (find_attr(attrs, (*count)++, (Word){made->name, strlen(made->name)}) >= 0) {
            (void)fail(c, "an attr declared once, before what stands");
        }
    }
    return attrs;
}

static const SfPortSpec *parse_ports(Cursor *c, const char *text, const SfAttrSpec *attrs,
                                     int nattr, int *count)
{
    c->at = text ? text : "";
    SfPortSpec *ports = take_memory(c, NULL, count_entries(c->at) * sizeof(*ports));
    *count = 0;
    while (ports && more_entries(c, *count == 0)) {
        if (!parse_port(c, attrs, nattr, &ports[*count])) {
            return NULL;
        }
        (*count)++;
    }
    return ports;
}

static void mark_inferred(SfAttrSpec *attrs, const SfPortSpec *ports, int count, bool inputs)
{
    for (int i = 0; i < count; i++) {
        const int used[] = {ports[i].type_attr, ports[i].number_attr, ports[i].list_attr};
        for (int k = 0; k < SF_ARRAY_LEN(used); k++) {
            if (used[k] >= 0) {
                attrs[used[k]].inferred = attrs[used[k]].inferred || inputs;
                attrs[used[k]].is_number = attrs[used[k]].is_number || k == 1;
            }
        }
    }
}

const SfOpSig *sf_op_parse(const SfOpDef *def, SfArena *arena, const char **error)
{
    Cursor c = {.arena = arena, .op = def->name};
    SfOpSig *sig = take_memory(&c, NULL, sizeof(*sig));
    if (sig) {
        sig->def = def;
        sig->id = -1;
        SfAttrSpec *attrs = (SfAttrSpec *)parse_attrs(&c, def->attrs, &sig->nattr);
        sig->attrs = attrs;
        if (!c.failed) {
            sig->in = parse_ports(&c, def->inputs, attrs, sig->nattr, &sig->nin);
        }
        if (!c.failed) {
            sig->out = parse_ports(&c, def->outputs, attrs, sig->nattr, &sig->nout);
        }
        if (!c.failed) {
            mark_inferred(attrs, sig->in, sig->nin, true);
            mark_inferred(attrs, sig->out, sig->nout, false);
        }
    }
    if (error) {
        *error = c.error;
    }
    return c.failed ? NULL : sig;
}
