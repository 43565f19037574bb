/* Sessions: the cache of plans, and a run from feeds to results. See session.h. */
#include <string.h>

#include "core/graph/graph_impl.h"
#include "core/session/session_impl.h"
#include "lattice/hash.h"
#include "lattice/intern.h"

enum {
    BUCKETS = 256,
    LOOSE_MAX = 1024,
    LOOP_STEPS = 1 << 20, /* three levels of a thousand steps, each at its most passes */
    LOOP_STEPS_PER_STEP = 16
};

SfSession *sf_session_new(SfGraph *g)
{
    SfSession *s = sf_calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->plans = sf_calloc(BUCKETS, sizeof(SfPlan *));
    if (!s->plans) {
        sf_free(s);
        return NULL;
    }
    s->graph = g;
    sf_states_init(&s->states);
    sf_arena_init(&s->scratch);
    return s;
}

static void free_plan(SfPlan *p)
{
    sf_arena_free(&p->key_arena);
    sf_arena_free(&p->arena);
    sf_arena_free(&p->memo_arena);
    sf_free(p);
}

/* All plans, or those that were not handed out. */
static void drop_plans(SfSession *s, bool all)
{
    for (int i = 0; i < BUCKETS; i++) {
        SfPlan **at = &s->plans[i];
        while (*at) {
            SfPlan *p = *at;
            if (all || !p->pinned) {
                *at = p->next;
                free_plan(p);
            } else {
                at = &p->next;
            }
        }
    }
    s->nloose = 0;
}

void sf_session_free(SfSession *s)
{
    if (!s) {
        return;
    }
    drop_plans(s, true);
    sf_free(s->plans);
    sf_free(s->local);
    sf_free(s->growth);
    sf_free(s->placed);
    sf_states_free(&s->states);
    sf_arena_free(&s->scratch);
    sf_free(s);
}

/* plans by what was asked for */

typedef struct Wanted {
    const SfTensor *fetches;
    SfNode *const *targets;
    const SfTensor *fed; /* NULL: the targets of `feeds` */
    const SfFeed *feeds;
    int nfetch, ntarget, nfed;
    uint64_t hash;
} Wanted;

static const SfTensor *wanted_feed(const Wanted *w, int i)
{
    return w->fed ? &w->fed[i] : &w->feeds[i].target;
}

static uint64_t mix_tensor(uint64_t h, const SfTensor *t)
{
    return sf_hash_mix(h, (uint64_t)(uintptr_t)t->node + (uint64_t)t->index);
}

static void hash_wanted(Wanted *w)
{
    uint64_t h = sf_hash_mix((uint64_t)w->nfetch, (uint64_t)w->nfed);
    for (int i = 0; i < w->nfetch; i++) {
        h = mix_tensor(h, &w->fetches[i]);
    }
    for (int i = 0; i < w->ntarget; i++) {
        h = sf_hash_mix(h, (uint64_t)(uintptr_t)w->targets[i]);
    }
    for (int i = 0; i < w->nfed; i++) {
        h = mix_tensor(h, wanted_feed(w, i));
    }
    w->hash = h;
}

static bool same_tensor(const SfTensor *a, const SfTensor *b)
{
    return a->node == b->node && a->index == b->index;
}

static bool is_wanted(const SfPlan *p, const Wanted *w)
{
    if (p->hash != w->hash || p->nfetch != w->nfetch || p->ntarget != w->ntarget ||
        p->nfed != w->nfed) {
        return false;
    }
    bool same = true;
    for (int i = 0; same && i < w->nfetch; i++) {
        same = same_tensor(&p->fetches[i], &w->fetches[i]);
    }
    for (int i = 0; same && i < w->ntarget; i++) {
        same = p->targets[i] == w->targets[i];
    }
    for (int i = 0; same && i < w->nfed; i++) {
        same = same_tensor(&p->fed[i], wanted_feed(w, i));
    }
    return same;
}

static SfStatus copy_key(SfPlan *p, const Wanted *w)
{
    SfArena *a = &p->key_arena;
    p->hash = w->hash;
    p->nfetch = w->nfetch;
    p->ntarget = w->ntarget;
    p->nfed = w->nfed;
    p->fetches = sf_arena_copy(a, w->fetches, (size_t)w->nfetch * sizeof *p->fetches);
    p->targets = sf_arena_copy(a, w->targets, (size_t)w->ntarget * sizeof(SfNode *));
    p->fed = sf_arena_alloc(a, (size_t)w->nfed * sizeof *p->fed);
    p->feed_value = sf_arena_alloc(a, (size_t)w->nfed * sizeof *p->feed_value);
    SF_TRY_ALLOC(p->fetches && p->targets && p->fed && p->feed_value);
    for (int i = 0; i < w->nfed; i++) {
        p->fed[i] = *wanted_feed(w, i);
        p->feed_value[i] = sf_feed_value_counts(p->fed[i].dtype);
    }
    return SF_OK;
}

static SfStatus add_plan(SfSession *s, const Wanted *w, SfSink *sink, SfPlan **out)
{
    if (s->nloose >= LOOSE_MAX) {
        drop_plans(s, false);
    }
    SfPlan *p = sf_calloc(1, sizeof *p);
    SF_TRY_ALLOC(p);
    p->session = s;
    sf_arena_init(&p->key_arena);
    sf_arena_init(&p->arena);
    sf_arena_init(&p->memo_arena);
    SfStatus status = copy_key(p, w);
    if (status == SF_OK) {
        status = sf_plan_make(p, sink);
    }
    if (status != SF_OK) {
        free_plan(p);
        return status;
    }
    p->next = s->plans[w->hash % BUCKETS];
    s->plans[w->hash % BUCKETS] = p;
    s->nloose++;
    *out = p;
    return SF_OK;
}

static SfStatus find_plan(SfSession *s, Wanted *w, SfSink *sink, SfPlan **out)
{
    hash_wanted(w);
    for (SfPlan *p = s->plans[w->hash % BUCKETS]; p; p = p->next) {
        if (is_wanted(p, w)) {
            *out = p;
            return SF_OK;
        }
    }
    return add_plan(s, w, sink, out);
}

SfStatus sf_session_plan(SfSession *s, const SfTensor *fetches, int nfetch, SfNode *const *targets,
                         int ntarget, const SfTensor *fed, int nfed, SfSink *sink, SfPlan **out)
{
    static const SfTensor none;
    Wanted w = {.fetches = fetches,
                .targets = targets,
                .fed = fed ? fed : &none,
                .nfetch = nfetch,
                .ntarget = ntarget,
                .nfed = nfed};
    SF_TRY(find_plan(s, &w, sink, out));
    if (!(*out)->pinned) {
        (*out)->pinned = true;
        s->nloose--;
    }
    return SF_OK;
}

/* a run */

static void load_feeds(SfPlan *p, const SfFeed *feeds)
{
    for (int i = 0; i < p->nfed; i++) {
        p->slots[i] = (SfTensor){.shape = feeds[i].shape,
                                 .value = p->feed_value[i] ? feeds[i].value : NULL,
                                 .node = p->fed[i].node,
                                 .index = p->fed[i].index,
                                 .dtype = sf_dtype_base(p->fed[i].dtype)};
    }
    memset(p->state_dependent_slot, 0, (size_t)p->nslots * sizeof *p->state_dependent_slot);
    memset(p->state_dependent_step, 0, (size_t)p->nsteps * sizeof *p->state_dependent_step);
    if (p->has_flow) {
        memset(p->guard, 0, (size_t)p->nslots * sizeof *p->guard);
        memset(p->step_guard, 0, (size_t)p->nsteps * sizeof *p->step_guard);
        memset(p->merge_held, 0, (size_t)p->nsteps * sizeof *p->merge_held);
    }
}

static SfStatus report_dead(SfPlan *p, int fetch, SfSink *sink)
{
    SfArena *a = &p->session->scratch;
    const char *message = sf_arena_printf(a, "Retval[%d] does not have value", fetch);
    SF_TRY_ALLOC(message);
    const SfNode *n = p->fetches[fetch].node;
    const SfDiagArg arg = SF_TEXT_ARG(message);
    return sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_RUN_REFUSED,
                                          .phase = SF_PHASE_RUN,
                                          SF_DIAG_OF(n),
                                          .nargs = 1,
                                          .args = &arg});
}

/* A fetch is one more op that reads the tensor: _Retval. */
static SfStatus fetch_one(SfPlan *p, int i, SfSink *sink, SfTensor *out)
{
    SfSession *s = p->session;
    const int slot = p->fetch_slots[i];
    *out = p->slots[slot];
    if (p->has_flow && p->guard[slot] == SF_DEAD) {
        return report_dead(p, i, sink);
    }
    const SfNode *owner = p->fetch_refs[i] < 0 ? NULL : p->slots[p->fetch_refs[i]].state;
    SfState now = {0};
    if (!owner) {
        return SF_OK;
    }
    if (!sf_states_read(&s->states, owner, &now) || !now.initialized) {
        /* only of variables it is known whether they hold something */
        if (sf_node_role(owner) != SF_ROLE_VARIABLE) {
            return SF_OK;
        }
        const char *name =
            sf_arena_printf(&s->scratch, "_retval_%s_%d_%d", owner->name, (int)out->index, i);
        const SfDiagArg arg = SF_TEXT_ARG(owner->name);
        return name ? sf_run_report(s, owner, name, SF_DIAG_UNINITIALIZED, &arg, 1, NULL, sink)
                    : SF_NOMEM;
    }
    if (now.shape == out->shape) {
        out->value = now.value;
    }
    return SF_OK;
}

static SfStatus run_all(SfPlan *p, const SfFeed *feeds, SfSink *sink, SfTensor *results,
                        bool *uncacheable)
{
    SfRun r = {.plan = p,
               .session = p->session,
               .sink = sink,
               .loop_steps_left = LOOP_STEPS + LOOP_STEPS_PER_STEP * (int64_t)p->nsteps};
    SF_TRY(sf_feed_check(p, feeds, sink));
    load_feeds(p, feeds);
    const SfStatus status = sf_run_steps(&r, 0, p->nsteps);
    sf_free(r.follows);
    *uncacheable = r.uncacheable;
    SF_TRY(status);
    if (p->session->observer) {
        p->session->observer->inferred(p, sink);
    }
    for (int i = 0; i < p->nfetch; i++) {
        SF_TRY(fetch_one(p, i, sink, &results[i]));
    }
    return SF_OK;
}

/* A feed that is fetched comes back as it was given, even where inference ignores its content. */
static void return_feeds(const SfPlan *p, const SfFeed *feeds, SfTensor *results)
{
    for (int i = 0; i < p->nfetch; i++) {
        if (p->fetch_slots[i] < p->nfed) {
            results[i].value = feeds[p->fetch_slots[i]].value;
        }
    }
}

static SfStatus run_and_record(SfPlan *p, const SfFeed *feeds, SfSink *sink, SfTensor *results,
                               uint64_t *run_id)
{
    SfSession *s = p->session;
    bool uncacheable = false;
    sf_states_record(&s->states);
    const SfStatus status = run_all(p, feeds, sink, results, &uncacheable);
    sf_states_stop(&s->states);
    sf_arena_reset(&s->scratch);
    *run_id = ++s->next_run;
    if (status == SF_OK && !uncacheable && !s->states.nomem && !s->states.uncacheable) {
        sf_memo_store(p, feeds, results, *run_id);
    }
    return status;
}

static bool feeds_in_order(const SfPlan *p, const SfFeed *feeds, int nfeed)
{
    bool same = nfeed == p->nfed;
    for (int i = 0; same && i < nfeed; i++) {
        same = same_tensor(&feeds[i].target, &p->fed[i]);
    }
    return same;
}

static SfStatus run_plan(SfPlan *p, const SfFeed *feeds, SfSink *sink, SfTensor *results,
                         bool *memo_hit, uint64_t *run_id)
{
    SfSession *s = p->session;
    s->stats.runs++;
    if (p->edits != s->graph->edits) {
        SF_TRY(sf_plan_make(p, sink));
    }
    SF_TRY(sf_session_place(s, sink));
    if (!p->noted && !s->unnoted && s->observer) {
        p->noted = true;
        s->observer->first_run(p);
    }
    bool hit = false;
    *memo_hit = false;
    SF_TRY(sf_memo_replay(p, feeds, results, &hit, memo_hit, run_id));
    p->replayed = hit;
    if (hit) {
        s->stats.memo_hits++;
    } else {
        SF_TRY(run_and_record(p, feeds, sink, results, run_id));
    }
    if (p->nfed) {
        return_feeds(p, feeds, results);
    }
    if (p->nsources && sf_plan_return_supplies(p, results)) {
        *memo_hit = false; /* the contents may differ from those of the recorded run */
    }
    return SF_OK;
}

/* Runs with feeds in another order than the plan's. */
static SfStatus run_reordered(SfPlan *p, const SfFeed *feeds, int nfeed, SfSink *sink,
                              SfTensor *results, bool *memo_hit, uint64_t *run_id)
{
    SfSession *s = p->session;
    SfTensor *fed = sf_malloc((size_t)(nfeed + 1) * sizeof *fed);
    SF_TRY_ALLOC(fed);
    for (int i = 0; i < nfeed; i++) {
        fed[i] = feeds[i].target;
    }
    SfPlan *other = NULL;
    p->replayed = true;
    SfStatus status =
        sf_session_plan(s, p->fetches, p->nfetch, p->targets, p->ntarget, fed, nfeed, sink, &other);
    sf_free(fed);
    return status == SF_OK ? run_plan(other, feeds, sink, results, memo_hit, run_id) : status;
}

SfStatus sf_plan_run(SfPlan *p, const SfFeed *feeds, int nfeed, SfSink *sink, SfTensor *results,
                     bool *memo_hit, uint64_t *run_id)
{
    return feeds_in_order(p, feeds, nfeed)
               ? run_plan(p, feeds, sink, results, memo_hit, run_id)
               : run_reordered(p, feeds, nfeed, sink, results, memo_hit, run_id);
}

SfStatus sf_session_run(SfSession *s, const SfTensor *fetches, int nfetch, SfNode *const *targets,
                        int ntarget, const SfFeed *feeds, int nfeed, SfSink *sink,
                        SfTensor *results)
{
    Wanted w = {.fetches = fetches,
                .targets = targets,
                .feeds = feeds,
                .nfetch = nfetch,
                .ntarget = ntarget,
                .nfed = nfeed};
    SfPlan *p = NULL;
    SF_TRY(find_plan(s, &w, sink, &p));
    bool hit;
    uint64_t run_id;
    return run_plan(p, feeds, sink, results, &hit, &run_id);
}

void sf_plan_forget(SfPlan *p)
{
    sf_memo_clear(p);
}

/* state and statistics */

bool sf_session_state(const SfSession *s, const SfNode *owner, SfState *out)
{
    const SfStateEntry *e = sf_states_find(&s->states, owner);
    if (!e || !e->written) {
        return false;
    }
    *out = e->now;
    return true;
}

SfStatus sf_session_set_state(SfSession *s, const SfNode *owner, const SfState *state)
{
    return sf_states_write(&s->states, owner, state);
}

void sf_session_observe(SfSession *s, const SfSessionObserver *observer)
{
    s->observer = observer;
}

void sf_session_set_noted(SfSession *s, bool on)
{
    s->unnoted = !on;
}

SfSessionStats sf_session_stats(const SfSession *s)
{
    return s->stats;
}
