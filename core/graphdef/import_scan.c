/* Scans the NodeDefs of a graph or of a function: names, ops, edges and an order to build them in.
 * Invariant: time and memory are linear in the bytes; nothing is built here.
 * Source: node_def.proto; graph_constructor.cc, tensor_id.cc (ParseTensorName). */
#include <stdarg.h>
#include <stdio.h>

#include "core/base/interrupt.h"
#include "core/graphdef/import_impl.h"
#include "core/graph/graph_impl.h"
#include "lattice/hash.h"
#include "lattice/intern.h"

enum {
    G_NODE = 1, /* GraphDef.node */
    F_NODE = 3, /* FunctionDef.node_def */
    N_NAME = 1,
    N_OP = 2,
    N_INPUT = 3,
    NAME_MAX = 32 * 1024,
    PORT_MAX = 1 << 20
};

SfStatus sf_import_fail(SfImport *im, const char *fmt, ...)
{
    char text[512];
    va_list list;
    va_start(list, fmt);
    (void)vsnprintf(text, sizeof text, fmt, list);
    va_end(list);
    if (!im->error) {
        im->error = sf_arena_strdup(&im->arena, text);
    }
    return im->error ? SF_REPORTED : SF_NOMEM;
}

/* op types */
uint32_t sf_span_hash(SfSpan s)
{
    return sf_hash_fold(sf_hash_text(s.p, s.n, 0));
}

static SfDefOp *new_op(SfImport *im, SfSpan name)
{
    SfDefOp *op = sf_arena_alloc(&im->arena, sizeof *op);
    const char *text = sf_arena_strndup(&im->arena, name.p, name.n);
    if (!op || !text) {
        return NULL;
    }
    *op = (SfDefOp){.name = {text, name.n}};
    op->sig = strlen(text) == name.n ? sf_op_find(text) : NULL;
    if (op->sig) {
        op->role = op->sig->def->role;
    } else {
        op->function = sf_import_function(im, name);
        op->kind = op->function ? SF_DEF_FUNCTION : SF_DEF_UNKNOWN;
    }
    return op;
}

static SfDefOp *add_op(SfImport *im, SfSpan name, uint32_t hash)
{
    if (im->nops == im->ops_room) {
        const int32_t room = im->ops_room ? im->ops_room * 2 : 64;
        SfDefOp **ops = sf_realloc(im->ops, (size_t)room * sizeof(SfDefOp *));
        if (!ops) {
            return NULL;
        }
        im->ops = ops;
        im->ops_room = room;
    }
    SfDefOp *op = new_op(im, name);
    if (!op || !sf_index_add(&im->ops_by_name, hash, im->nops)) {
        return NULL;
    }
    return im->ops[im->nops++] = op;
}

SfDefOp *sf_import_op(SfImport *im, SfSpan name)
{
    const uint32_t hash = sf_span_hash(name);
    uint32_t at = hash;
    for (int32_t i; (i = sf_index_next(&im->ops_by_name, hash, &at)) >= 0;) {
        if (sf_span_equal(im->ops[i]->name, name)) {
            return im->ops[i];
        }
    }
    return add_op(im, name, hash);
}

/* names */
static int32_t find_hashed(const SfProgram *p, SfSpan name, uint32_t hash)
{
    uint32_t at = hash;
    for (int32_t i; (i = sf_index_next(&p->by_name, hash, &at)) >= 0;) {
        if (sf_span_equal(p->nodes[i].name, name)) {
            return i;
        }
    }
    return -1;
}

int32_t sf_program_find(const SfProgram *p, SfSpan name)
{
    return find_hashed(p, name, sf_span_hash(name));
}

static SfStatus index_names(SfImport *im, SfProgram *p)
{
    for (int32_t k = 0; k < p->n; k++) {
        const uint32_t hash = sf_span_hash(p->nodes[k].name);
        SF_TRY(sf_interrupt_step(&im->polls));
        if (find_hashed(p, p->nodes[k].name, hash) >= 0) {
            p->duplicate = p->duplicate < 0 ? k : p->duplicate;
        } else if (!sf_index_add(&p->by_name, hash, k)) {
            return SF_NOMEM;
        }
    }
    return SF_OK;
}

/* one NodeDef */
static SfStatus add_ref(SfProgram *p, SfSpan text)
{
    if (p->nrefs == p->refs_room) {
        const int32_t room = p->refs_room ? p->refs_room * 2 : p->n + 64;
        SfDefRef *refs = room > p->refs_room && p->nrefs < INT32_MAX / 4
                             ? sf_realloc(p->refs, (size_t)room * sizeof *refs)
                             : NULL;
        SF_TRY_ALLOC(refs);
        p->refs = refs;
        p->refs_room = room;
    }
    p->refs[p->nrefs++] = (SfDefRef){.text = text, .node = SF_REF_MISSING};
    return SF_OK;
}

static SfStatus scan_node(SfImport *im, SfProgram *p, SfSpan bytes)
{
    SfDefNode *d = &p->nodes[p->n];
    SfSpan op = {"", 0};
    SfWire w = sf_wire(bytes);
    SfWireField f;
    *d = (SfDefNode){.name = {"", 0}, .body = bytes, .first = p->nrefs};
    while (sf_wire_next(&w, &f)) {
        SF_TRY(sf_interrupt_step(&im->polls));
        if (f.type != SF_WIRE_BYTES) {
            continue;
        }
        if (f.number == N_NAME) {
            d->name = f.bytes;
        } else if (f.number == N_OP) {
            op = f.bytes;
        } else if (f.number == N_INPUT) {
            SF_TRY(add_ref(p, f.bytes));
        }
    }
    if (w.bad) {
        return sf_import_fail(im, "not a GraphDef: node number %d is malformed", (int)p->n);
    }
    d->nrefs = p->nrefs - d->first;
    if (d->name.n == 0 || d->name.n > NAME_MAX || op.n > NAME_MAX ||
        memchr(d->name.p, 0, d->name.n)) {
        return sf_import_fail(im, "not a GraphDef: node number %d has no valid name", (int)p->n);
    }
    d->op = sf_import_op(im, op);
    p->n++;
    return d->op ? SF_OK : SF_NOMEM;
}

/* edges */
/* The digits behind the last colon; false: there are none. */
static bool split_port(SfSpan text, SfSpan *name, int64_t *port)
{
    size_t at = text.n;
    int64_t value = 0, scale = 1;
    while (at > 0 && text.p[at - 1] >= '0' && text.p[at - 1] <= '9') {
        at--;
        value = scale > PORT_MAX ? PORT_MAX : value + scale * (text.p[at] - '0');
        scale = scale > PORT_MAX ? scale : scale * 10;
    }
    if (at == text.n || at < 2 || text.p[at - 1] != ':') {
        return false;
    }
    *name = (SfSpan){text.p, at - 1};
    *port = value;
    return true;
}

static void resolve_plain(const SfProgram *p, SfSpan text, SfDefRef *r)
{
    SfSpan name = text;
    int64_t port = 0;
    (void)split_port(text, &name, &port);
    r->node = sf_program_find(p, name);
    r->port = (int32_t)(port < PORT_MAX ? port : PORT_MAX);
}

/* "arg", "node:out", "node:out:1": names of nodes and outputs have no colons. */
static void resolve_in_function(const SfProgram *p, SfSpan text, SfDefRef *r)
{
    const char *colon = memchr(text.p, ':', text.n);
    SfSpan node = {text.p, colon ? (size_t)(colon - text.p) : text.n};
    r->node = sf_program_find(p, node);
    if (colon) {
        SfSpan rest = {colon + 1, text.n - node.n - 1};
        int64_t port = 0;
        r->output = rest;
        (void)split_port(rest, &r->output, &port);
        r->port = (int32_t)(port < PORT_MAX ? port : PORT_MAX);
        if (r->node >= 0 && r->node < p->nargs) {
            r->output.n = 0;
        }
    }
}

static void resolve_mapped(const SfImport *im, SfDefRef *r)
{
    for (int k = 0; k < im->o.nmap; k++) {
        SfSpan text = {im->o.map[k].name, strlen(im->o.map[k].name)}, name;
        const bool control = text.n > 0 && text.p[0] == '^';
        int64_t port = control ? SF_REF_CONTROL : 0;
        SfSpan mine = r->text, my_name;
        int64_t my_port = r->port;
        if (control) {
            name = (SfSpan){text.p + 1, text.n - 1};
        } else if (!split_port(text, &name, &port)) {
            name = text;
        }
        if (r->port == SF_REF_CONTROL) {
            my_name = (SfSpan){mine.p + 1, mine.n - 1};
        } else if (!split_port(mine, &my_name, &my_port)) {
            my_name = mine;
        }
        if (port == my_port && sf_span_equal(name, my_name)) {
            r->node = SF_REF_MAPPED - k;
            return;
        }
    }
}

void sf_program_resolve(const SfImport *im, const SfProgram *p, SfSpan text, SfDefRef *out)
{
    *out = (SfDefRef){.text = text, .node = SF_REF_MISSING};
    if (text.n > 1 && text.p[0] == '^') {
        out->node = sf_program_find(p, (SfSpan){text.p + 1, text.n - 1});
        out->port = SF_REF_CONTROL;
    } else if (p->is_function) {
        resolve_in_function(p, text, out);
    } else {
        resolve_plain(p, text, out);
    }
    if (im->o.nmap && !p->is_function && (out->node < 0 || p->nodes[out->node].mapped)) {
        resolve_mapped(im, out);
    }
}

/* An op without a signature has as many outputs as are asked for. In a function its outputs have
 * names, which cannot be counted: each use gets one of its own. */
static SfStatus count_unknown_outputs(SfImport *im, SfProgram *p, SfDefRef *r)
{
    SfDefNode *from = r->node >= 0 && r->port >= 0 ? &p->nodes[r->node] : NULL;
    if (!from || !from->op || from->op->sig) {
        return SF_OK;
    }
    if (r->output.n > 0) {
        r->output.n = 0;
        r->port = from->nout;
    }
    if (r->port >= from->nout) {
        im->outputs_left -= r->port + 1 - from->nout;
        from->nout = r->port + 1;
    }
    return im->outputs_left >= 0
               ? SF_OK
               : sf_import_fail(im, "the graph has more outputs than its size allows");
}

static SfStatus resolve_refs(SfImport *im, SfProgram *p)
{
    for (int k = 0; k < im->o.nmap && !p->is_function; k++) {
        SfSpan name = {im->o.map[k].name, strlen(im->o.map[k].name)};
        int64_t port;
        if (name.n > 0 && name.p[0] == '^') {
            name = (SfSpan){name.p + 1, name.n - 1};
        } else {
            (void)split_port(name, &name, &port);
        }
        const int32_t at = sf_program_find(p, name);
        if (at >= 0) {
            p->nodes[at].mapped = true;
        }
    }
    for (int32_t i = 0; i < p->nrefs; i++) {
        SfDefRef *r = &p->refs[i];
        SF_TRY(sf_interrupt_step(&im->polls));
        sf_program_resolve(im, p, r->text, r);
        SF_TRY(count_unknown_outputs(im, p, r));
    }
    return SF_OK;
}

/* order */
enum { NEW = 0, OPEN, DONE };

typedef struct Visit {
    int32_t node, next; /* the next of its refs to look at */
} Visit;

static bool is_back_edge(const SfProgram *p, const SfDefNode *d, const SfDefRef *r)
{
    return d->op->role == SF_ROLE_MERGE && p->nodes[r->node].op->role == SF_ROLE_NEXT_ITERATION &&
           r->port >= 0;
}

static void note_cycle(SfProgram *p, const Visit *stack, int32_t depth, int32_t node)
{
    int32_t at = depth - 1;
    while (at > 0 && stack[at].node != node) {
        at--;
    }
    if (p->cycle < 0) {
        p->cycle = node;
        p->ncycle = depth - at;
    }
}

/* Depth first with a stack of its own; a graph that is sorted already is visited in its order. */
static SfStatus visit_from(SfImport *im, SfProgram *p, int32_t root, uint8_t *state, Visit *stack,
                           int32_t *norder)
{
    int32_t depth = 1;
    stack[0] = (Visit){root, 0};
    state[root] = OPEN;
    while (depth > 0) {
        SF_TRY(sf_interrupt_step(&im->polls));
        Visit *v = &stack[depth - 1];
        const SfDefNode *d = &p->nodes[v->node];
        int32_t from = -1;
        while (v->next < d->nrefs && from < 0) {
            const SfDefRef *r = &p->refs[d->first + v->next++];
            if (r->node < 0 || state[r->node] == DONE || is_back_edge(p, d, r)) {
                continue;
            }
            if (state[r->node] == OPEN) {
                note_cycle(p, stack, depth, r->node);
                continue;
            }
            from = r->node;
        }
        if (from >= 0) {
            state[from] = OPEN;
            stack[depth++] = (Visit){from, 0};
        } else {
            state[v->node] = DONE;
            p->order[(*norder)++] = v->node;
            depth--;
        }
    }
    return SF_OK;
}

static SfStatus sort_nodes(SfImport *im, SfProgram *p)
{
    const size_t n = (size_t)p->n + 1;
    uint8_t *state = sf_calloc(n, 1);
    Visit *stack = sf_malloc(n * sizeof *stack);
    p->order = sf_malloc(n * sizeof *p->order);
    int32_t norder = 0;
    SfStatus status = state && stack && p->order ? SF_OK : SF_NOMEM;
    for (int32_t i = 0; status == SF_OK && i < p->n; i++) {
        if (state[i] == NEW) {
            status = visit_from(im, p, i, state, stack, &norder);
        }
    }
    sf_free(state);
    sf_free(stack);
    return status;
}

/* the program */
static void add_args(SfProgram *p, const SfDefFunction *f)
{
    static SfDefOp arg = {.name = {"_Arg", 4}, .kind = SF_DEF_ARG};
    for (int32_t i = 0; f && i < f->nargs; i++) {
        p->nodes[p->n++] = (SfDefNode){.name = f->arg_names[i], .op = &arg};
    }
    p->nargs = p->n;
}

SfStatus sf_program_scan(SfImport *im, SfSpan bytes, SfDefFunction *f, SfProgram **out)
{
    const uint32_t field = f ? F_NODE : G_NODE;
    const int64_t count = sf_wire_count(bytes, field);
    SfProgram *p = sf_arena_alloc(&im->arena, sizeof *p);
    SfWire w = sf_wire(bytes);
    SfWireField one;
    SF_TRY_ALLOC(p);
    p->cycle = p->duplicate = -1;
    p->is_function = f;
    p->next = im->programs;
    im->programs = p;
    *out = p;
    if (count < 0) {
        return sf_import_fail(
            im, "not a GraphDef: the bytes are no protobuf message, or end too early");
    }
    const size_t room = (size_t)count + (f ? (size_t)f->nargs : 0) + 1;
    p->nodes = count < INT32_MAX / 2 ? sf_malloc(room * sizeof *p->nodes) : NULL;
    SF_TRY_ALLOC(p->nodes);
    add_args(p, f);
    while (sf_wire_next(&w, &one)) {
        if (one.number == field && one.type == SF_WIRE_BYTES) {
            SF_TRY(scan_node(im, p, one.bytes));
        }
    }
    SF_TRY(index_names(im, p));
    SF_TRY(resolve_refs(im, p));
    return sort_nodes(im, p);
}

void sf_program_free(SfProgram *p)
{
    sf_free(p->nodes);
    sf_free(p->refs);
    sf_free(p->order);
    sf_index_free(&p->by_name);
}
