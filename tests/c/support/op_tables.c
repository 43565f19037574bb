/* Which ops have rows, and of which kinds: known, partly known, of unknown rank, error.
 * Invariant: a kind is missed only where the op can have it. What it can have is found by asking the op:
 * its own good rows are inferred again with other shapes.
 * Owner: the list links the static tables of the tests. Source: CONTRIBUTING.md, "How to add an op". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/c/support/op_rows.h"
#include "tests/c/domain/domain.h"

enum { KNOWN = 1, PARTLY = 2, UNRANKED = 4, ERROR = 8, ALL = 15 };

static SfOpRows *tables;

void sf_rows_enter(SfOpRows *table)
{
    table->next = tables;
    tables = table;
}

/* The tables of a file follow each other: its constructors ran one after the other. */
static bool begins_file(const SfOpRows *table)
{
    return !table->next || strcmp(table->file, table->next->file) != 0;
}

int sf_rows_file_count(void)
{
    int count = 0;
    for (const SfOpRows *t = tables; t; t = t->next) {
        count += begins_file(t);
    }
    return count;
}

void sf_rows_run_file(int which)
{
    const char *only = getenv("SF_ROWS");
    int file = 0;
    for (const SfOpRows *t = tables; t; t = t->next) {
        for (int i = 0; i < t->nops && file == which; i++) {
            if (!only || strcmp(only, t->ops[i]) == 0) {
                sf_rows_run(t->ops[i], t->rows, t->nrows, t->file);
            }
        }
        file += begins_file(t);
    }
}

static bool names(const SfOpRows *table, const char *op)
{
    for (int i = 0; i < table->nops; i++) {
        if (strcmp(table->ops[i], op) == 0) {
            return true;
        }
    }
    return false;
}

/* what a row is */
static const SfShape *shape_behind(const SfTensor *t)
{
    return t->state ? t->state->attrs[0].u.shape : t->shape;
}

static unsigned kind_of_input(const SfTensor *t)
{
    const SfShape *s = shape_behind(t);
    if (sf_shape_rank(s) < 0) {
        return UNRANKED;
    }
    for (int i = 0; i < sf_shape_rank(s); i++) {
        if (!sf_dim_is_known(sf_shape_dim(s, i))) {
            return PARTLY;
        }
    }
    for (int64_t i = 0; t->value && i < sf_value_count(t->value); i++) {
        const SfElemKind kind = sf_value_elem(t->value, i).kind;
        if (kind == SF_ELEM_UNKNOWN || kind == SF_ELEM_DIM) {
            return PARTLY;
        }
    }
    return KNOWN;
}

static unsigned kind_of_row(const SfRow *r, const char *expected)
{
    unsigned kinds = 0;
    if (strncmp(expected, "SF", 2) == 0 || strncmp(expected, "deferred SF", 9) == 0) {
        return ERROR;
    }
    for (int i = 0; i < r->nin; i++) {
        if (sf_shape_is_bottom(r->inputs[i].shape)) {
            return 0; /* the context's rule, no question to the op */
        }
        kinds |= kind_of_input(&r->inputs[i]);
    }
    return kinds == 0 ? KNOWN : kinds & (PARTLY | UNRANKED) ? kinds & ~(unsigned)KNOWN : KNOWN;
}

/* what rows an op can have */
/* Does input i, given this shape, make an error of a good row? `silently`: or a deferred finding. */
static bool fails_with(SfRow *r, int i, const char *text, bool silently)
{
    const SfTensor was = r->inputs[i];
    SfSink sink;
    sf_sink_init(&sink);
    r->inputs[i].shape = sf_shape_parse(text, r->scope, NULL);
    r->inputs[i].value = NULL;
    const bool fails = sf_row_infer(r, &sink) == SF_REPORTED || (silently && sink.count > 0);
    r->inputs[i] = was;
    sf_sink_free(&sink);
    return fails;
}

static bool takes_dims(SfRow *r)
{
    for (int i = 0; i < r->nin; i++) {
        if (sf_shape_rank(shape_behind(&r->inputs[i])) > 0 || !fails_with(r, i, "[?]", true)) {
            return true;
        }
    }
    return false;
}

static bool takes_unknown_rank(SfRow *r)
{
    for (int i = 0; i < r->nin; i++) {
        if (!fails_with(r, i, "?", true)) {
            return true;
        }
    }
    return false;
}

static bool refuses_shapes(SfRow *r)
{
    static const char *const shapes[] = {"[]",    "[0]",     "[1]",           "[2]",
                                         "[3,5]", "[3,5,2]", "[2,3,5,7,2,3]", "[1,1,1,1]"};
    for (int i = 0; i < r->nin * SF_ARRAY_LEN(shapes); i++) {
        if (fails_with(r, i % r->nin, shapes[i / r->nin], false)) {
            return true;
        }
    }
    return false;
}

static unsigned possible(SfRow *r)
{
    return KNOWN | (takes_dims(r) ? PARTLY : 0u) | (takes_unknown_rank(r) ? UNRANKED : 0u) |
           (refuses_shapes(r) ? ERROR : 0u);
}

void sf_rows_lacks(const SfOpSig *sig, char *text, size_t size)
{
    static const char *const message[] = {" known", " partly known", " of unknown rank", " error"};
    unsigned have = 0, can = KNOWN;
    for (const SfOpRows *t = tables; t && have != ALL; t = t->next) {
        for (int i = 0; i < t->nrows && names(t, sig->def->name); i++) {
            SfRow row;
            if (sf_row_parse(&row, sig, t->rows[i].attrs, t->rows[i].inputs)) {
                const unsigned kind = kind_of_row(&row, t->rows[i].expected);
                have |= kind;
                can |=
                    kind != 0 && kind != ERROR && row.phase == SF_PHASE_BUILD ? possible(&row) : 0;
            }
            sf_row_free(&row);
        }
    }
    text[0] = '\0';
    for (int i = 0; i < SF_ARRAY_LEN(message); i++) {
        if (~have & can & 1u << i) {
            const size_t at = strlen(text);
            (void)snprintf(text + at, size - at, "%s", message[i]);
        }
    }
}
