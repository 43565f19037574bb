/* Templates filled, rows chosen, checks made. See message.h.
 * Invariant: nothing here looks at content through sf_input_value: a message does not change what
 * the error context prints. Owner: scratch memory. Source: message.h. */
#include "core/op/message.h"

#include <stdlib.h>
#include <string.h>

#include "core/op/infer_impl.h"

/* references */
/* Does `*at` start with `word`? Then it is passed over. */
static bool take(const char **at, const char *word)
{
    const size_t n = strlen(word);
    const bool yes = strncmp(*at, word, n) == 0;
    *at += yes ? n : 0;
    return yes;
}

static bool take_int(const char **at, int *out)
{
    char *end;
    const long n = strtol(*at, &end, 10);
    const bool yes = end != *at && n > -100 && n < 100;
    *out = yes ? (int)n : 0;
    *at = yes ? end : *at;
    return yes;
}

static void add_attr(SfStrbuf *w, const SfInfer *c, const char *name, size_t n)
{
    for (int i = 0; i < c->sig->nattr; i++) {
        const SfAttrSpec *spec = &c->sig->attrs[i];
        if (spec->name_length != n || memcmp(spec->name, name, n) != 0) {
            continue;
        }
        const SfAttr *a = sf_attr_at(c->sig, c->attrs, i);
        switch ((int)spec->type) {
        case SF_ATTR_BOOL:
            sf_strbuf_char(w, a->u.b ? '1' : '0');
            break;
        case SF_ATTR_STRING:
            sf_strbuf_addn(w, a->u.s ? a->u.s->bytes : "", a->u.s ? a->u.s->len : 0);
            break;
        case SF_ATTR_TYPE:
            sf_strbuf_add(w, sf_dtype_name(a->u.type));
            break;
        default:
            sf_error_context_attr(w, a);
            break;
        }
    }
}

/* What `what` says of input i; its axis, for dims. */
static bool add_fact(SfStrbuf *w, const SfInfer *c, const char **what, int i, int axis)
{
    const SfShape *s = sf_input(c, i);
    if (take(what, "shape")) {
        sf_strbuf_shape(w, s);
    } else if (take(what, "rank")) {
        sf_strbuf_printf(w, "%d", sf_shape_rank(s));
    } else if (take(what, "dim")) {
        sf_strbuf_dim(w, sf_shape_dim(s, axis));
    } else if (take(what, "count")) {
        sf_strbuf_dim(w, sf_shape_count(s));
    } else if (take(what, "dtype")) {
        sf_strbuf_add(w, sf_dtype_name(sf_input_dtype(c, i)));
    } else if (take(what, "name")) {
        sf_strbuf_add(w, sf_infer_input_name(c, i));
    } else if (take(what, "value")) {
        if (sf_input_handle(c, i)) {
            sf_strbuf_value(w, sf_input_handle(c, i));
        }
    } else {
        return false;
    }
    return true;
}

/* {a}, {a.axis}, {a.shape}...; `at` is behind the letter. */
static bool add_place(SfStrbuf *w, const SfInfer *c, SfPlace p, const char **at)
{
    if (**at == '}') {
        sf_strbuf_printf(w, "%d", p.index);
        return true;
    }
    if (take(at, ".axis")) {
        sf_strbuf_printf(w, "%d", p.axis);
        return true;
    }
    if (p.kind == SF_PLACE_ATTR) {
        sf_strbuf_add(w, p.attr);
        return take(at, ".name");
    }
    return take(at, ".") && add_fact(w, c, at, p.index, p.kind == SF_PLACE_AXIS ? p.axis : 0);
}

/* {shape 1}, {dim 1 -1}: the fact's name, its input, for dims its axis. */
static bool add_fixed(SfStrbuf *w, const SfInfer *c, const char **at)
{
    const char *name = *at;
    int input, axis = 0;
    while (**at >= 'a' && **at <= 'z') {
        ++*at;
    }
    if (*at == name || !take(at, " ") || !take_int(at, &input)) {
        return false;
    }
    if (take(at, " ") && !take_int(at, &axis)) {
        return false;
    }
    return add_fact(w, c, &name, input, axis);
}

/* One reference; `at` is behind its opening brace and comes back behind the closing one. */
static bool add_reference(SfStrbuf *w, const SfInfer *c, const SfFinding *f, const char **at)
{
    int i;
    if (**at >= '0' && **at <= '9') {
        if (!take_int(at, &i) || i >= f->nargs) {
            return false;
        }
        if (take(at, ":g")) {
            sf_strbuf_printf(w, "%g", f->args[i].u.f);
        } else if (take(at, ":f")) {
            sf_strbuf_printf(w, "%.0f", f->args[i].u.f);
        } else if (take(at, ":u")) {
            sf_strbuf_printf(w, "%llu", (unsigned long long)f->args[i].u.i);
        } else {
            sf_strbuf_arg(w, &f->args[i]);
        }
    } else if (take(at, "attr ")) {
        const size_t n = strcspn(*at, "}");
        add_attr(w, c, *at, n);
        *at += n;
    } else if (take(at, "op}")) {
        sf_strbuf_add(w, c->sig->def->name);
        return true;
    } else if ((**at == 'a' || **at == 'b') && ((*at)[1] == '}' || (*at)[1] == '.')) {
        const SfPlace p = **at == 'a' ? f->a : f->b;
        ++*at;
        if (!add_place(w, c, p, at)) {
            return false;
        }
    } else if (!add_fixed(w, c, at)) {
        return false;
    }
    return take(at, "}");
}

const char *sf_message_fill(SfInfer *c, const SfFinding *f, const char *text)
{
    SfStrbuf w;
    sf_strbuf_init(&w, c->args->scratch);
    while (*text) {
        const char *at = text + 1;
        const size_t length = w.len;
        if (*text == '{' && add_reference(&w, c, f, &at)) {
            text = at;
            continue;
        }
        w.len = length;
        sf_strbuf_char(&w, *text++);
    }
    return sf_strbuf_end(&w);
}

/* rows */
static bool is_in(const SfInfer *c, int since, int before)
{
    return sf_version(c) >= since && (before == 0 || sf_version(c) < before);
}

static bool knows_dims(const SfFinding *f)
{
    for (int i = 0; i < f->nargs; i++) {
        const SfDiagArg *a = &f->args[i];
        if ((a->kind == SF_DIAG_ARG_DIM || a->kind == SF_DIAG_ARG_COUNT) &&
            !sf_dim_is_known(a->u.dim)) {
            return false;
        }
    }
    return true;
}

static bool is_on(const SfMessage *m, SfDiagCode code)
{
    return m->on == 0 || m->on == 1 + (int)code ||
           (m->on == UINT8_MAX && (code == SF_DIAG_MERGE_DIM || code == SF_DIAG_MERGE_RANK));
}

static bool is_at(SfPlace p, int input)
{
    return (p.kind == SF_PLACE_INPUT || p.kind == SF_PLACE_AXIS) && p.index == input;
}

const SfMessage *sf_message_find(SfInfer *c, const SfMessage *table, const SfFinding *f)
{
    for (const SfMessage *m = table; m && (m->on || m->as || m->text); m++) {
        if (is_on(m, f->code) && (m->input == 0 || is_at(f->a, m->input - 1)) &&
            (m->axis == 0 || f->a.axis == m->axis - 1) &&
            (m->other == 0 || is_at(f->b, m->other - 1)) && (!m->known || knows_dims(f)) &&
            is_in(c, m->since, m->before) && (!m->when || m->when(c, f))) {
            return m;
        }
    }
    return NULL;
}

void sf_kernel_messages(SfInfer *c, const SfMessage *table)
{
    c->messages = table;
}

/* checks */
typedef struct Verdict {
    bool fails;
    SfDiagCode code;
    SfDiagArg args[2]; /* what is wanted, what is there */
} Verdict;

static Verdict check_rank(const SfInfer *c, const SfCheck *k)
{
    const int rank = sf_shape_rank(sf_input(c, k->a.index));
    Verdict v = {.code = SF_DIAG_RANK_EXACT, .args = {SF_RANK_ARG(k->n), SF_RANK_ARG(rank)}};
    if (k->kind == SF_CHECK_RANK_AT_LEAST) {
        v.code = SF_DIAG_RANK_AT_LEAST;
        v.fails = rank < k->n;
    } else if (k->kind == SF_CHECK_RANK_AT_MOST) {
        v.code = SF_DIAG_RANK_AT_MOST;
        v.fails = rank > k->n;
    } else {
        v.fails = rank != k->n;
    }
    v.fails = v.fails && rank != SF_RANK_UNKNOWN;
    return v;
}

static Verdict check_dims(SfDiagCode code, SfDim want, SfDim is)
{
    return (Verdict){.fails = sf_dim_meet(want, is) == SF_DIM_BOTTOM,
                     .code = code,
                     .args = {SF_DIM_ARG(want), SF_DIM_ARG(is)}};
}

static Verdict check_number(int64_t want, int64_t is)
{
    return (Verdict){.fails = is < want,
                     .code = SF_DIAG_RUN_REFUSED,
                     .args = {SF_INT_ARG(want), SF_INT_ARG(is)}};
}

static Verdict check_ranks(const SfInfer *c, const SfCheck *k)
{
    const int a = sf_shape_rank(sf_input(c, k->a.index)),
              b = sf_shape_rank(sf_input(c, k->b.index));
    return (Verdict){.fails = a != b && a != SF_RANK_UNKNOWN && b != SF_RANK_UNKNOWN,
                     .code = SF_DIAG_MERGE_RANK,
                     .args = {SF_RANK_ARG(b), SF_RANK_ARG(a)}};
}

/* The first that is too small. */
static Verdict check_ints(SfInfer *c, const SfCheck *k)
{
    const SfValue *v = sf_input_value(c, k->a.index);
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind == SF_ELEM_INT && e.u.i < k->n) {
            return check_number(k->n, e.u.i);
        }
    }
    return (Verdict){0};
}

static Verdict check_one(SfInfer *c, const SfCheck *k)
{
    const SfShape *s = sf_input(c, k->a.index);
    int64_t n;
    switch (k->kind) {
    case SF_CHECK_RANK:
    case SF_CHECK_RANK_AT_LEAST:
    case SF_CHECK_RANK_AT_MOST:
        return check_rank(c, k);
    case SF_CHECK_ELEMENTS:
        return check_dims(SF_DIAG_RANK_EXACT, k->n, sf_shape_count(s));
    case SF_CHECK_DIM:
        return check_dims(SF_DIAG_DIM_VALUE, k->n, sf_shape_dim(s, k->a.axis));
    case SF_CHECK_DIM_AT_LEAST: {
        const SfDim d = sf_shape_dim(s, k->a.axis);
        return (Verdict){.fails = sf_dim_upper(d) < k->n,
                         .code = SF_DIAG_DIM_VALUE,
                         .args = {SF_INT_ARG(k->n), SF_DIM_ARG(d)}};
    }
    case SF_CHECK_SAME_DIM:
        return check_dims(SF_DIAG_DIM_EQUAL, sf_input_dim(c, k->b.index, k->b.axis),
                          sf_shape_dim(s, k->a.axis));
    case SF_CHECK_SAME_RANK:
        return check_ranks(c, k);
    case SF_CHECK_INT_AT_LEAST:
        return sf_input_int(c, k->a.index, &n) ? check_number(k->n, n) : (Verdict){0};
    case SF_CHECK_INTS_AT_LEAST:
        return check_ints(c, k);
    case SF_CHECK_ATTR_AT_LEAST:
        return check_number(k->n, sf_attr_int(c, k->a.attr));
    case SF_CHECK_END:
        break;
    }
    return (Verdict){0};
}

static bool has_place(const SfInfer *c, SfPlace p)
{
    return (p.kind != SF_PLACE_INPUT && p.kind != SF_PLACE_AXIS) || sf_has_input(c, p.index);
}

SfStatus sf_check(SfInfer *c, const SfCheck *table)
{
    for (const SfCheck *k = table; k->kind != SF_CHECK_END; k++) {
        if (!is_in(c, k->since, k->before) || !has_place(c, k->a) || !has_place(c, k->b)) {
            continue;
        }
        const Verdict v = check_one(c, k);
        if (v.fails) {
            return sf_fail_template(c, k->as ? (SfDiagCode)(k->as - 1) : v.code, k->a, k->b,
                                    k->text, v.args, 2);
        }
    }
    return SF_OK;
}

SfStatus sf_check_table(SfInfer *c, const void *table)
{
    return sf_check(c, table);
}

SfStatus sf_require_ints(SfInfer *c, int input, int64_t low, int64_t high, SfDiagCode code,
                         SfPlace b, const char *text)
{
    const SfValue *v = sf_input_value(c, input);
    for (int64_t i = 0; v && high >= 0 && i < sf_value_count(v); i++) {
        const SfElem e = sf_value_elem(v, i);
        SF_TRY(sf_require_as(
            c, e.kind != SF_ELEM_INT || (e.u.i >= low && (e.u.i < high || high == SF_DIM_MAX)),
            code, SF_INPUT(input), b, text, SF_INT_ARG(i), SF_INT_ARG(e.u.i), SF_INT_ARG(high)));
    }
    return SF_OK;
}
