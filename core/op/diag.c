/* The sink of diagnostics and the message of a code.
 * Invariant: what a record points to is in the sink's arena, interned, or a node of a live graph.
 * Owner: the sink. Source: diag.h, diag_codes.def. */
#include "core/op/diag.h"

#include <string.h>

static const SfDiagInfo infos[] = {
#define SF_DIAG(code, name, severity, class, message) {code, #name, severity, class, message},
#include "core/op/diag_codes.def"
#undef SF_DIAG
};
_Static_assert(sizeof(infos) / sizeof(infos[0]) == SF_DIAG_COUNT, "a row for each code");

const SfDiagInfo *sf_diag_info(SfDiagCode code)
{
    return (unsigned)code < SF_DIAG_COUNT ? &infos[code] : NULL;
}

/* messages */
void sf_strbuf_arg(SfStrbuf *t, const SfDiagArg *arg)
{
    switch (arg->kind) {
    case SF_DIAG_ARG_DIM:
    case SF_DIAG_ARG_COUNT:
        sf_strbuf_dim(t, arg->u.dim);
        break;
    case SF_DIAG_ARG_RANK:
    case SF_DIAG_ARG_INT:
        sf_strbuf_printf(t, "%lld", (long long)arg->u.i);
        break;
    case SF_DIAG_ARG_SHAPE:
        sf_strbuf_shape(t, arg->u.shape);
        break;
    case SF_DIAG_ARG_DTYPE:
        sf_strbuf_add(t, sf_dtype_sig_name(arg->u.dtype));
        break;
    case SF_DIAG_ARG_TEXT:
        sf_strbuf_add(t, arg->u.text ? arg->u.text : "");
        break;
    case SF_DIAG_ARG_FLOAT:
        sf_strbuf_float(t, arg->u.f);
        break;
    }
}

void sf_strbuf_fill(SfStrbuf *t, const char *message, const SfDiagArg *args, int nargs)
{
    for (const char *p = message; *p; p++) {
        const int i = p[0] == '{' && p[1] >= '0' && p[1] <= '9' && p[2] == '}' ? p[1] - '0' : -1;
        if (i < 0 || i >= nargs) {
            sf_strbuf_char(t, *p);
        } else {
            sf_strbuf_arg(t, &args[i]);
            p += 2;
        }
    }
}

const char *sf_diag_message(SfArena *arena, SfDiagCode code, const SfDiagArg *args, int nargs)
{
    const SfDiagInfo *info = sf_diag_info(code);
    SfStrbuf t;
    sf_strbuf_init(&t, arena);
    if (info) {
        sf_strbuf_fill(&t, info->message, args, nargs);
    }
    return sf_strbuf_end(&t);
}

/* the sink */
void sf_sink_init(SfSink *s)
{
    *s = (SfSink){0};
}

void sf_sink_free(SfSink *s)
{
    sf_arena_free(&s->arena);
    sf_sink_init(s);
}

void sf_sink_clear(SfSink *s)
{
    sf_arena_reset(&s->arena);
    s->first = s->last = NULL;
    s->count = 0;
}

/* Copies *text into the arena; NULL stays NULL. */
static bool keep_text(SfArena *a, const char **text)
{
    if (*text) {
        *text = sf_arena_strdup(a, *text);
        return *text;
    }
    return true;
}

static bool keep_places(SfArena *a, SfDiag *d)
{
    SfPlace *places = sf_arena_copy(a, d->places, (size_t)d->nplaces * sizeof(*places));
    d->places = places;
    for (int i = 0; places && i < d->nplaces; i++) {
        if (places[i].kind == SF_PLACE_ATTR && !keep_text(a, &places[i].attr)) {
            return false;
        }
    }
    return places;
}

static bool keep_args(SfArena *a, SfDiag *d)
{
    SfDiagArg *args = sf_arena_copy(a, d->args, (size_t)d->nargs * sizeof(*args));
    d->args = args;
    for (int i = 0; args && i < d->nargs; i++) {
        if (args[i].kind == SF_DIAG_ARG_TEXT && !keep_text(a, &args[i].u.text)) {
            return false;
        }
    }
    return args;
}

static bool keep_operands(SfArena *a, SfDiag *d)
{
    SfDiagOperand *ops = sf_arena_copy(a, d->operands, (size_t)d->noperands * sizeof(*ops));
    d->operands = ops;
    for (int i = 0; ops && i < d->noperands; i++) {
        if (!keep_text(a, &ops[i].name)) {
            return false;
        }
    }
    return ops;
}

SfStatus sf_sink_report(SfSink *s, const SfDiag *d)
{
    if (!s || s->muted > 0) {
        return SF_REPORTED;
    }
    SfDiag *kept = sf_arena_copy(&s->arena, d, sizeof(*d));
    SF_TRY_ALLOC(kept);
    kept->next = NULL;
    if (!keep_text(&s->arena, &kept->op_type) || !keep_text(&s->arena, &kept->node_name) ||
        !keep_text(&s->arena, &kept->message) || !keep_places(&s->arena, kept) ||
        !keep_args(&s->arena, kept) || !keep_operands(&s->arena, kept)) {
        return SF_NOMEM;
    }
    if (!kept->message) {
        kept->message = sf_diag_message(&s->arena, kept->code, kept->args, kept->nargs);
        SF_TRY_ALLOC(kept->message);
    }
    if (s->last) {
        s->last->next = kept;
    } else {
        s->first = kept;
    }
    s->last = kept;
    s->count++;
    return SF_REPORTED;
}

bool sf_sink_goes_on(SfSink *s)
{
    return s && s->goes_on && s->muted == 0 && s->last && s->goes_on(s->owner, s->last);
}
