/* Execution order: topological, by id among what is ready, every while loop in one piece.
 * Invariant: back edges (NextIteration into Merge) do not count; any other cycle is SF304.
 * Creation order among ready nodes is our answer where TensorFlow leaves the order open: a read
 * that was written before a write of the same variable also runs before it.
 * Owner: all lists are scratch memory of the planning. Source: graph/validate.cc
 * (ValidateGraphHasNoCycle), graph/control_flow.cc (BuildControlFlowInfo). */
#include <stdio.h>
#include <string.h>

#include "core/graph/graph_impl.h"
#include "core/session/session_impl.h"
#include "core/base/index.h"
#include "core/base/strbuf.h"
#include "lattice/hash.h"

/* a graph of numbered units and Kahn's algorithm over it */

typedef struct Units {
    int n, nedges;
    int32_t *from, *to; /* edges */
    int32_t *first;     /* per unit: its first edge in `sorted`, n + 1 entries */
    int32_t *sorted;    /* targets of edges, by source */
    int32_t *pending;   /* edges into a unit that are not satisfied */
} Units;

static bool units_init(Units *u, SfArena *a, int n, int64_t max_edges)
{
    *u = (Units){.n = n};
    if (max_edges > INT32_MAX) {
        return false;
    }
    u->from = sf_arena_alloc(a, (size_t)max_edges * sizeof(int32_t));
    u->to = sf_arena_alloc(a, (size_t)max_edges * sizeof(int32_t));
    u->sorted = sf_arena_alloc(a, (size_t)max_edges * sizeof(int32_t));
    u->first = sf_arena_alloc(a, ((size_t)n + 2) * sizeof(int32_t));
    u->pending = sf_arena_alloc(a, (size_t)n * sizeof(int32_t));
    return u->from && u->to && u->sorted && u->first && u->pending;
}

static void units_edge(Units *u, int32_t from, int32_t to)
{
    u->from[u->nedges] = from;
    u->to[u->nedges++] = to;
    u->pending[to]++;
    u->first[from + 2]++;
}

static void units_sort(Units *u)
{
    for (int i = 2; i <= u->n + 1; i++) {
        u->first[i] += u->first[i - 1];
    }
    for (int i = 0; i < u->nedges; i++) {
        u->sorted[u->first[u->from[i] + 1]++] = u->to[i];
    }
}

/* A binary heap of unit numbers: the smallest is the oldest. */
static void heap_push(int32_t *heap, int *n, int32_t v)
{
    int i = (*n)++;
    for (; i > 0 && heap[(i - 1) / 2] > v; i = (i - 1) / 2) {
        heap[i] = heap[(i - 1) / 2];
    }
    heap[i] = v;
}

static int32_t heap_pop(int32_t *heap, int *n)
{
    const int32_t top = heap[0];
    const int32_t last = heap[--*n];
    int i = 0;
    for (int child = 1; child < *n; child = 2 * i + 1) {
        if (child + 1 < *n && heap[child + 1] < heap[child]) {
            child++;
        }
        if (heap[child] >= last) {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    if (*n) {
        heap[i] = last;
    }
    return top;
}

/* Some units in order, all when `some` is NULL: they have no edges to others, and units_sort has
 * run. `heap` has room for n. *ordered: how many of them could be ordered. */
static SfStatus units_order(Units *u, int32_t *heap, const int32_t *some, int n, int32_t *order,
                            int *ordered)
{
    int ready = 0;
    int done = 0;
    uint32_t polls = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t v = some ? some[i] : i;
        if (u->pending[v] == 0) {
            heap_push(heap, &ready, v);
        }
    }
    while (ready) {
        const int32_t v = heap_pop(heap, &ready);
        SF_TRY(sf_interrupt_step(&polls));
        order[done++] = v;
        for (int32_t e = u->first[v]; e < u->first[v + 1]; e++) {
            if (--u->pending[u->sorted[e]] == 0) {
                heap_push(heap, &ready, u->sorted[e]);
            }
        }
    }
    *ordered = done;
    return SF_OK;
}

/* edges of the pruned graph */

static int dep_count(const SfPrune *r, int32_t v)
{
    return r->nodes[v]->nin + r->nodes[v]->context->control.n;
}

/* The k-th dependency of v, as a local number; -1 when that edge does not count. */
static int32_t dep(const SfPrune *r, int32_t v, int k)
{
    const SfNode *n = r->nodes[v];
    const SfNode *d;
    if (k < n->nin) {
        d = sf_node_is_back_edge(n, k) ? NULL : sf_plan_data_dep(r->plan, n, k);
    } else {
        d = sf_plan_control_dep(r->plan, n, k - n->nin);
    }
    return d ? r->local[d->id] : -1;
}

static int64_t edge_total(const SfPrune *r)
{
    int64_t total = 0;
    for (int32_t v = 0; v < r->n; v++) {
        total += dep_count(r, v);
    }
    return total;
}

static SfStatus report_cycle(const SfPrune *r, const Units *u, int done, SfSink *sink)
{
    SfStrbuf w;
    sf_strbuf_init(&w, r->arena);
    const SfNode *first = NULL;
    for (int i = 0, named = 0; i < r->n && named < 3; i++) {
        if (u->pending[i] > 0) {
            sf_strbuf_printf(&w, "%s%s", named++ ? ", " : "", r->nodes[i]->name);
            first = first ? first : r->nodes[i];
        }
    }
    const char *names = sf_strbuf_end(&w);
    SF_TRY_ALLOC(names && first);
    const SfDiagArg args[] = {SF_INT_ARG(r->n - done), SF_TEXT_ARG(names)};
    return sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_CYCLE,
                                          .phase = SF_PHASE_RUN,
                                          SF_DIAG_OF(first),
                                          .nargs = 2,
                                          .args = args});
}

static SfStatus order_flat(SfPrune *r, SfSink *sink)
{
    Units u;
    int done;
    uint32_t polls = 0;
    int32_t *heap = sf_arena_alloc(r->arena, (size_t)r->n * sizeof *heap);
    if (!heap || !units_init(&u, r->arena, r->n, edge_total(r))) {
        return SF_NOMEM;
    }
    for (int32_t v = 0; v < r->n; v++) {
        SF_TRY(sf_interrupt_step(&polls));
        for (int k = 0; k < dep_count(r, v); k++) {
            const int32_t d = dep(r, v, k);
            if (d >= 0) {
                units_edge(&u, d, v);
            }
        }
    }
    units_sort(&u);
    SF_TRY(units_order(&u, heap, NULL, r->n, r->order, &done));
    return done == r->n ? SF_OK : report_cycle(r, &u, done, sink);
}

/* Does every edge lead to a later node, back edges of loops aside? */
static bool is_ascending(const SfPrune *r)
{
    for (int32_t v = 0; v < r->n; v++) {
        for (int k = 0; k < dep_count(r, v); k++) {
            if (dep(r, v, k) >= v) {
                return false;
            }
        }
    }
    return true;
}

SfStatus sf_graph_check_cycles(SfSession *s, SfSink *sink)
{
    SfGraph *g = s->graph;
    if (s->checked_edits == sf_graph_edits(g)) {
        return SF_OK;
    }
    SfPlan everything = {.session = s};
    SfPrune r = {.plan = &everything, .arena = &s->scratch, .nodes = g->nodes, .n = g->count};
    int32_t *local = sf_arena_alloc(r.arena, (size_t)r.n * sizeof *local);
    r.order = sf_arena_alloc(r.arena, (size_t)r.n * sizeof *r.order);
    SF_TRY_ALLOC(local && r.order);
    for (int32_t i = 0; i < r.n; i++) {
        local[i] = i;
    }
    r.local = local;
    const SfStatus status = is_ascending(&r) ? SF_OK : order_flat(&r, sink);
    sf_arena_reset(r.arena);
    if (status == SF_OK) {
        s->checked_edits = sf_graph_edits(g);
    }
    return status;
}

/* frames: which loop a node belongs to */

typedef struct Frame {
    int32_t parent, depth;
    const SfString *name;
    int32_t unit;          /* of the parent's; -1: not placed yet */
    int32_t first, nunits; /* its own, in `members` */
    int32_t next, loop;    /* while it is written: what comes next, and its number */
} Frame;

/* A unit is a node, or a whole loop for the frame around it. Units are numbered by their oldest
 * node, over all frames; every edge of the graph leads from one unit to another of one frame: of
 * the innermost that holds both its nodes. */
typedef struct Frames {
    SfPrune *prune;
    SfArena *arena;
    Frame *list; /* 0 is the root */
    int n;
    SfIndex index;  /* of the frames, by parent and name */
    int32_t *of;    /* per local: its frame; an Exit belongs to the loop that it leaves */
    int32_t *after; /* per local: the frame of its outputs */
    int32_t *unit;  /* per local */
    int32_t *item;  /* per unit: its local, or -1 - its frame */
    int32_t *in;    /* per unit: the frame that it is a unit of */
    int nunits;
    int32_t *members; /* units by frame */
    int32_t *seq;     /* the same in execution order */
    int32_t *order;   /* result */
    int norder;
    SfLoopFrame *loop_frames;
    int nloop_frames;
} Frames;

static SfStatus init_frames(Frames *f, int nenter)
{
    const size_t n = (size_t)f->prune->n, units = n + (size_t)nenter + 1;
    f->list = sf_arena_alloc(f->arena, ((size_t)nenter + 1) * sizeof *f->list);
    f->of = sf_arena_alloc(f->arena, n * sizeof *f->of);
    f->after = sf_arena_alloc(f->arena, n * sizeof *f->after);
    f->unit = sf_arena_alloc(f->arena, n * sizeof *f->unit);
    f->item = sf_arena_alloc(f->arena, units * sizeof *f->item);
    f->in = sf_arena_alloc(f->arena, units * sizeof *f->in);
    f->members = sf_arena_alloc(f->arena, units * sizeof *f->members);
    f->seq = sf_arena_alloc(f->arena, units * sizeof *f->seq);
    f->order = sf_arena_alloc(f->arena, n * sizeof *f->order);
    f->loop_frames =
        sf_arena_alloc(&f->prune->plan->arena, ((size_t)nenter + 1) * sizeof *f->loop_frames);
    if (!sf_index_reserve(&f->index, (uint32_t)nenter) || !f->list || !f->of || !f->after ||
        !f->unit || !f->item || !f->in || !f->members || !f->seq || !f->order || !f->loop_frames) {
        return SF_NOMEM;
    }
    f->list[0] = (Frame){.parent = -1, .unit = -1};
    f->n = 1;
    return SF_OK;
}

static bool is_enter(const SfNode *n)
{
    return sf_node_role(n) == SF_ROLE_ENTER;
}

static int count_enters(const SfPrune *r)
{
    int n = 0;
    for (int32_t v = 0; v < r->n; v++) {
        n += is_enter(r->nodes[v]);
    }
    return n;
}

/* init_frames has made room for a frame of each Enter. */
static int32_t child_frame(Frames *f, int32_t parent, const SfNode *enter)
{
    const SfAttr *a = sf_node_attr(enter, "frame_name");
    const SfString *name = a && a->type == SF_ATTR_STRING ? a->u.s : NULL;
    const uint32_t hash = sf_hash_fold(sf_hash_mix(sf_hash_pointer(0, name), (uint32_t)parent));
    uint32_t at = hash;
    for (int32_t id; (id = sf_index_next(&f->index, hash, &at)) >= 0;) {
        if (f->list[id].parent == parent && f->list[id].name == name) {
            return id;
        }
    }
    f->list[f->n] =
        (Frame){.parent = parent, .depth = f->list[parent].depth + 1, .name = name, .unit = -1};
    (void)sf_index_add(&f->index, hash, f->n);
    return f->n++;
}

/* In topological order every producer has its frame before its consumers. False: loops are nested
 * deeper than a run follows. */
static bool assign_frames(Frames *f)
{
    const SfPrune *r = f->prune;
    for (int i = 0; i < r->n; i++) {
        const int32_t v = r->order[i];
        int32_t frame = 0;
        for (int k = 0; k < dep_count(r, v); k++) {
            const int32_t d = dep(r, v, k);
            if (d >= 0 && f->list[f->after[d]].depth > f->list[frame].depth) {
                frame = f->after[d];
            }
        }
        if (is_enter(r->nodes[v])) {
            frame = child_frame(f, frame, r->nodes[v]);
            if (f->list[frame].depth > SF_LOOPS_DEEP) {
                return false;
            }
        }
        f->of[v] = frame;
        const bool leaves = frame && sf_node_role(r->nodes[v]) == SF_ROLE_EXIT;
        f->after[v] = leaves ? f->list[frame].parent : frame;
    }
    return true;
}

/* units */

static int32_t add_unit(Frames *f, int32_t frame, int32_t item)
{
    f->item[f->nunits] = item;
    f->in[f->nunits] = frame;
    f->list[frame].nunits++;
    return f->nunits++;
}

/* Numbers the units: a loop that was not met yet comes just before its oldest node. */
static void cut_units(Frames *f)
{
    int32_t around[SF_LOOPS_DEEP];
    for (int32_t v = 0; v < f->prune->n; v++) {
        int n = 0;
        for (int32_t k = f->of[v]; k > 0 && f->list[k].unit < 0; k = f->list[k].parent) {
            around[n++] = k;
        }
        while (n > 0) {
            Frame *k = &f->list[around[--n]];
            k->unit = add_unit(f, k->parent, -1 - around[n]);
        }
        f->unit[v] = add_unit(f, f->of[v], v);
    }
    for (int k = 1; k < f->n; k++) {
        f->list[k].first = f->list[k - 1].first + f->list[k - 1].nunits;
    }
    for (int32_t u = 0; u < f->nunits; u++) { /* write_order starts `next` again */
        Frame *k = &f->list[f->in[u]];
        f->members[k->first + k->next++] = u;
    }
}

/* The edge between two nodes, in the innermost frame that holds both. */
static void link_nodes(const Frames *f, Units *u, int32_t from, int32_t to)
{
    int32_t a = f->of[from], b = f->of[to];
    int32_t ua = f->unit[from], ub = f->unit[to];
    while (a != b) {
        if (f->list[a].depth > f->list[b].depth) {
            ua = f->list[a].unit;
            a = f->list[a].parent;
        } else {
            ub = f->list[b].unit;
            b = f->list[b].parent;
        }
    }
    if (ua != ub) {
        units_edge(u, ua, ub);
    }
}

static SfStatus link_units(const Frames *f, Units *u)
{
    const SfPrune *r = f->prune;
    if (!units_init(u, f->arena, f->nunits, edge_total(r))) {
        return SF_NOMEM;
    }
    uint32_t polls = 0;
    for (int32_t v = 0; v < r->n; v++) {
        SF_TRY(sf_interrupt_step(&polls));
        for (int k = 0; k < dep_count(r, v); k++) {
            const int32_t d = dep(r, v, k);
            if (d >= 0) {
                link_nodes(f, u, d, v);
            }
        }
    }
    units_sort(u);
    return SF_OK;
}

/* Orders the units of every frame. *ok turns false when loops of one name depend on each other:
 * which of them a node belongs to is then not known. */
static SfStatus order_units(Frames *f, bool *ok)
{
    Units u;
    int32_t *heap = sf_arena_alloc(f->arena, (size_t)f->nunits * sizeof *heap);
    SF_TRY_ALLOC(heap);
    SF_TRY(link_units(f, &u));
    uint32_t polls = 0;
    for (int k = 0; k < f->n && *ok; k++) {
        const Frame *frame = &f->list[k];
        int done;
        SF_TRY(sf_interrupt_step(&polls));
        SF_TRY(units_order(&u, heap, f->members + frame->first, frame->nunits,
                           f->seq + frame->first, &done));
        *ok = done == frame->nunits;
    }
    return SF_OK;
}

/* Writes out the frames, each inner loop where its unit stands. */
static void write_order(Frames *f)
{
    for (int k = 0; k < f->n; k++) {
        f->list[k].next = 0;
    }
    for (int32_t at = 0; at >= 0;) {
        Frame *frame = &f->list[at];
        if (frame->next == frame->nunits) {
            if (at > 0) {
                f->loop_frames[frame->loop].end = f->norder;
            }
            at = frame->parent;
            continue;
        }
        const int32_t item = f->item[f->seq[frame->first + frame->next++]];
        if (item >= 0) {
            f->order[f->norder++] = item;
            continue;
        }
        at = -1 - item;
        f->list[at].loop = f->nloop_frames;
        f->loop_frames[f->nloop_frames++] =
            (SfLoopFrame){.start = f->norder, .depth = f->list[at].depth};
    }
}

static SfStatus order_frames(Frames *f)
{
    const SfPrune *r = f->prune;
    SfPlan *p = r->plan;
    SF_TRY(init_frames(f, count_enters(r)));
    bool ok = assign_frames(f);
    if (ok) {
        cut_units(f);
        SF_TRY(order_units(f, &ok));
    }
    if (!ok) {
        p->flat_loops = true;
        return SF_OK;
    }
    write_order(f);
    memcpy(r->order, f->order, (size_t)r->n * sizeof *r->order);
    p->loop_frames = f->loop_frames;
    p->nloop_frames = f->nloop_frames;
    p->loop_frame_at = sf_arena_alloc(&p->arena, (size_t)r->n * sizeof *p->loop_frame_at);
    SF_TRY_ALLOC(p->loop_frame_at);
    memset(p->loop_frame_at, 0xff, (size_t)r->n * sizeof *p->loop_frame_at);
    /* of loops that start at one step the outermost comes last, and stays */
    for (int i = f->nloop_frames - 1; i >= 0; i--) {
        p->loop_frame_at[p->loop_frames[i].start] = i;
    }
    return SF_OK;
}

static SfStatus order_loops(SfPrune *r)
{
    Frames f = {.prune = r, .arena = r->arena};
    const SfStatus status = order_frames(&f);
    sf_index_free(&f.index);
    return status;
}

SfStatus sf_plan_order(SfPrune *r, SfSink *sink)
{
    if (!is_ascending(r)) {
        SF_TRY(order_flat(r, sink));
    }
    return r->has_loops ? order_loops(r) : SF_OK;
}
