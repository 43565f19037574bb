/* Runs that repeat an earlier one.
 * A record holds what a run depended on (fed shapes, content of small integer feeds, the form of
 * the state it touched) and what it did. The content of state is no part of the key: the steps that
 * depend on it (the state-dependent slice, say AssignAdd of global_step) are inferred again on
 * every repetition. When that changes a shape or a branch that was taken, what they wrote is undone
 * and the next record is tried, at last a full run.
 * Invariant: a record is found only if nothing but contents differs from the run it records.
 * Owner: the plan's memo arena, emptied at once when it holds RECORDS_MAX records.
 * Source: ours; the paper re-infers every batch. */
#include <string.h>

#include "core/base/novelty.h"
#include "core/session/session_impl.h"
#include "lattice/hash.h"

enum { RECORDS_MAX = 512, TRIES_MAX = 32 };

/* One action of a repetition: infer `step` again, or write `state` into `entry`. */
typedef struct SfAction {
    SfStep *step;      /* NULL: a write */
    SfTensor *in;      /* of this action; state-dependent inputs are refreshed by earlier actions */
    SfTensor **out_to; /* where each output goes: flat list, `nto` pairs (output, place) */
    int32_t *out_index;
    int32_t nto;
    SfTensor *was;       /* outputs in the recorded run: the form that they must keep */
    const SfValue *pred; /* Switch: the predicate of the recorded run, or NULL: undecided */
    int32_t forward;     /* what hands an input on: which one */
    SfStateEntry *entry;
    SfState state;
} SfAction;

struct SfMemo {
    SfMemo *next;
    uint64_t hash;
    const SfShape **shapes;        /* per feed */
    const SfValue **values;        /* per feed whose content counts */
    const SfShape **supply_shapes; /* per output of a source; NULL: it was not supplied */
    const SfValue **supply_values;
    bool *source_used;
    uint64_t epoch; /* epoch of the session's state when the record last applied */
    bool stable;    /* the run left shapes and initialisation of all state as it found them */
    int nresults, nactions, ntouch;
    SfTensor *results;
    bool *result_state_dependent;
    SfStateEntry **result_entry; /* whose content the result shows, or NULL */
    uint64_t run_id;
    SfAction *actions;
    SfStateTouch *touches;
    SfState *saved; /* of each touched entry, while actions run */
};

void sf_memo_clear(SfPlan *p)
{
    sf_arena_free(&p->memo_arena);
    memset(p->memos, 0, sizeof p->memos);
    p->last_memo = NULL;
    p->nmemos = 0;
}

/* lookup */

static uint64_t hash_feeds(const SfPlan *p, const SfFeed *feeds)
{
    uint64_t h = 0;
    for (int i = 0; i < p->nfed; i++) {
        h = sf_hash_pointer(h, feeds[i].shape);
        if (p->feed_value[i]) {
            h = sf_hash_pointer(h, feeds[i].value);
        }
    }
    for (int i = 0; i < p->nsupply; i++) {
        h = sf_hash_pointer(h, p->supply[i].shape);
        h = sf_hash_pointer(h, p->supply[i].value);
    }
    return h;
}

static bool same_feeds(const SfPlan *p, const SfMemo *m, const SfFeed *feeds)
{
    for (int i = 0; i < p->nfed; i++) {
        if (feeds[i].shape != m->shapes[i] ||
            (p->feed_value[i] && feeds[i].value != m->values[i])) {
            return false;
        }
    }
    for (int i = 0; i < p->nsupply; i++) {
        if (p->supply[i].shape != m->supply_shapes[i] ||
            p->supply[i].value != m->supply_values[i]) {
            return false;
        }
    }
    return true;
}

static bool same_state(const SfPlan *p, const SfMemo *m)
{
    if (m->epoch == p->session->states.shape_epoch) {
        return true;
    }
    for (int i = 0; i < m->ntouch; i++) {
        const SfStateTouch *t = &m->touches[i];
        if (t->entry->written != t->was_written ||
            (t->was_written && !sf_state_same_form(&t->entry->now, &t->before))) {
            return false;
        }
    }
    return true;
}

static bool applies(const SfPlan *p, const SfMemo *m, const SfFeed *feeds)
{
    return same_feeds(p, m, feeds) && same_state(p, m);
}

/* repetition */

static bool same_form(const SfTensor *a, const SfTensor *b)
{
    return a->shape == b->shape && a->state == b->state && !a->value == !b->value;
}

/* Infers a state-dependent step again; false when it does not keep the form it had. */
static SfStatus repeat_step(SfPlan *p, const SfAction *a, SfSink *muted, bool *kept)
{
    SfSession *s = p->session;
    SfNode *n = a->step->node;
    SfTensor *outs = p->replay_outs;
    if (n->nin) {
        memcpy(p->inputs, a->in, (size_t)n->nin * sizeof *p->inputs);
    }
    if (n->nout) {
        memcpy(outs, a->was, (size_t)n->nout * sizeof *outs);
    }
    SfStatus status = SF_OK;
    if (a->step->kind == SF_STEP_PLAIN || a->step->kind == SF_STEP_SOURCE) {
        if (a->step->flags & SF_STEP_HANDLES) {
            status = sf_run_handles(s, n, a->step->flags, p->inputs, false, muted);
        }
        if (status == SF_OK) {
            status = sf_run_infer(s, n, p->inputs, outs, muted);
        }
        if (status == SF_OK && a->step->flags & SF_STEP_REFS_OUT) {
            sf_run_refresh_refs(s, n, outs);
        }
        sf_run_drop_floats(n, outs);
    } else { /* an op that hands one input on */
        const SfTensor *from = &p->inputs[a->forward];
        for (int i = 0; i < n->nout && n->nin; i++) {
            if (a->step->kind != SF_STEP_MERGE || i == 0) {
                outs[i].shape = from->shape;
                outs[i].value = from->value;
                outs[i].state = from->state;
            }
        }
        *kept = a->step->kind != SF_STEP_SWITCH || p->inputs[1].value == a->pred;
    }
    for (int i = 0; i < n->nout && status == SF_OK && *kept; i++) {
        *kept = same_form(&outs[i], &a->was[i]);
    }
    for (int i = 0; i < a->nto; i++) {
        *a->out_to[i] = outs[a->out_index[i]];
    }
    return status;
}

static SfStatus repeat(SfPlan *p, SfMemo *m, bool *kept)
{
    SfSink muted = {.muted = 1};
    for (int i = 0; i < m->nactions && *kept; i++) {
        const SfAction *a = &m->actions[i];
        SfStatus status;
        if (a->step) {
            status = repeat_step(p, a, &muted, kept);
        } else {
            status = sf_states_set(&p->session->states, a->entry, &a->state);
        }
        if (status == SF_REPORTED) {
            *kept = false; /* the full run reports it */
        } else if (status != SF_OK) {
            return status;
        }
    }
    return SF_OK;
}

static void save_state(SfMemo *m)
{
    for (int i = 0; i < m->ntouch; i++) {
        m->saved[i] = m->touches[i].entry->now;
    }
}

static void restore_state(SfMemo *m)
{
    for (int i = 0; i < m->ntouch; i++) {
        m->touches[i].entry->now = m->saved[i];
        m->touches[i].entry->written = m->touches[i].was_written;
    }
}

/* The state-dependent slice and the writes. Contents of results may change; *same tells that none
 * did. */
static SfStatus apply(SfPlan *p, SfMemo *m, bool *kept, bool *same)
{
    SfTensor before[8];
    const bool few = m->nresults <= SF_ARRAY_LEN(before);
    if (few && m->nresults) {
        memcpy(before, m->results, (size_t)m->nresults * sizeof *before);
    }
    save_state(m);
    SF_TRY(repeat(p, m, kept));
    if (!*kept) {
        restore_state(m);
        return SF_OK;
    }
    *same = true;
    for (int i = 0; i < m->nresults; i++) {
        const SfStateEntry *e = m->result_entry[i];
        if (e && e->now.shape == m->results[i].shape) {
            m->results[i].value = e->now.value;
        }
        const bool kept_value = few && m->results[i].value == before[i].value;
        *same = *same && ((!e && !m->result_state_dependent[i]) || kept_value);
    }
    if (!*same) {
        m->run_id = ++p->session->next_run;
    }
    return SF_OK;
}

static SfStatus try_record(SfPlan *p, SfMemo *m, SfTensor *results, bool *hit, bool *same,
                           uint64_t *run_id)
{
    bool kept = true;
    *same = true;
    if (m->nactions) {
        SF_TRY(apply(p, m, &kept, same));
    }
    if (!kept) {
        *same = false;
        return SF_OK;
    }
    for (int i = 0; i < m->nresults; i++) {
        results[i] = m->results[i];
    }
    for (int i = 0; i < p->nsources; i++) {
        p->sources[i].used = m->source_used[i];
    }
    m->epoch = m->stable ? p->session->states.shape_epoch : m->epoch;
    p->last_memo = m;
    *run_id = m->run_id;
    *hit = true;
    return SF_OK;
}

SfStatus sf_memo_replay(SfPlan *p, const SfFeed *feeds, SfTensor *results, bool *hit, bool *same,
                        uint64_t *run_id)
{
    SfMemo *last = p->last_memo;
    if (!last) {
        return SF_OK;
    }
    if (applies(p, last, feeds)) {
        SF_TRY(try_record(p, last, results, hit, same, run_id));
        if (*hit) {
            return SF_OK;
        }
    }
    const uint64_t hash = hash_feeds(p, feeds);
    SfMemo **bucket = &p->memos[hash % SF_MEMO_BUCKETS];
    int tries = 0;
    for (SfMemo **at = bucket; *at && tries < TRIES_MAX; at = &(*at)->next) {
        SfMemo *m = *at;
        if (m == last || m->hash != hash || !applies(p, m, feeds)) {
            continue;
        }
        SF_TRY(try_record(p, m, results, hit, same, run_id));
        tries++;
        if (*hit) { /* newest records first */
            *at = m->next;
            m->next = *bucket;
            *bucket = m;
            break;
        }
    }
    return SF_OK;
}

/* recording */

typedef struct Recorder {
    SfPlan *p;
    SfMemo *m;
    SfArena *a;
    /* Places that want an output slot: a list per slot of a state-dependent step. */
    struct Place {
        SfTensor *to;
        int32_t slot;
        struct Place *next;
    } * *places;
    bool nomem;
} Recorder;

static void want_place(Recorder *c, int32_t slot, SfTensor *to)
{
    if (!c->p->state_dependent_slot[slot] || slot < c->p->nfed) {
        return;
    }
    struct Place *place = sf_arena_alloc(&c->p->session->scratch, sizeof *place);
    if (!place) {
        c->nomem = true;
        return;
    }
    *place = (struct Place){to, slot, c->places[slot]};
    c->places[slot] = place;
}

/* Actions in order: a state-dependent step keeps its number, a write the number of its step. */
static void add_step(Recorder *c, int step)
{
    SfPlan *p = c->p;
    SfStep *st = &p->steps[step];
    SfAction *a = &c->m->actions[c->m->nactions++];
    a->step = st;
    a->in = sf_arena_alloc(c->a, (size_t)st->node->nin * sizeof *a->in);
    a->was = sf_arena_alloc(c->a, (size_t)st->node->nout * sizeof *a->was);
    if (!a->in || !a->was) {
        c->nomem = true;
        return;
    }
    for (int k = 0; k < st->node->nin; k++) {
        a->in[k] = p->slots[st->in[k]];
        want_place(c, st->in[k], &a->in[k]);
    }
    for (int k = 0; k < st->node->nout; k++) {
        a->was[k] = p->slots[st->out + k];
    }
    if (st->kind == SF_STEP_SWITCH && st->node->nin > 1) {
        a->pred = p->slots[st->in[1]].value;
    } else if (st->kind == SF_STEP_MERGE) {
        while (a->forward + 1 < st->node->nin && p->guard[st->in[a->forward]] == SF_DEAD) {
            a->forward++; /* the input that was not dead */
        }
    }
}

static void connect(Recorder *c, SfAction *a)
{
    const SfStep *st = a->step;
    int n = 0;
    for (int k = 0; k < st->node->nout; k++) {
        for (struct Place *q = c->places[st->out + k]; q; q = q->next) {
            n++;
        }
    }
    a->out_to = sf_arena_alloc(c->a, (size_t)n * sizeof(SfTensor *));
    a->out_index = sf_arena_alloc(c->a, (size_t)n * sizeof *a->out_index);
    if (!a->out_to || !a->out_index) {
        c->nomem = true;
        return;
    }
    for (int k = 0; k < st->node->nout; k++) {
        for (struct Place *q = c->places[st->out + k]; q; q = q->next) {
            a->out_to[a->nto] = q->to;
            a->out_index[a->nto++] = k;
        }
    }
}

static bool is_valued(const SfStateTable *t, const SfStateEntry *e)
{
    return e->mark == t->mark && t->touches[e->touch].valued;
}

static void add_actions(Recorder *c)
{
    const SfPlan *p = c->p;
    const SfStateTable *t = &p->session->states;
    int step = 0;
    for (int w = 0; w <= t->nwrite; w++) {
        const int until = w < t->nwrite ? t->writes[w].step : p->nsteps;
        for (; step < until && !c->nomem; step++) {
            if (p->state_dependent_step[step]) {
                add_step(c, step);
            }
        }
        if (w == t->nwrite || p->state_dependent_step[t->writes[w].step]) {
            continue;
        }
        /* A write without content that leaves the form as it is changes nothing. */
        if (!c->m->stable || is_valued(t, t->writes[w].entry)) {
            SfAction *a = &c->m->actions[c->m->nactions++];
            a->entry = t->writes[w].entry;
            a->state = t->writes[w].state;
        }
    }
}

static int count_state_dependent(const SfPlan *p)
{
    int n = 0;
    for (int i = 0; i < p->nsteps; i++) {
        n += p->state_dependent_step[i];
    }
    return n;
}

static bool note_supplies(Recorder *c)
{
    const SfPlan *p = c->p;
    SfMemo *m = c->m;
    m->supply_shapes = sf_arena_alloc(c->a, (size_t)p->nsupply * sizeof(const SfShape *));
    m->supply_values = sf_arena_alloc(c->a, (size_t)p->nsupply * sizeof(const SfValue *));
    m->source_used = sf_arena_alloc(c->a, (size_t)p->nsources * sizeof *m->source_used);
    if (!m->supply_shapes || !m->supply_values || !m->source_used) {
        return false;
    }
    for (int i = 0; i < p->nsupply; i++) {
        m->supply_shapes[i] = p->supply[i].shape;
        m->supply_values[i] = p->supply[i].value;
    }
    for (int i = 0; i < p->nsources; i++) {
        m->source_used[i] = p->sources[i].used;
    }
    return true;
}

static bool alloc_record(Recorder *c, const SfFeed *feeds, const SfTensor *results)
{
    SfPlan *p = c->p;
    SfMemo *m = c->m;
    const SfStateTable *t = &p->session->states;
    const size_t nfed = (size_t)p->nfed;
    const size_t nfetch = (size_t)p->nfetch;
    const size_t nactions = (size_t)count_state_dependent(p) + (size_t)t->nwrite;
    m->shapes = sf_arena_alloc(c->a, nfed * sizeof(const SfShape *));
    m->values = sf_arena_alloc(c->a, nfed * sizeof(const SfValue *));
    m->results = sf_arena_copy(c->a, results, nfetch * sizeof *m->results);
    m->result_state_dependent = sf_arena_alloc(c->a, nfetch * sizeof *m->result_state_dependent);
    m->result_entry = sf_arena_alloc(c->a, nfetch * sizeof(SfStateEntry *));
    m->touches = sf_arena_copy(c->a, t->touches, (size_t)t->ntouch * sizeof *m->touches);
    m->saved = sf_arena_alloc(c->a, (size_t)t->ntouch * sizeof *m->saved);
    m->actions = sf_arena_alloc(c->a, nactions * sizeof *m->actions);
    c->places = sf_arena_alloc(&p->session->scratch, (size_t)p->nslots * sizeof(struct Place *));
    if (!m->shapes || !m->values || !m->results || !m->result_state_dependent || !m->result_entry ||
        !m->touches || !m->saved || !m->actions || !c->places) {
        return false;
    }
    for (int i = 0; i < p->nfed; i++) {
        m->shapes[i] = feeds[i].shape;
        m->values[i] = feeds[i].value;
    }
    m->ntouch = t->ntouch;
    m->nresults = p->nfetch;
    return !p->nsources || note_supplies(c);
}

/* Did the run leave shapes and initialisation of all state as it found them? TensorArrays do not
 * count: the next run makes them anew. */
static bool is_stable(const SfStateTable *t)
{
    for (int i = 0; i < t->ntouch; i++) {
        const SfStateTouch *touch = &t->touches[i];
        if (touch->was_written != touch->entry->written ||
            !sf_state_same_form(&touch->before, &touch->entry->now)) {
            return false;
        }
    }
    return true;
}

/* A run whose shapes and results SF_NOVEL_CONTENTS records have differs from them in contents. */
static void count_novelty(const SfPlan *p, const SfFeed *feeds, const SfTensor *results)
{
    int same = 0;
    for (int b = 0; b < SF_MEMO_BUCKETS; b++) {
        for (const SfMemo *m = p->memos[b]; m; m = m->next) {
            bool equal = true;
            for (int i = 0; equal && i < p->nfed; i++) {
                equal = feeds[i].shape == m->shapes[i];
            }
            for (int i = 0; equal && i < p->nsupply; i++) {
                equal = p->supply[i].shape == m->supply_shapes[i];
            }
            for (int i = 0; equal && i < p->nfetch; i++) {
                equal = results[i].shape == m->results[i].shape;
            }
            same += equal;
        }
    }
    if (same < SF_NOVEL_CONTENTS) {
        sf_novelty_count();
    }
}

void sf_memo_store(SfPlan *p, const SfFeed *feeds, const SfTensor *results, uint64_t run_id)
{
    count_novelty(p, feeds, results);
    if (p->nmemos >= RECORDS_MAX) {
        sf_memo_clear(p);
    }
    Recorder c = {.p = p, .a = &p->memo_arena};
    const SfStateTable *t = &p->session->states;
    c.m = sf_arena_alloc(c.a, sizeof *c.m);
    if (!c.m || !alloc_record(&c, feeds, results)) {
        return; /* without a record the next run is only slower */
    }
    SfMemo *m = c.m;
    m->hash = hash_feeds(p, feeds);
    m->run_id = run_id;
    m->stable = is_stable(t);
    m->epoch = m->stable ? t->shape_epoch : 0;
    add_actions(&c);
    for (int i = 0; i < m->nresults; i++) {
        m->result_state_dependent[i] = p->state_dependent_slot[p->fetch_slots[i]];
        want_place(&c, p->fetch_slots[i], &m->results[i]);
        const SfNode *owner = p->fetch_refs[i] < 0 ? NULL : p->slots[p->fetch_refs[i]].state;
        if (owner) {
            m->result_entry[i] = sf_states_entry(&p->session->states, owner);
            c.nomem = c.nomem || !m->result_entry[i];
        }
    }
    for (int i = 0; i < m->nactions && !c.nomem; i++) {
        if (m->actions[i].step) {
            connect(&c, &m->actions[i]);
        }
    }
    sf_arena_reset(&p->session->scratch);
    if (c.nomem) {
        return;
    }
    m->next = p->memos[m->hash % SF_MEMO_BUCKETS];
    p->memos[m->hash % SF_MEMO_BUCKETS] = m;
    p->last_memo = m;
    p->nmemos++;
}
