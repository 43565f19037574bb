/* Runs rows: as written, with identities, weakened; and says what differs from what was expected.
 * Invariant: one cr_expect fails for a bad row, with the row's file and line in its text.
 * Owner: each run owns its row and sink. Source: op_rows.h. */
#include "tests/c/support/op_rows.h"
#include "tests/c/domain/domain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
    const char *op, *file;
    const SfOpCase *row;
    SfRow r;
    SfSink sink;
    bool failed;
} Run;

__attribute__((format(printf, 2, 3))) static void complain(Run *run, const char *fmt, ...)
{
    char text[600];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    run->failed = true;
    cr_expect(false, "%s:%d: %s(%s | %s): %s", run->file, run->row->line, run->op, run->row->attrs,
              run->row->inputs, text);
}

static void skip_blanks(const char **p)
{
    while (**p == ' ') {
        (*p)++;
    }
}

static bool take_word(const char **p, const char *word)
{
    const size_t n = strlen(word);
    skip_blanks(p);
    if (strncmp(*p, word, n) != 0) {
        return false;
    }
    *p += n;
    return true;
}

/* outputs */
/* Does a symbol of `d` come from the inputs? One that does not was made by the op. */
static bool from_inputs(const SfRow *r, SfDim d)
{
    for (int i = 0; i < r->nin; i++) {
        const SfShape *s = r->inputs[i].shape;
        for (int k = 0; k < sf_shape_rank(s); k++) {
            if (sf_shape_dim(s, k) == d || sf_dim_mentions(sf_shape_dim(s, k), d) ||
                sf_dim_mentions(d, sf_shape_dim(s, k))) {
                return true;
            }
        }
        const SfValue *v = r->inputs[i].value;
        for (int64_t k = 0; v && k < sf_value_count(v); k++) {
            const SfElem e = sf_value_elem(v, k);
            if (e.kind == SF_ELEM_DIM &&
                (e.u.dim == d || sf_dim_mentions(d, e.u.dim) || sf_dim_mentions(e.u.dim, d))) {
                return true;
            }
        }
    }
    return false;
}

static bool same_dim(const SfRow *r, SfDim want, SfDim is)
{
    if (want == is) {
        return true;
    }
    return sf_dim_is_symbolic(want) && sf_dim_is_symbolic(is) && !from_inputs(r, want) &&
           !from_inputs(r, is);
}

static bool same_shape(const SfRow *r, const SfRowTensor *want, const SfShape *is)
{
    if (want->rank != sf_shape_rank(is)) {
        return false;
    }
    for (int i = 0; i < want->rank; i++) {
        const int input = want->same_input[i];
        const SfDim dim = input < 0 || input >= r->nin
                              ? want->dims[i]
                              : sf_shape_dim(r->inputs[input].shape, want->same_axis[i]);
        if (!same_dim(r, dim, sf_shape_dim(is, i))) {
            return false;
        }
    }
    return true;
}

static bool same_value(const SfRow *r, const SfRowTensor *want, const SfValue *is)
{
    if (!is || sf_value_count(is) != want->count) {
        return false;
    }
    for (int64_t i = 0; i < want->count; i++) {
        SfElem w = want->elems[i];
        const SfElem e = sf_value_elem(is, i);
        if (w.kind == SF_ELEM_INT && e.kind == SF_ELEM_FLOAT) {
            w = sf_elem_float((double)w.u.i);
        }
        const bool same =
            w.kind != e.kind        ? false
            : w.kind == SF_ELEM_INT ? w.u.i == e.u.i
            : w.kind == SF_ELEM_FLOAT
                ? (float)w.u.f == (float)e.u.f || (w.u.f != w.u.f && e.u.f != e.u.f)
            : w.kind == SF_ELEM_COMPLEX ? w.u.f == e.u.f && w.im == e.im
            : w.kind == SF_ELEM_STRING
                ? w.u.s->len == e.u.s->len && !memcmp(w.u.s->bytes, e.u.s->bytes, w.u.s->len)
            : w.kind == SF_ELEM_DIM ? same_dim(r, w.u.dim, e.u.dim)
                                    : true;
        if (!same) {
            return false;
        }
    }
    return true;
}

static void describe(const SfTensor *t, char *buf, size_t size)
{
    char shape[200], value[200] = "";
    (void)sf_shape_format(t->shape, true, shape, sizeof(shape));
    if (t->value) {
        (void)sf_value_format(t->value, value, sizeof(value));
    }
    (void)snprintf(buf, size, "%s%s%s%s:%s", shape, t->value ? "={" : "", value,
                   t->value ? "}" : "", sf_dtype_name(t->dtype));
}

static void check_output(Run *run, int i, const SfRowTensor *want)
{
    const SfTensor *t = &run->r.outs[i];
    const bool ok = same_shape(&run->r, want, t->shape) &&
                    (!want->literal || same_value(&run->r, want, t->value)) &&
                    (!want->value_unknown || !t->value) &&
                    (want->dtype == SF_DT_INVALID || want->dtype == t->dtype);
    if (!ok) {
        char is[500];
        describe(t, is, sizeof(is));
        complain(run, "output %d is %s, expected %s", i, is, run->row->expected);
    }
}

static void check_cost(Run *run, double want)
{
    const SfInferArgs args = {.sig = run->r.sig,
                              .attrs = run->r.attrs,
                              .inputs = run->r.inputs,
                              .nin = run->r.nin,
                              .outs = run->r.outs,
                              .nout = run->r.nout,
                              .version = run->r.version,
                              .phase = run->r.phase,
                              .scratch = &run->r.scratch};
    const double is = sf_infer_cost(&args);
    if (is != want) {
        complain(run, "costs %g, expected %g", is, want);
    }
}

/* True when some expected dim is `a.0`: then the identity run has something to look at. */
static bool check_outputs(Run *run, const char *text)
{
    const char *p = text;
    bool identities = false;
    int n = 0;
    for (skip_blanks(&p); *p && !run->failed; skip_blanks(&p), n++) {
        SfRowTensor want;
        if (take_word(&p, "cost ")) {
            char *end;
            check_cost(run, strtod(p, &end));
            p = end;
            break;
        }
        if (!sf_row_tensor(&run->r, &p, &want)) {
            complain(run, "expected \"%s\": %s", text, run->r.error);
        } else if (n < run->r.nout) {
            check_output(run, n, &want);
        }
        for (int i = 0; i < want.rank; i++) {
            identities = identities || want.same_input[i] >= 0;
        }
    }
    if (!run->failed && n != run->r.nout) {
        complain(run, "the op has %d outputs, the row expects %d", run->r.nout, n);
    }
    return identities;
}

/* errors */
static void add_place(char *buf, size_t size, const SfPlace *p)
{
    const size_t at = strlen(buf);
    const char letter = (char)('a' + p->index % 26);
    switch (p->kind) {
    case SF_PLACE_OP:
        (void)snprintf(buf + at, size - at, " op");
        break;
    case SF_PLACE_INPUT:
        (void)snprintf(buf + at, size - at, " %c", letter);
        break;
    case SF_PLACE_AXIS:
        (void)snprintf(buf + at, size - at, " %c.%d", letter, p->axis);
        break;
    case SF_PLACE_ATTR:
        (void)snprintf(buf + at, size - at, " @%s", p->attr);
        break;
    case SF_PLACE_OUTPUT:
        (void)snprintf(buf + at, size - at, " out.%d", p->index);
        break;
    }
}

/* "SF101 a.1 b.0 'words'" against a diagnostic. */
static void check_finding(Run *run, const char *text, const SfDiag *d)
{
    char want[200], is[200] = "";
    const char *message = strchr(text, '\'');
    size_t n = message ? (size_t)(message - text) : strlen(text);
    while (n > 0 && text[n - 1] == ' ') {
        n--;
    }
    (void)snprintf(want, sizeof(want), "%.*s", (int)n, text);
    (void)snprintf(is, sizeof(is), "%s", sf_diag_info(d->code)->id);
    for (int i = 0; strchr(want, ' ') && i < d->nplaces; i++) {
        add_place(is, sizeof(is), &d->places[i]);
    }
    if (strcmp(want, is) != 0) {
        complain(run, "found %s, expected %s: %s", is, want, d->message);
    } else if (message) {
        const char *end = strrchr(text, '\'');
        char quoted[300];
        (void)snprintf(quoted, sizeof(quoted), "%.*s", end > message ? (int)(end - message - 1) : 0,
                       message + 1);
        if (!strstr(d->message, quoted)) {
            complain(run, "\"%s\" is not in \"%s\"", quoted, d->message);
        }
    }
}

/* weaker inputs */
/* What one variant hides of the inputs: of input `only` (-1: of all), axis `axis`, ... */
typedef struct Weaker {
    int only;
    int axis; /* -1: every axis */
    bool dims, rank, value;
} Weaker;

static void weaken_input(SfTensor *t, const Weaker *w)
{
    const int rank = sf_shape_rank(t->shape);
    if (w->value || w->dims || w->rank) {
        t->value = NULL; /* a known content implies a known shape */
    }
    if (w->rank) {
        t->shape = sf_shape_unknown();
    }
    for (int i = 0; w->dims && i < rank; i++) {
        if (w->axis < 0 || w->axis == i) {
            t->shape = sf_shape_replace(t->shape, i, SF_DIM_UNKNOWN);
        }
    }
}

/* Dims that the op named anew tell nothing that could be compared. */
static const SfShape *without_new_symbols(const SfRow *r, const SfShape *s)
{
    for (int i = 0; i < sf_shape_rank(s); i++) {
        const SfDim d = sf_shape_dim(s, i);
        if (sf_dim_is_symbolic(d) && !from_inputs(r, d)) {
            s = sf_shape_replace(s, i, SF_DIM_UNKNOWN);
        }
    }
    return s;
}

static bool value_has_symbols(const SfValue *v)
{
    for (int64_t i = 0; v && i < sf_value_count(v); i++) {
        if (sf_value_elem(v, i).kind == SF_ELEM_DIM) {
            return true;
        }
    }
    return false;
}

static void check_weaker(Run *run, const SfTensor *strong_in, const SfTensor *strong_out,
                         const Weaker *w)
{
    SfRow *r = &run->r;
    memcpy(r->inputs, strong_in, (size_t)r->nin * sizeof(SfTensor));
    for (int i = 0; i < r->nin; i++) {
        if (w->only < 0 || w->only == i) {
            weaken_input(&r->inputs[i], w);
        }
    }
    sf_sink_clear(&run->sink);
    const SfStatus status = sf_row_infer(r, &run->sink);
    const char *what = w->rank ? "rank" : w->dims ? "dims" : "value";
    if (status != SF_OK) {
        complain(run, "with unknown %s of input %d (axis %d): a new error: %s", what, w->only,
                 w->axis, run->sink.last ? run->sink.last->message : "no memory");
        return;
    }
    for (int i = 0; i < r->nout && !run->failed; i++) {
        const SfShape *weak = without_new_symbols(r, r->outs[i].shape);
        /* what is kept beside a handle has no order of its own */
        const bool no_order =
            value_has_symbols(r->outs[i].value) || sf_dtype_base(r->outs[i].dtype) == SF_DT_VARIANT;
        const SfValue *value = no_order ? NULL : r->outs[i].value;
        if (!sf_shape_leq(strong_out[i].shape, weak) ||
            (value && !sf_value_leq(strong_out[i].value, value))) {
            char is[500], was[500];
            describe(&r->outs[i], is, sizeof(is));
            describe(&strong_out[i], was, sizeof(was));
            complain(run,
                     "with unknown %s of input %d (axis %d) output %d is %s, not weaker than %s",
                     what, w->only, w->axis, i, is, was);
        }
    }
}

static void check_all_weaker(Run *run)
{
    SfRow *r = &run->r;
    const size_t nin = (size_t)r->nin, nout = (size_t)r->nout;
    SfTensor *in = sf_arena_copy(&r->arena, r->inputs, nin * sizeof(*in));
    SfTensor *out = sf_arena_copy(&r->arena, r->outs, nout * sizeof(*out));
    for (int i = -1; in && out && i < r->nin && !run->failed; i++) {
        if (i >= 0 && sf_shape_is_bottom(in[i].shape)) {
            continue;
        }
        check_weaker(run, in, out, &(Weaker){i, -1, .value = true});
        check_weaker(run, in, out, &(Weaker){i, -1, .dims = true});
        check_weaker(run, in, out, &(Weaker){i, -1, .rank = true});
        for (int k = 0; i >= 0 && k < sf_shape_rank(in[i].shape); k++) {
            check_weaker(run, in, out, &(Weaker){i, k, .dims = true});
        }
    }
    if (in && out) {
        memcpy(r->inputs, in, nin * sizeof(*in));
        memcpy(r->outs, out, nout * sizeof(*out));
    }
}

/* identity: each `?` is somebody */
static void check_identity(Run *run, const char *expected)
{
    SfRow *r = &run->r;
    for (int i = 0; i < r->nin; i++) {
        for (int k = 0; k < sf_shape_rank(r->inputs[i].shape); k++) {
            if (sf_shape_dim(r->inputs[i].shape, k) == SF_DIM_UNKNOWN) {
                r->inputs[i].shape = sf_shape_replace(r->inputs[i].shape, k, sf_dim_symbol(NULL));
            }
        }
    }
    sf_sink_clear(&run->sink);
    if (sf_row_infer(r, &run->sink) != SF_OK || run->sink.count > 0) {
        complain(run, "with a symbol for each '?': a new error: %s",
                 run->sink.last ? run->sink.last->message : "no memory");
        return;
    }
    const char *p = expected;
    for (int i = 0; i < r->nout && !run->failed; i++) {
        SfRowTensor want;
        if (!sf_row_tensor(r, &p, &want)) {
            return;
        }
        for (int k = 0; k < want.rank && want.rank == sf_shape_rank(r->outs[i].shape); k++) {
            const int input = want.same_input[k];
            if (input >= 0 && input < r->nin &&
                sf_shape_dim(r->outs[i].shape, k) !=
                    sf_shape_dim(r->inputs[input].shape, want.same_axis[k])) {
                complain(run, "axis %d of output %d is not the dim of axis %d of input %c", k, i,
                         want.same_axis[k], 'a' + input);
            }
        }
    }
}

/* one row */
static bool has_bottom(const SfRow *r)
{
    for (int i = 0; i < r->nin; i++) {
        if (sf_shape_is_bottom(r->inputs[i].shape)) {
            return true;
        }
    }
    return false;
}

static void check_row(Run *run)
{
    const char *expected = run->row->expected;
    const char *p = expected;
    const SfStatus status = sf_row_infer(&run->r, &run->sink);
    const SfDiag *d = run->sink.first;
    const bool deferred = take_word(&p, "deferred ");
    const bool goes_on = deferred || take_word(&p, "warns ");
    skip_blanks(&p);
    if (status == SF_NOMEM) {
        complain(run, "no memory");
        return;
    }
    if (goes_on) {
        const char *slash = strchr(p, '/');
        char finding[200];
        (void)snprintf(finding, sizeof(finding), "%.*s", slash ? (int)(slash - p) : 0, p);
        if (status != SF_OK || !d || d->deferred != deferred || !slash) {
            complain(run, "expected %s: %s", expected, d ? d->message : "nothing was found");
            return;
        }
        check_finding(run, finding, d);
        (void)check_outputs(run, slash + 1);
        return;
    }
    if (strncmp(p, "SF", 2) == 0) {
        if (status != SF_REPORTED || !d) {
            char is[500] = "";
            if (run->r.nout > 0) {
                describe(&run->r.outs[0], is, sizeof(is));
            }
            complain(run, "no error, but %s; expected %s", is, expected);
        } else {
            check_finding(run, p, d);
        }
        return;
    }
    if (status != SF_OK || d) {
        complain(run, "%s: %s", d ? sf_diag_info(d->code)->id : "?", d ? d->message : "muted");
        return;
    }
    const bool identities = check_outputs(run, expected);
    if (!run->failed && !has_bottom(&run->r) && !run->r.not_weakened) {
        check_all_weaker(run);
    }
    if (!run->failed && identities) {
        check_identity(run, expected);
    }
}

/* One line a finding, for every version and phase: what a change of messages is compared by. */
static void dump_findings(Run *run, FILE *out)
{
    static const int versions[] = {SF_VERSION(1, 8), SF_VERSION(1, 15), SF_VERSION(2, 3),
                                   SF_VERSION(2, 21)};
    static const SfPhase phases[] = {SF_PHASE_BUILD, SF_PHASE_RUN, SF_PHASE_EAGER};
    for (int k = 0; k < SF_ARRAY_LEN(versions) * SF_ARRAY_LEN(phases); k++) {
        run->r.version = versions[k / SF_ARRAY_LEN(phases)];
        run->r.phase = phases[k % SF_ARRAY_LEN(phases)];
        sf_sink_clear(&run->sink);
        (void)sf_row_infer(&run->r, &run->sink);
        for (const SfDiag *d = run->sink.first; d; d = d->next) {
            char line[2000];
            size_t n = (size_t)snprintf(line, sizeof(line) - 200, "%s {%s} {%s} %d/%d: %s%s",
                                        run->op, run->row->attrs, run->row->inputs, run->r.version,
                                        (int)run->r.phase, sf_diag_info(d->code)->id,
                                        d->deferred ? " deferred" : "");
            n = n < sizeof(line) - 200 ? n : sizeof(line) - 201;
            for (int i = 0; i < d->nplaces; i++) {
                char place[60] = " ";
                add_place(place, sizeof(place), &d->places[i]);
                n += (size_t)snprintf(line + n, sizeof(line) - n, "%s", place);
            }
            (void)snprintf(line + n, sizeof(line) - n, " %s", d->message);
            for (char *c = line; *c; c++) {
                *c = *c == '\n' ? '|' : *c;
            }
            (void)fprintf(out, "%s\n", line);
            (void)fflush(out); /* tests are processes of their own: a line is written whole */
        }
    }
}

void sf_rows_run(const char *op, const SfOpCase *rows, int nrows, const char *file)
{
    const SfOpSig *sig = sf_op_find(op);
    if (!sig) {
        cr_expect(false, "%s: there is no op %s, or its signature does not parse", file, op);
        return;
    }
    const char *dump = getenv("SF_ROWS_DUMP");
    FILE *out = dump ? fopen(dump, "a") : NULL;
    for (int i = 0; i < nrows; i++) {
        Run run = {.op = op, .file = file, .row = &rows[i]};
        sf_sink_init(&run.sink);
        if (sf_row_parse(&run.r, sig, rows[i].attrs, rows[i].inputs)) {
            if (out) {
                dump_findings(&run, out);
            } else {
                check_row(&run);
            }
        } else {
            complain(&run, "the row does not parse: %s", run.r.error);
        }
        sf_sink_free(&run.sink);
        sf_row_free(&run.r);
    }
    if (out) {
        (void)fclose(out);
    }
}
