/* Steps whose outputs the caller of a run supplies. See session.h. */
#include "core/graph/graph_impl.h"
#include "core/session/session_impl.h"

SfStatus sf_node_make_source(SfNode *n)
{
    if (n->context->source) {
        return SF_OK;
    }
    SfNodeContext *context = sf_arena_copy(&n->graph->arena, n->context, sizeof *context);
    SF_TRY_ALLOC(context);
    context->source = true;
    n->context = context;
    n->graph->nsources++;
    n->graph->edits++; /* plans that hold it are made again */
    return SF_OK;
}

bool sf_graph_has_sources(const SfGraph *g)
{
    return g->nsources > 0;
}

/* plans */
static void forget(SfPlan *p)
{
    for (int i = 0; i < p->nsources; i++) {
        p->sources[i].supplied = SF_SUPPLY_NOTHING;
        p->sources[i].used = false;
    }
    for (int i = 0; i < p->nsupply; i++) {
        p->supply[i] = (SfTensor){0};
        p->supply_values[i] = NULL;
    }
    p->failed_source = -1;
}

SfStatus sf_plan_find_sources(SfPlan *p)
{
    int n = 0;
    int nouts = 0;
    for (int i = 0; i < p->nsteps; i++) {
        if (p->steps[i].kind == SF_STEP_SOURCE) {
            n++;
            nouts += p->steps[i].node->nout;
        }
    }
    if (!n) {
        return SF_OK;
    }
    p->sources = sf_arena_alloc(&p->arena, (size_t)n * sizeof *p->sources);
    p->supply = sf_arena_alloc(&p->arena, (size_t)nouts * sizeof *p->supply);
    p->supply_values = sf_arena_alloc(&p->arena, (size_t)nouts * sizeof(const SfValue *));
    SF_TRY_ALLOC(p->sources && p->supply && p->supply_values);
    for (int i = 0; i < p->nsteps; i++) {
        if (p->steps[i].kind == SF_STEP_SOURCE) {
            p->sources[p->nsources++] = (SfSource){.step = i, .first = p->nsupply};
            p->nsupply += p->steps[i].node->nout;
        }
    }
    forget(p);
    return SF_OK;
}

SfStatus sf_plan_sources(SfPlan *p, SfSink *sink, int *count)
{
    if (p->edits != sf_graph_edits(p->session->graph)) {
        SF_TRY(sf_plan_make(p, sink));
    }
    if (p->nsources) {
        forget(p);
    }
    *count = p->nsources;
    return SF_OK;
}

SfNode *sf_plan_source(const SfPlan *p, int i)
{
    return p->steps[p->sources[i].step].node;
}

void sf_plan_supply(SfPlan *p, int i, const SfTensor *outs)
{
    SfSource *source = &p->sources[i];
    const SfNode *n = sf_plan_source(p, i);
    source->supplied = outs ? SF_SUPPLY_GIVEN : SF_SUPPLY_ENDED;
    for (int k = 0; k < n->nout && outs; k++) {
        SfTensor *to = &p->supply[source->first + k];
        *to = n->outputs[k];
        to->shape = outs[k].shape;
        to->value = sf_feed_value_counts(to->dtype) ? outs[k].value : NULL;
        p->supply_values[source->first + k] = outs[k].value;
    }
}

bool sf_plan_source_used(const SfPlan *p, int i)
{
    return p->sources[i].used;
}

int sf_plan_source_failed(const SfPlan *p)
{
    return p->nsources ? p->failed_source : -1;
}

bool sf_plan_has_flow(const SfPlan *p)
{
    return p->has_flow;
}

/* runs */
static bool all_ended(const SfPlan *p)
{
    bool ended = true;
    for (int i = 0; ended && i < p->nsources; i++) {
        ended = p->sources[i].supplied == SF_SUPPLY_ENDED;
    }
    return ended;
}

/* In a branch that may not be taken the end of one source is no error, unless nothing is left: a
 * loop that waits for the end must find it. */
SfStatus sf_run_source(SfRun *r, int step, bool undecided, bool *supplied)
{
    SfPlan *p = r->plan;
    const SfStep *st = &p->steps[step];
    int i = 0;
    while (p->sources[i].step != step) {
        i++;
    }
    SfSource *source = &p->sources[i];
    source->used = true;
    *supplied = source->supplied == SF_SUPPLY_GIVEN;
    if (source->supplied == SF_SUPPLY_ENDED && (!undecided || all_ended(p))) {
        p->failed_source = i;
        return SF_REPORTED;
    }
    for (int k = 0; k < st->node->nout && *supplied; k++) {
        p->slots[st->out + k] = p->supply[source->first + k];
    }
    return SF_OK;
}

bool sf_plan_return_supplies(const SfPlan *p, SfTensor *results)
{
    bool valued = false;
    for (int i = 0; i < p->nfetch; i++) {
        for (int k = 0; k < p->nsources; k++) {
            const SfSource *source = &p->sources[k];
            const SfStep *st = &p->steps[source->step];
            const int out = p->fetch_slots[i] - st->out;
            if (out >= 0 && out < st->node->nout && source->supplied == SF_SUPPLY_GIVEN) {
                results[i].value = p->supply_values[source->first + out];
                valued = valued || results[i].value;
            }
        }
    }
    return valued;
}
