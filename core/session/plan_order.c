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
#include "core/base/strbuf.h"

/* a graph of numbered units and Kahn's algorithm over it
 * */

typedef struct Units {
    int n, nedges;
    int32_t *from, *to; /* edges */
    int32_t *first;     /* per unit: its first edge in `sorted`, n + 1 entries */
    int32_t *sorted;    /* targets of edges, by source */
    int32_t *pending;   /* edges into a unit that are not satisfied */
} Units;

static bool units_init(Units *u, SfArena *a, int n, int max_edges)
{
    *u = (Units){.n = n};
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

/* Units in order; the number of those that could be ordered, -1 without memory. */
static int units_order(Units *u, SfArena *a, int32_t *order)
{
    int32_t *heap = sf_arena_alloc(a, (size_t)u->n * sizeof *heap);
    if (!heap) {
        return -1;
    }
    units_sort(u);
    int ready = 0;
    int done = 0;
    for (int32_t i = 0; i < u->n; i++) {
        if (u->pending[i] == 0) {
            heap_push(heap, &ready, i);
        }
    }
    while (ready) {
        const int32_t v = heap_pop(heap, &ready);
        order[done++] = v;
        for (int32_t e = u->first[v]; e < u->first[v + 1]; e++) {
            if (--u->pending[u->sorted[e]] == 0) {
                heap_push(heap, &ready, u->sorted[e]);
            }
        }
    }
    return done;
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

static int edge_total(const SfPrune *r)
{
    int total = 0;
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
    if (!names || !first) {
        return SF_NOMEM;
    }
    const SfDiagArg args[] = {SF_INT_ARG(r->n - done), SF_TEXT_ARG(names)};
    return sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_CYCLE,
                                          .phase = SF_PHASE_RUN,
                                          .op_type = first->sig->def->name,
                                          .node_name = first->name,
                                          .node = first,
                                          .location = first->location,
                                          .nargs = 2,
                                          .args = args});
}

static SfStatus order_flat(SfPrune *r, SfSink *sink)
{
    Units u;
    if (!units_init(&u, r->arena, r->n, edge_total(r))) {
        return SF_NOMEM;
    }
    for (int32_t v = 0; v < r->n; v++) {
        for (int k = 0; k < dep_count(r, v); k++) {
            const int32_t d = dep(r, v, k);
            if (d >= 0) {
                units_edge(&u, d, v);
            }
        }
    }
    const int done = units_order(&u, r->arena, r->order);
    if (done < 0) {
        return SF_NOMEM;
    }
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
    if (!local || !r.order) {
        return SF_NOMEM;
    }
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

/* frames: which loop a node belongs to
 * */

typedef struct Frame {
    int32_t parent, depth;
    const char *name;
} Frame;

typedef struct Frames {
    SfPrune *prune;
    SfArena *arena;
    Frame *list; /* 0 is the root */
    int n;
    int32_t *of;    /* per local: its frame; an Exit belongs to the loop that it leaves */
    int32_t *after; /* per local: the frame of its outputs */
    int32_t *unit;  /* per local: its unit while one frame is ordered */
    int32_t *first; /* per frame: its nodes, inner loops included, in `members` */
    int32_t *members;
    int32_t *order; /* result */
    int norder;
    SfLoopFrame *loop_frames;
    int nloop_frames;
} Frames;

static int32_t child_frame(Frames *f, int32_t parent, const SfNode *enter)
{
    const SfAttr *a = sf_node_attr(enter, "frame_name");
    const char *name = a && a->type == SF_ATTR_STRING && a->u.s ? a->u.s->bytes : "";
    for (int i = 1; i < f->n; i++) {
        if (f->list[i].parent == parent && strcmp(f->list[i].name, name) == 0) {
            return i;
        }
    }
    f->list[f->n] = (Frame){parent, f->list[parent].depth + 1, name};
    return f->n++;
}

/* In topological order every producer has its frame before its consumers. */
static SfStatus assign_frames(Frames *f)
{
    const SfPrune *r = f->prune;
    const size_t n = (size_t)r->n;
    f->of = sf_arena_alloc(f->arena, n * sizeof *f->of);
    f->after = sf_arena_alloc(f->arena, n * sizeof *f->after);
    f->unit = sf_arena_alloc(f->arena, n * sizeof *f->unit);
    f->order = sf_arena_alloc(f->arena, n * sizeof *f->order);
    f->list = sf_arena_alloc(f->arena, (n + 1) * sizeof *f->list);
    f->loop_frames = sf_arena_alloc(&r->plan->arena, (n + 1) * sizeof *f->loop_frames);
    if (!f->of || !f->after || !f->unit || !f->order || !f->list || !f->loop_frames) {
        return SF_NOMEM;
    }
    f->list[0] = (Frame){-1, 0, ""};
    f->n = 1;
    for (int i = 0; i < r->n; i++) {
        const int32_t v = r->order[i];
        int32_t frame = 0;
        for (int k = 0; k < dep_count(r, v); k++) {
            const int32_t d = dep(r, v, k);
            if (d >= 0 && f->list[f->after[d]].depth > f->list[frame].depth) {
                frame = f->after[d];
            }
        }
        if (sf_node_role(r->nodes[v]) == SF_ROLE_ENTER) {
            frame = child_frame(f, frame, r->nodes[v]);
        }
        f->of[v] = frame;
        const bool leaves = frame && sf_node_role(r->nodes[v]) == SF_ROLE_EXIT;
        f->after[v] = leaves ? f->list[frame].parent : frame;
    }
    return SF_OK;
}

/* The frame directly below `top` on the way to `frame`; `top` itself; -1 when not inside. */
static int32_t step_below(const Frames *f, int32_t frame, int32_t top)
{
    if (frame == top) {
        return top;
    }
    while (frame >= 0 && f->list[frame].parent != top) {
        frame = f->list[frame].parent;
    }
    return frame;
}

/* Lists every node under its frame and the frames around it. */
static SfStatus list_members(Frames *f)
{
    const int n = f->prune->n;
    int total = 0;
    for (int32_t v = 0; v < n; v++) {
        total += f->list[f->of[v]].depth + 1;
    }
    f->first = sf_arena_alloc(f->arena, ((size_t)f->n + 2) * sizeof *f->first);
    f->members = sf_arena_alloc(f->arena, (size_t)total * sizeof *f->members);
    if (!f->first || !f->members) {
        return SF_NOMEM;
    }
    for (int32_t v = 0; v < n; v++) {
        for (int32_t k = f->of[v]; k >= 0; k = f->list[k].parent) {
            f->first[k + 2]++;
        }
    }
    for (int k = 2; k <= f->n + 1; k++) {
        f->first[k] += f->first[k - 1];
    }
    for (int32_t v = 0; v < n; v++) {
        for (int32_t k = f->of[v]; k >= 0; k = f->list[k].parent) {
            f->members[f->first[k + 1]++] = v;
        }
    }
    return SF_OK;
}

/* Cuts a frame into units: its own nodes, and each inner loop as one. */
static int cut_units(Frames *f, int32_t frame, int32_t *node_of, int32_t *unit_of_frame)
{
    int nunits = 0;
    for (int32_t m = f->first[frame]; m < f->first[frame + 1]; m++) {
        const int32_t v = f->members[m];
        const int32_t below = step_below(f, f->of[v], frame);
        if (below == frame) {
            f->unit[v] = nunits;
            node_of[nunits++] = v;
            continue;
        }
        if (!unit_of_frame[below]) {
            node_of[nunits++] = -1 - below;
            unit_of_frame[below] = nunits; /* unit + 1 */
        }
        f->unit[v] = unit_of_frame[below] - 1;
    }
    return nunits;
}

static SfStatus link_units(const Frames *f, int32_t frame, int nunits, Units *u)
{
    const SfPrune *r = f->prune;
    int edges = 0;
    for (int32_t m = f->first[frame]; m < f->first[frame + 1]; m++) {
        edges += dep_count(r, f->members[m]);
    }
    if (!units_init(u, f->arena, nunits, edges)) {
        return SF_NOMEM;
    }
    for (int32_t m = f->first[frame]; m < f->first[frame + 1]; m++) {
        const int32_t v = f->members[m];
        for (int k = 0; k < dep_count(r, v); k++) {
            const int32_t d = dep(r, v, k);
            if (d >= 0 && step_below(f, f->of[d], frame) >= 0 && f->unit[d] != f->unit[v]) {
                units_edge(u, f->unit[d], f->unit[v]);
            }
        }
    }
    return SF_OK;
}

/* Orders the nodes inside one frame, its inner loops as single units. *ok turns false when loops
 * of one name depend on each other, so that they cannot be told apart. */
static SfStatus order_frame(Frames *f, int32_t frame, bool *ok)
{
    const size_t n = (size_t)(f->first[frame + 1] - f->first[frame]);
    int32_t *node_of = sf_arena_alloc(f->arena, n * sizeof *node_of);
    int32_t *seq = sf_arena_alloc(f->arena, n * sizeof *seq);
    int32_t *unit_of_frame = sf_arena_alloc(f->arena, (size_t)f->n * sizeof *unit_of_frame);
    if (!node_of || !seq || !unit_of_frame) {
        return SF_NOMEM;
    }
    const int nunits = cut_units(f, frame, node_of, unit_of_frame);
    Units u;
    SF_TRY(link_units(f, frame, nunits, &u));
    const int done = units_order(&u, f->arena, seq);
    if (done < 0) {
        return SF_NOMEM;
    }
    *ok = *ok && done == nunits;
    for (int i = 0; i < done && *ok; i++) {
        const int32_t v = node_of[seq[i]];
        if (v >= 0) {
            f->order[f->norder++] = v;
            continue;
        }
        const int32_t inner = -1 - v;
        SfLoopFrame *loop_frame = &f->loop_frames[f->nloop_frames++];
        loop_frame->start = f->norder;
        loop_frame->depth = f->list[inner].depth;
        SF_TRY(order_frame(f, inner, ok));
        loop_frame->end = f->norder;
    }
    return SF_OK;
}

static SfStatus order_loops(SfPrune *r)
{
    SfPlan *p = r->plan;
    Frames f = {.prune = r, .arena = r->arena};
    SF_TRY(assign_frames(&f));
    SF_TRY(list_members(&f));
    bool ok = true;
    SF_TRY(order_frame(&f, 0, &ok));
    if (!ok) {
        p->flat_loops = true;
        return SF_OK;
    }
    memcpy(r->order, f.order, (size_t)r->n * sizeof *r->order);
    p->loop_frames = f.loop_frames;
    p->nloop_frames = f.nloop_frames;
    p->loop_frame_at = sf_arena_alloc(&p->arena, (size_t)r->n * sizeof *p->loop_frame_at);
    if (!p->loop_frame_at) {
        return SF_NOMEM;
    }
    memset(p->loop_frame_at, 0xff, (size_t)r->n * sizeof *p->loop_frame_at);
    for (int i = f.nloop_frames - 1; i >= 0; i--) { /* the outermost of several is written last */
        p->loop_frame_at[p->loop_frames[i].start] = i;
    }
    return SF_OK;
}

SfStatus sf_plan_order(SfPrune *r, SfSink *sink)
{
    if (!is_ascending(r)) {
        SF_TRY(order_flat(r, sink));
    }
    return r->has_loops ? order_loops(r) : SF_OK;
}
