/* From the text of a row to attrs and inputs.
 * Invariant: row->error is the first thing that did not parse; later calls do nothing.
 * Owner: the row's arenas and symbol scope. Source: op_rows.h has the notation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/c/support/op_row_text.h"
#include "tests/c/domain/domain.h"

enum { PORTS_MAX = 24 }; /* inputs or outputs of a signature: BlockLSTMGrad has 18 */

/* attrs */
static const SfString *parse_string(SfRow *row, const char **p)
{
    const char *start = *p;
    size_t n;
    if (*start == '\'') {
        const char *end = strchr(++start, '\'');
        n = end ? (size_t)(end - start) : 0;
        *p = end ? end + 1 : start;
    } else {
        n = strcspn(start, ",] ");
        *p = start + n;
    }
    SfString *s = sf_arena_alloc(&row->arena, sizeof(*s));
    const char *bytes = sf_arena_strndup(&row->arena, start, n);
    if (!s || !bytes) {
        (void)sf_row_bad(row, "no memory");
        return NULL;
    }
    s->bytes = bytes;
    s->len = n;
    return s;
}

static bool parse_attr_value(SfRow *row, const char **p, SfAttrType type, SfAttr *out)
{
    SfRowTensor t = {.rank = 0};
    const size_t n = sf_row_word(*p);
    char *end;
    out->type = type;
    out->set = true;
    sf_row_skip(p);
    switch (type) {
    case SF_ATTR_INT:
        return sf_row_int(row, p, &out->u.i);
    case SF_ATTR_FLOAT:
        out->u.f = strtod(*p, &end);
        if (end == *p) {
            return sf_row_bad(row, "a number was expected at \"%s\"", *p);
        }
        *p = end;
        return true;
    case SF_ATTR_BOOL:
        out->u.b = sf_row_word_is(*p, n, "true");
        if (!out->u.b && !sf_row_word_is(*p, n, "false")) {
            return sf_row_bad(row, "true or false was expected at \"%s\"", *p);
        }
        *p += n;
        return true;
    case SF_ATTR_STRING:
        return (out->u.s = parse_string(row, p));
    case SF_ATTR_TYPE:
        return sf_row_dtype(row, p, &out->u.type);
    case SF_ATTR_SHAPE:
        if (!sf_row_shape(row, p, &t)) {
            return false;
        }
        out->u.shape =
            t.rank == SF_RANK_UNKNOWN ? sf_shape_unknown() : sf_shape_make(t.rank, t.dims);
        return out->u.shape || sf_row_bad(row, "no memory");
    case SF_ATTR_TENSOR:
        if (!sf_row_tensor(row, p, &t)) {
            return false;
        }
        out->u.tensor.dtype = t.dtype ? t.dtype : t.literal_dtype ? t.literal_dtype : SF_DT_FLOAT;
        out->u.tensor.shape = t.shape;
        out->u.tensor.value = t.literal ? sf_row_value(&t, out->u.tensor.dtype) : NULL;
        return true;
    case SF_ATTR_FUNC:
        out->u.func = sf_arena_strndup(&row->arena, *p, n);
        *p += n;
        return out->u.func || sf_row_bad(row, "no memory");
    case SF_ATTR_LIST:
        break;
    }
    return sf_row_bad(row, "an attr of unknown type");
}

static bool parse_attr_list(SfRow *row, const char **p, SfAttrType type, SfAttr *out)
{
    const SfAttrType element = (SfAttrType)((unsigned)type & ~(unsigned)SF_ATTR_LIST);
    union {
        int64_t i[TENSORS_MAX];
        double f[TENSORS_MAX];
        bool b[TENSORS_MAX];
        const SfString *s[TENSORS_MAX];
        SfDtype type[TENSORS_MAX];
        const SfShape *shape[TENSORS_MAX];
    } items;
    int n = 0;
    out->type = type;
    out->set = true;
    if (!sf_row_take(p, '[')) {
        return sf_row_bad(row, "'[' was expected at \"%s\"", *p);
    }
    while (!sf_row_take(p, ']')) {
        SfAttr item;
        sf_row_skip(p);
        if (n == TENSORS_MAX || !parse_attr_value(row, p, element, &item)) {
            return sf_row_bad(row, "a list is too long or broken");
        }
        switch (element) {
        case SF_ATTR_INT:
            items.i[n++] = item.u.i;
            break;
        case SF_ATTR_FLOAT:
            items.f[n++] = item.u.f;
            break;
        case SF_ATTR_BOOL:
            items.b[n++] = item.u.b;
            break;
        case SF_ATTR_STRING:
            items.s[n++] = item.u.s;
            break;
        case SF_ATTR_TYPE:
            items.type[n++] = item.u.type;
            break;
        case SF_ATTR_SHAPE:
            items.shape[n++] = item.u.shape;
            break;
        case SF_ATTR_FUNC:
            items.i[n++] = 0; /* kept by their number only, as in core/graph/build.c */
            break;
        case SF_ATTR_TENSOR:
        case SF_ATTR_LIST:
            return sf_row_bad(row, "rows know no list of tensors");
        }
        if (!sf_row_take(p, ',') && **p != ']') {
            return sf_row_bad(row, "']' was expected at \"%s\"", *p);
        }
    }
    out->u.list.n = n;
    out->u.list.u.i = sf_arena_copy(&row->arena, &items, sizeof(items));
    return out->u.list.u.i || sf_row_bad(row, "no memory");
}

/* "@version=1.8", "@phase=run", "@weak=no". */
static bool parse_pseudo(SfRow *row, const char **p)
{
    static const struct {
        const char *word;
        SfPhase phase;
    } phases[] = {{"build", SF_PHASE_BUILD}, {"run", SF_PHASE_RUN}, {"eager", SF_PHASE_EAGER}};
    if (strncmp(*p, "@version=", 9) == 0) {
        int major = 0, minor = 0, used = 0;
        if (sscanf(*p + 9, "%d.%d%n", &major, &minor, &used) == 2) {
            row->version = SF_VERSION(major, minor);
            *p += 9 + used;
            return true;
        }
    } else if (strncmp(*p, "@phase=", 7) == 0) {
        *p += 7;
        const size_t n = sf_row_word(*p);
        for (int i = 0; i < SF_ARRAY_LEN(phases); i++) {
            if (sf_row_word_is(*p, n, phases[i].word)) {
                row->phase = phases[i].phase;
                *p += n;
                return true;
            }
        }
    }
    if (strncmp(*p, "@weak=no", 8) == 0) {
        *p += 8;
        row->not_weakened = true;
        return true;
    }
    return sf_row_bad(row, "@version=1.8, @phase=run or @weak=no was expected at \"%s\"", *p);
}

static bool parse_attrs(SfRow *row, const char *text)
{
    const SfOpSig *sig = row->sig;
    const char *p = text;
    row->attrs = sf_arena_alloc(&row->arena, (size_t)sig->nattr * sizeof(SfAttr));
    for (int i = 0; row->attrs && i < sig->nattr; i++) {
        row->attrs[i] = sig->attrs[i].def;
        row->attrs[i].type = sig->attrs[i].type;
    }
    for (sf_row_skip(&p); *p; sf_row_skip(&p)) {
        if (*p == '@') {
            if (!parse_pseudo(row, &p)) {
                return false;
            }
        } else {
            const size_t n = sf_row_word(p);
            const char *name = sf_arena_strndup(&row->arena, p, n);
            const int i = name ? sf_op_attr_index(sig, name) : -1;
            p += n;
            if (i < 0 || !sf_row_take(&p, '=')) {
                return sf_row_bad(row, "the op has no attr \"%s\"", name ? name : "");
            }
            const SfAttrType type = sig->attrs[i].type;
            if (!(type & SF_ATTR_LIST ? parse_attr_list(row, &p, type, &row->attrs[i])
                                      : parse_attr_value(row, &p, type, &row->attrs[i]))) {
                return false;
            }
        }
        if (!sf_row_take(&p, ',') && *p) {
            return sf_row_bad(row, "',' was expected at \"%s\"", p);
        }
    }
    return row->attrs;
}

/* inputs */
typedef struct Parsed {
    SfRowTensor *items;
    int count;
    int group_start[PORTS_MAX], group_count[PORTS_MAX], ngroups; /* one entry a port */
} Parsed;

static bool parse_tensors(SfRow *row, const char *text, Parsed *out)
{
    const char *p = text;
    out->count = out->ngroups = 0;
    out->items = sf_arena_alloc(&row->arena, TENSORS_MAX * sizeof(SfRowTensor));
    for (sf_row_skip(&p); out->items && *p; sf_row_skip(&p)) {
        if (out->ngroups == PORTS_MAX) {
            break; /* what follows belongs to the last list */
        }
        const bool group = sf_row_take(&p, '(');
        const int g = out->ngroups++;
        out->group_start[g] = out->count;
        while (!(group && sf_row_take(&p, ')'))) {
            if (out->count == TENSORS_MAX) {
                return sf_row_bad(row, "rows have at most %d inputs", TENSORS_MAX);
            }
            if (!sf_row_tensor(row, &p, &out->items[out->count++])) {
                return false;
            }
            if (!group) {
                break;
            }
        }
        out->group_count[g] = group ? out->count - out->group_start[g] : -1;
    }
    return out->items;
}

static bool is_list(const SfPortSpec *port)
{
    return port->number_attr >= 0 || port->list_attr >= 0;
}

/* Deals the parsed tensors out to the ports: width[i] of port i. */
static bool deal(SfRow *row, const Parsed *parsed, int *width)
{
    const SfOpSig *sig = row->sig;
    int lists = 0;
    bool grouped = false;
    for (int i = 0; i < sig->nin; i++) {
        lists += is_list(&sig->in[i]);
    }
    for (int g = 0; g < parsed->ngroups; g++) {
        grouped = grouped || parsed->group_count[g] >= 0;
    }
    int used = 0;
    for (int i = 0; i < sig->nin; i++) {
        if (!is_list(&sig->in[i])) {
            width[i] = 1;
        } else if (grouped) {
            if (i >= parsed->ngroups || parsed->group_count[i] < 0) {
                return sf_row_bad(row, "input %s wants ( ... )", sig->in[i].name);
            }
            width[i] = parsed->group_count[i];
        } else if (lists == 1) {
            width[i] = parsed->count - (sig->nin - 1);
        } else {
            return sf_row_bad(row, "several lists of inputs: each wants ( ... )");
        }
        used += width[i];
    }
    return used == parsed->count ||
           sf_row_bad(row, "the op takes %d inputs, the row has %d", used, parsed->count);
}

static bool set_attr_type(SfRow *row, int attr, SfDtype dtype)
{
    SfAttr *a = &row->attrs[attr];
    if (!a->set) {
        a->set = true;
        a->u.type = dtype;
    }
    return a->u.type == dtype || sf_row_bad(row, "attr %s is %s and %s", row->sig->attrs[attr].name,
                                            sf_dtype_name(a->u.type), sf_dtype_name(dtype));
}

static SfDtype preferred(const SfAttrSpec *spec)
{
    if (spec->has_default && spec->type == SF_ATTR_TYPE) {
        return spec->def.u.type;
    }
    if (spec->allowed_types == 0 || spec->allowed_types >> SF_DT_FLOAT & 1) {
        return SF_DT_FLOAT;
    }
    return spec->nallowed > 0 ? spec->allowed_order[0] : SF_DT_FLOAT;
}

static bool set_number(SfRow *row, const SfPortSpec *port, int width)
{
    if (port->number_attr < 0) {
        return true;
    }
    SfAttr *a = &row->attrs[port->number_attr];
    if (a->set && a->u.i != width) {
        return sf_row_bad(row, "input %s has %d elements, not %s", port->name, width,
                          row->sig->attrs[port->number_attr].name);
    }
    a->set = true;
    a->u.i = width;
    return true;
}

static bool set_type_list(SfRow *row, const SfPortSpec *port, const SfRowTensor *t, int width)
{
    SfAttr *a = &row->attrs[port->list_attr];
    if (a->set) {
        return a->u.list.n == width ||
               sf_row_bad(row, "input %s has %d elements", port->name, width);
    }
    SfDtype *types = sf_arena_alloc(&row->arena, (size_t)width * sizeof(*types));
    for (int i = 0; types && i < width; i++) {
        types[i] = t[i].dtype ? t[i].dtype : t[i].literal ? t[i].literal_dtype : SF_DT_FLOAT;
    }
    a->set = true;
    a->u.list.n = width;
    a->u.list.u.type = types;
    return types || sf_row_bad(row, "no memory");
}

/* Attrs that follow from the inputs: first what dtypes say, then literals, then defaults. */
static bool infer_attrs(SfRow *row, const Parsed *parsed, const int *width)
{
    for (int pass = 0; pass < 3; pass++) {
        int at = 0;
        for (int i = 0; i < row->sig->nin; at += width[i++]) {
            const SfPortSpec *port = &row->sig->in[i];
            const SfRowTensor *t = &parsed->items[at];
            if (pass == 0 && !set_number(row, port, width[i])) {
                return false;
            }
            if (pass == 0 && port->list_attr >= 0 && !set_type_list(row, port, t, width[i])) {
                return false;
            }
            for (int k = 0; port->type_attr >= 0 && k < width[i]; k++) {
                const SfAttr *a = &row->attrs[port->type_attr];
                const SfDtype literal = t[k].literal ? t[k].literal_dtype : SF_DT_INVALID;
                const SfDtype says = pass == 0   ? t[k].dtype
                                     : a->set    ? SF_DT_INVALID
                                     : pass == 1 ? literal
                                                 : preferred(&row->sig->attrs[port->type_attr]);
                if (says != SF_DT_INVALID && !set_attr_type(row, port->type_attr, says)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool check_attrs(SfRow *row)
{
    for (int i = 0; i < row->sig->nattr; i++) {
        const SfAttrSpec *spec = &row->sig->attrs[i];
        if (!row->attrs[i].set && !spec->has_default) {
            return sf_row_bad(row, "attr %s has no default and is not given", spec->name);
        }
        const SfAttr *a = &row->attrs[i];
        if (spec->type == SF_ATTR_TYPE && spec->allowed_types != 0 &&
            !(spec->allowed_types >> a->u.type & 1)) {
            return sf_row_bad(row, "attr %s cannot be %s", spec->name, sf_dtype_name(a->u.type));
        }
    }
    return true;
}

/* What stands for a port's element at place k of its list. */
static SfDtype port_dtype(const SfRow *row, const SfPortSpec *port, int k)
{
    const SfDtype base = port->type_attr >= 0   ? row->attrs[port->type_attr].u.type
                         : port->list_attr >= 0 ? row->attrs[port->list_attr].u.list.u.type[k]
                                                : port->dtype;
    return port->is_ref ? (SfDtype)(base + SF_DT_REF) : base;
}

/* The node behind `&[2,3]:int64`, with the two attrs that inference reads. */
static SfNode *make_owner(SfRow *row, const SfRowTensor *t)
{
    static const SfOpDef variable = {.name = "RowVariable", .attrs = "shape: shape, dtype: type"};
    const SfOpSig *sig = sf_op_parse(&variable, &row->arena, NULL);
    SfNode *node = sf_arena_alloc(&row->arena, sizeof(*node));
    SfAttr *attrs = sf_arena_alloc(&row->arena, 2 * sizeof(*attrs));
    if (!sig || !node || !attrs) {
        return NULL;
    }
    attrs[0] = (SfAttr){.type = SF_ATTR_SHAPE, .set = true, .u.shape = t->shape};
    attrs[1] = (SfAttr){.type = SF_ATTR_TYPE, .set = true};
    attrs[1].u.type = t->dtype ? t->dtype : SF_DT_FLOAT;
    node->sig = sig;
    node->name = "variable";
    node->attrs = attrs;
    return node;
}

static bool make_input(SfRow *row, const SfPortSpec *port, int k, const SfRowTensor *t,
                       SfTensor *out)
{
    out->dtype = port_dtype(row, port, k);
    out->shape = t->shape;
    if (t->variable) {
        out->state = make_owner(row, t);
        out->shape = port->is_ref ? t->shape : sf_shape_scalar();
        return out->state || sf_row_bad(row, "no memory");
    }
    if (t->literal) {
        out->value = sf_row_value(t, sf_dtype_base(out->dtype));
        return out->value ||
               sf_row_bad(row, "a literal is no value of dtype %s", sf_dtype_name(out->dtype));
    }
    return true;
}

static bool fill_inputs(SfRow *row, const Parsed *parsed, const int *width)
{
    int at = 0;
    row->nin = parsed->count;
    row->inputs = sf_arena_alloc(&row->arena, (size_t)row->nin * sizeof(SfTensor));
    for (int i = 0; row->inputs && i < row->sig->nin; i++) {
        for (int k = 0; k < width[i]; k++, at++) {
            const SfPortSpec *port = &row->sig->in[i];
            if (!make_input(row, port, k, &parsed->items[at], &row->inputs[at])) {
                return false;
            }
        }
    }
    return row->inputs;
}

static bool make_outputs(SfRow *row)
{
    int width[PORTS_MAX];
    row->nout = 0;
    for (int i = 0; i < row->sig->nout && i < PORTS_MAX; i++) {
        const SfPortSpec *port = &row->sig->out[i];
        width[i] = port->number_attr >= 0 ? (int)row->attrs[port->number_attr].u.i
                   : port->list_attr >= 0 ? row->attrs[port->list_attr].u.list.n
                                          : 1;
        row->nout += width[i];
    }
    row->outs = sf_arena_alloc(&row->arena, (size_t)row->nout * sizeof(SfTensor));
    for (int i = 0, at = 0; row->outs && i < row->sig->nout && i < PORTS_MAX; i++) {
        for (int k = 0; k < width[i]; k++, at++) {
            row->outs[at].index = at;
            row->outs[at].dtype = port_dtype(row, &row->sig->out[i], k);
        }
    }
    return row->outs;
}

bool sf_row_parse(SfRow *row, const SfOpSig *sig, const char *attrs, const char *inputs)
{
    int width[PORTS_MAX];
    Parsed parsed;
    *row = (SfRow){.sig = sig, .version = SF_VERSION(1, 15), .phase = SF_PHASE_BUILD};
    row->scope = sf_symbol_scope_new();
    if (!row->scope) {
        return sf_row_bad(row, "no memory");
    }
    if (sig->nin > PORTS_MAX) {
        return sf_row_bad(row, "rows know ops of at most 24 inputs");
    }
    return parse_attrs(row, attrs) && parse_tensors(row, inputs, &parsed) &&
           deal(row, &parsed, width) && infer_attrs(row, &parsed, width) && check_attrs(row) &&
           fill_inputs(row, &parsed, width) && make_outputs(row);
}

void sf_row_free(SfRow *row)
{
    sf_arena_free(&row->arena);
    sf_arena_free(&row->scratch);
    sf_symbol_scope_free(row->scope);
    row->scope = NULL;
}

SfStatus sf_row_infer(SfRow *row, SfSink *sink)
{
    sf_arena_reset(&row->scratch);
    const SfInferArgs args = {.sig = row->sig,
                              .attrs = row->attrs,
                              .inputs = row->inputs,
                              .nin = row->nin,
                              .outs = row->outs,
                              .nout = row->nout,
                              .name = row->sig->def->name,
                              .version = row->version,
                              .phase = row->phase,
                              .sink = sink,
                              .scratch = &row->scratch};
    return sf_infer_run(&args);
}
