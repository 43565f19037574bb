/* The record of eager calls. See trace.h. */
#include "core/graph/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/novelty.h"
#include "core/graph/graph_impl.h"
#include "lattice/hash.h"
#include "lattice/intern.h"

typedef struct Output {
    SfNode *node;
    int32_t output;
} Output;

/* Operands and outputs of a call without their contents. Forms of one hash are one form. */
typedef struct Form {
    uint64_t hash;
    uint32_t contents;
} Form;

struct SfTrace {
    SfGraph *graph;    /* holds the nodes; nothing runs it */
    const char *scope; /* "" mostly */
    Output *outputs;   /* by number; 0 is not used */
    int32_t noutputs, capacity;
    int32_t *first; /* by node id: the number of its first output */
    int32_t first_capacity;
    SfIndex index; /* of the nodes, by call */
    SfIndex form_index;
    Form *forms;
    int32_t nforms, form_capacity;
    SfTraceLog *log;       /* NULL mostly */
    SfTraceValues *values; /* NULL mostly */
    const SfOpSig *copy;   /* the op of what variables hold */
    bool has_indexed_reads;
};

enum { MOST_AT_ONE_PLACE = 16 }; /* tensors from outside of one shape, told apart */

static const char no_scope[] = ""; /* scopes are told apart by their addresses */

SfTrace *sf_trace_new(int version)
{
    SfTrace *t = sf_calloc(1, sizeof *t);
    if (!t) {
        return NULL;
    }
    t->graph = sf_graph_new(version);
    if (!t->graph) {
        sf_trace_free(t);
        return NULL;
    }
    t->noutputs = 1;
    t->scope = no_scope;
    return t;
}

void sf_trace_free(SfTrace *t)
{
    if (t) {
        sf_graph_free(t->graph);
        sf_free(t->outputs);
        sf_free(t->first);
        sf_index_free(&t->index);
        sf_index_free(&t->form_index);
        sf_free(t->forms);
        sf_trace_log_free(t->log);
        sf_trace_values_free(t->values);
        sf_free(t);
    }
}

/* finding a record again */
static uint32_t hash_call(const char *scope, const SfOpSig *sig, const SfTensor *in, int nin,
                          const SfTensor *outs, int nout, uint32_t location)
{
    uint64_t h = sf_hash_mix((uintptr_t)sig, location);
    h = sf_hash_pointer(h, scope);
    for (int i = 0; i < nin; i++) {
        h = sf_hash_mix(h, (uint32_t)in[i].index);
        h = sf_hash_pointer(h, in[i].shape);
        h = sf_hash_pointer(h, in[i].value);
    }
    for (int i = 0; i < nout; i++) {
        h = sf_hash_pointer(h, outs[i].shape);
    }
    return sf_hash_fold(h);
}

static bool same_name(const SfTrace *t, const SfNode *n)
{
    const size_t len = strlen(t->scope);
    return len == 0 ? n->name == n->sig->def->name
                    : strncmp(n->name, t->scope, len) == 0 && n->name[len] == '/' &&
                          strcmp(n->name + len + 1, n->sig->def->name) == 0;
}

/* Are both the same tensor? The call's has the number of a record, the record's has a node. */
static bool same_input(const SfTrace *t, const SfTensor *call, const SfTensor *record)
{
    int output = 0;
    const SfNode *n = sf_trace_find(t, call, &output);
    return call->shape == record->shape && call->value == record->value && n == record->node &&
           (!n || output == record->index);
}

static bool same_call(const SfTrace *t, const SfNode *n, const SfOpSig *sig, const SfAttr *attrs,
                      const SfTensor *in, int nin, const SfTensor *outs, int nout,
                      uint32_t location)
{
    bool same = n->sig == sig && n->location == location && n->nin == nin && n->nout == nout &&
                same_name(t, n) && sf_attrs_same(sig, n->attrs, attrs);
    for (int i = 0; same && i < nin; i++) {
        same = same_input(t, &in[i], &n->inputs[i]);
    }
    for (int i = 0; same && i < nout; i++) {
        same = n->outputs[i].shape == outs[i].shape && n->outputs[i].dtype == outs[i].dtype;
    }
    return same;
}

/* novelty */
static uint64_t hash_form(const SfOpSig *sig, const SfTensor *in, int nin, const SfTensor *outs,
                          int nout, uint32_t location)
{
    uint64_t h = sf_hash_mix((uintptr_t)sig, location);
    for (int i = 0; i < nin; i++) {
        h = sf_hash_mix(sf_hash_pointer(h, in[i].shape), (uint32_t)in[i].dtype);
    }
    for (int i = 0; i < nout; i++) {
        h = sf_hash_mix(sf_hash_pointer(h, outs[i].shape), (uint32_t)outs[i].dtype);
    }
    return h;
}

static bool grow(void **items, int32_t *capacity, int32_t need, size_t size)
{
    if (need <= *capacity) {
        return true;
    }
    const int32_t wanted = need > *capacity * 2 ? need + 64 : *capacity * 2;
    void *grown = sf_realloc(*items, (size_t)wanted * size);
    if (grown) {
        *items = grown;
        *capacity = wanted;
    }
    return grown;
}

/* The form with that hash, made when there is none; NULL: no memory. */
static Form *find_form(SfTrace *t, uint64_t hash)
{
    const uint32_t folded = sf_hash_fold(hash);
    uint32_t at = folded;
    for (int32_t id; (id = sf_index_next(&t->form_index, folded, &at)) >= 0;) {
        if (t->forms[id].hash == hash) {
            return &t->forms[id];
        }
    }
    if (!grow((void **)&t->forms, &t->form_capacity, t->nforms + 1, sizeof *t->forms) ||
        !sf_index_add(&t->form_index, folded, t->nforms)) {
        return NULL;
    }
    t->forms[t->nforms] = (Form){hash, 0};
    return &t->forms[t->nforms++];
}

/* Counts a call without a record as new when its form is new, or one of the form's first
 * contents. */
static void count_form(SfTrace *t, uint64_t hash)
{
    Form *form = find_form(t, hash);
    if (!form || form->contents < SF_NOVEL_CONTENTS) { /* without memory all is taken as new */
        if (form) {
            form->contents++;
        }
        sf_novelty_count();
    }
}

/* a new record */

static SfNode *make_node(SfTrace *t, const SfOpSig *sig, const SfAttr *attrs, const SfTensor *in,
                         int nin, const SfTensor *outs, int nout, uint32_t location)
{
    SfArena *arena = sf_graph_arena(t->graph);
    const size_t size = sizeof(SfNode) + (size_t)(nin + nout) * sizeof(SfTensor);
    SfNode *n = sf_arena_alloc(arena, size);
    SfAttr *kept = sf_graph_attrs(t->graph, sig, attrs);
    if (!n || (!kept && sig->nattr)) {
        return NULL;
    }
    n->sig = sig;
    n->graph = t->graph;
    /* Need not be unique: records are not found by name. */
    n->name =
        *t->scope ? sf_arena_printf(arena, "%s/%s", t->scope, sig->def->name) : sig->def->name;
    n->nin = nin;
    n->nout = nout;
    n->location = location;
    n->outputs = (SfTensor *)(n + 1);
    n->inputs = n->outputs + nout;
    n->attrs = kept;
    n->context = sf_graph_no_context();
    for (int i = 0; i < nin; i++) {
        int output = 0;
        n->inputs[i] = in[i];
        (void)sf_value_keep(in[i].value);
        n->inputs[i].node = (SfNode *)(uintptr_t)sf_trace_find(t, &in[i], &output);
        n->inputs[i].index = output;
    }
    for (int i = 0; i < nout; i++) {
        n->outputs[i] = outs[i];
        (void)sf_value_keep(outs[i].value);
        n->outputs[i].node = n;
        n->outputs[i].index = i;
    }
    return n->name && sf_graph_append(t->graph, n) == SF_OK ? n : NULL;
}

static void number(const SfTrace *t, const SfNode *n, SfTensor *outs)
{
    for (int i = 0; i < n->nout; i++) {
        outs[i].index = t->first[n->id] + i;
    }
}

/* A record that no call finds again. NULL: the trace is full, or no memory. */
static SfNode *append(SfTrace *t, const SfOpSig *sig, const SfAttr *attrs, const SfTensor *inputs,
                      int nin, SfTensor *outs, int nout, uint32_t location)
{
    const int32_t id = sf_graph_size(t->graph);
    if (id >= SF_TRACE_MAX || nout > INT16_MAX ||
        !grow((void **)&t->outputs, &t->capacity, t->noutputs + nout, sizeof *t->outputs) ||
        !grow((void **)&t->first, &t->first_capacity, id + 1, sizeof *t->first)) {
        return NULL;
    }
    SfNode *n = make_node(t, sig, attrs, inputs, nin, outs, nout, location);
    if (!n) {
        return NULL;
    }
    t->first[id] = t->noutputs;
    for (int i = 0; i < nout; i++) {
        t->outputs[t->noutputs++] = (Output){n, i};
    }
    number(t, n, outs);
    const SfOpRole role = sf_node_role(n);
    t->has_indexed_reads = t->has_indexed_reads || role == SF_ROLE_GATHER ||
                           role == SF_ROLE_GATHER_ALONG || role == SF_ROLE_GATHER_ND;
    return n;
}

/* The record of the two whose content the next one is more like. They are found in an order of
 * addresses, which says nothing. */
static const SfNode *closer(const SfTraceValues *v, const SfNode *n, const SfNode *other)
{
    if (!other) {
        return n;
    }
    const double more = sf_trace_values_widening(v, n->id);
    const double others = sf_trace_values_widening(v, other->id);
    return more < others || (!(others < more) && n->id < other->id) ? n : other;
}

static const SfNode *find_call(const SfTrace *t, uint32_t hash, const SfOpSig *sig,
                               const SfAttr *attrs, const SfTensor *inputs, int nin,
                               const SfTensor *outs, int nout, uint32_t location)
{
    const bool outside =
        t->values && nin == 0 && nout == 1 && (!outs[0].value || t->values->next_is_value);
    const SfNode *best = NULL, *best_taken = NULL;
    uint32_t at = hash;
    int ntaken = 0;
    for (int32_t known; !t->log && (known = sf_index_next(&t->index, hash, &at)) >= 0;) {
        const SfNode *n = sf_graph_node(t->graph, known);
        if (!same_call(t, n, sig, attrs, inputs, nin, outs, nout, location)) {
            continue;
        }
        if (!outside) {
            return n;
        }
        if (!sf_trace_values_is_alike(t->values, known)) {
            continue; /* a tensor of unknown content takes nothing from the others of its place */
        }
        if (sf_trace_values_is_taken(t->values, known)) {
            best_taken = closer(t->values, n, best_taken);
            ntaken++;
        } else {
            best = closer(t->values, n, best);
        }
    }
    return best || ntaken < MOST_AT_ONE_PLACE ? best : best_taken;
}

/* Notes what is known of the content of a tensor from outside that has a value. */
static bool tell_value(SfTrace *t, const SfOpSig *sig, const SfTensor *out)
{
    SfTraceValues *v = t->values;
    if (!v || t->log || !out->value || sig->def->role != SF_ROLE_NO_OP) {
        return false;
    }
    v->has_next = v->has_next || sf_interval_of_value(out->value, &v->next);
    v->next_is_value = true;
    return true;
}

void sf_trace_record(SfTrace *t, const SfOpSig *sig, const SfAttr *attrs, const SfTensor *inputs,
                     int nin, SfTensor *outs, int nout, uint32_t location)
{
    for (int i = 0; i < nout; i++) {
        outs[i].index = 0;
    }
    if (t->values) {
        sf_trace_values_step(t->values, location);
    }
    const bool has_value = nin == 0 && nout == 1 && tell_value(t, sig, &outs[0]);
    const uint32_t hash = hash_call(t->scope, sig, inputs, nin, outs, nout, location);
    const SfNode *n = find_call(t, hash, sig, attrs, inputs, nin, outs, nout, location);
    if (n) {
        number(t, n, outs);
        if (has_value &&
            n->outputs[0].value != outs[0].value) { /* it stands for both from now on */
            t->graph->nodes[n->id]->outputs[0].value = NULL;
        }
    } else {
        count_form(t, hash_form(sig, inputs, nin, outs, nout, location));
        n = append(t, sig, attrs, inputs, nin, outs, nout, location);
        if (n && !sf_index_add(&t->index, hash, n->id)) {
            n = NULL;
        }
    }
    if (t->values) {
        if (n && nin == 0) {
            sf_trace_values_note(t->values, n->id);
        }
        t->values->has_next = t->values->next_is_value =
            false; /* a full trace has no record of it */
    }
}

SfTraceLog *sf_trace_start_log(SfTrace *t)
{
    t->log = t->log ? t->log : sf_calloc(1, sizeof *t->log);
    return t->log;
}

void sf_trace_stop_log(SfTrace *t)
{
    sf_trace_log_free(t->log);
    t->log = NULL;
}

SfTraceLog *sf_trace_log(const SfTrace *t)
{
    return t->log;
}

SfTraceValues *sf_trace_start_values(SfTrace *t, const SfOpSig *copy)
{
    t->values = t->values ? t->values : sf_calloc(1, sizeof *t->values);
    t->copy = copy;
    return t->values;
}

const SfTraceValues *sf_trace_values(const SfTrace *t)
{
    return t->values;
}

void sf_trace_tell_content(SfTrace *t, SfInterval content)
{
    if (t->values) {
        t->values->next = content;
        t->values->has_next = true;
    }
}

/* What a variable holds, as a record: a copy of `of`. */
static const SfNode *append_content(SfTrace *t, const SfTensor *of, SfTensor *content,
                                    uint32_t location)
{
    const SfAttr attr = {.type = SF_ATTR_TYPE, .set = true, .u.type = sf_dtype_base(of->dtype)};
    return append(t, t->copy, &attr, of, 1, content, 1, location);
}

void sf_trace_variable(SfTrace *t, SfTensor *content, uint32_t location)
{
    const SfTensor of = *content;
    if (t->values) {
        append_content(t, &of, content, location);
    }
}

void sf_trace_write(SfTrace *t, const SfTensor *before, SfTensor *now, uint32_t location)
{
    int output = 0, written = 0;
    const SfNode *held = t->values ? sf_trace_find(t, before, &output) : NULL;
    const SfNode *from = sf_trace_find(t, now, &written);
    const SfWrites *earlier = held ? sf_trace_values_writes(t->values, held->id) : NULL;
    if (!held) {
        return;
    }
    const SfNode *root = earlier ? sf_graph_node(t->graph, earlier->root) : held;
    const SfOpSig *by = from ? from->sig : NULL;
    SfWrites *w = sf_trace_values_find(t->values, root->id, by, location);
    if (!w) {
        SfTensor of = *before, content = *now;
        of.index = t->first[root->id] + (earlier ? 0 : output);
        of.value = content.value = NULL;
        const SfNode *n = append_content(t, &of, &content, location);
        w = n ? sf_trace_values_add(t->values, root->id, by, location, n->id) : NULL;
    }
    if (w) {
        sf_trace_values_write(w, from, written, now);
        now->index = t->first[w->node];
    }
}

bool sf_trace_has_indexed_reads(const SfTrace *t)
{
    return t->has_indexed_reads;
}

int32_t sf_trace_number(const SfTrace *t, const SfNode *n)
{
    return t->first[n->id];
}

int32_t sf_trace_numbers(const SfTrace *t)
{
    return t->noutputs;
}

void sf_trace_set_scope(SfTrace *t, const char *scope)
{
    t->scope = *scope ? scope : no_scope;
}

SfGraph *sf_trace_graph(const SfTrace *t)
{
    return t->graph;
}

void sf_trace_name(const SfNode *record, char text[SF_TRACE_NAME_MAX])
{
    (void)snprintf(text, SF_TRACE_NAME_MAX, "%.72s_%d", record->sig->def->name, record->id);
}

const SfNode *sf_trace_named(const SfGraph *records, const char *name)
{
    char text[SF_TRACE_NAME_MAX];
    const char *number = strrchr(name, '_');
    const long id = number ? strtol(number + 1, NULL, 10) : -1;
    if (id < 0 || id >= sf_graph_size(records)) {
        return NULL;
    }
    const SfNode *n = sf_graph_node(records, (int)id);
    sf_trace_name(n, text);
    return strcmp(text, name) == 0 ? n : NULL;
}

const SfNode *sf_trace_find(const SfTrace *t, const SfTensor *tensor, int *output)
{
    *output = 0;
    if (!t || tensor->node || tensor->index <= 0 || tensor->index >= t->noutputs) {
        return NULL;
    }
    const Output *o = &t->outputs[tensor->index];
    const SfTensor *known = &o->node->outputs[o->output];
    if (known->dtype != tensor->dtype ||
        sf_shape_rank(known->shape) != sf_shape_rank(tensor->shape)) {
        return NULL; /* not a number of this record */
    }
    *output = o->output;
    return o->node;
}
