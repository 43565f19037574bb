/* Name scopes of compositions, and what a call returns. */
#include "apis/api_internal.h"

#include <string.h>

SfStatus sf_api_scope_enter(SfCall *c, const char *name_or_null, const char *fallback, SfScope *s)
{
    const char *name = name_or_null ? name_or_null : fallback;
    *s = (SfScope){NULL, name};
    if (sf_api_is_eager(c)) {
        s->scope = name_or_null;
        return SF_OK;
    }
    const size_t len = name_or_null ? strlen(name) : 0; /* ours are legal */
    if (len > 0 && name[len - 1] != '/' &&
        !sf_name_is_valid(name, sf_graph_scope(c->b->graph)[0] == '\0')) {
        return sf_api_value_error(c, "'%s' is not a valid scope name", name);
    }
    s->scope = sf_graph_enter_scope(c->b->graph, name, &s->previous);
    return !s->scope ? SF_NOMEM : SF_OK;
}

void sf_api_scope_exit(SfCall *c, const SfScope *s)
{
    if (!sf_api_is_eager(c)) {
        sf_graph_set_scope(c->b->graph, s->previous);
    }
}

const char *sf_api_name(const SfCall *c)
{
    const int i = c->sig ? c->sig->name_param : -1;
    return i >= 0 && c->args[i].kind == SF_ARG_STRING ? c->args[i].u.s.bytes : NULL;
}

bool sf_api_eager(const SfCall *c)
{
    return sf_api_is_eager(c);
}

int sf_api_version(const SfCall *c)
{
    return c->b->version;
}

/* results */
static void keep_results(SfCall *c, const SfTensor *t, int n)
{
    if (n == 1) {
        c->only = *t;
        c->results = &c->only;
    } else {
        c->results = sf_arena_copy(c->arena, t, sizeof *t * (size_t)(n > 0 ? n : 1));
    }
    c->nresults = c->results ? n : 0;
    c->op = n > 0 ? t[n - 1].node : NULL;
}

void sf_return_tensor(SfCall *c, SfTensor t)
{
    c->form = SF_RESULT_AUTO;
    keep_results(c, &t, 1);
}

void sf_return_list(SfCall *c, const SfTensor *t, int n)
{
    c->form = SF_RESULT_LIST;
    const SfTensor none = {0};
    keep_results(c, n > 0 ? t : &none, n);
}

void sf_return_op(SfCall *c, SfNode *node)
{
    c->form = SF_RESULT_OP;
    c->nresults = 0;
    c->op = node;
}
