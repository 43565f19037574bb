/* The nodes round a failing op, two steps back, as Python objects: what a small picture is drawn
 * of. Invariant: asked while the graph of the finding is alive; the result no longer needs it, and
 * its size has a bound whatever the graph is.
 * Owner: the caller's list. Source: docs/graph.md, "The neighbourhood of a finding". */
#include "pymodule/ext/ext.h"

enum { NEARBY_NODES = 24, NEARBY_INPUTS = 6, NEARBY_STEPS = 2 };

typedef struct Nearby {
    SfpyState *st;
    PyObject *list;
    const SfNode *nodes[NEARBY_NODES]; /* by place in the list; [0] is the failing op's own */
    int steps[NEARBY_NODES];
    int n;
} Nearby;

/* Where `node` is in the list, or gets its place; -1: nobody, or no room. */
static int place_of(Nearby *near, const SfNode *node, int steps)
{
    for (int i = 1; node && i < near->n; i++) {
        if (near->nodes[i] == node) {
            return i;
        }
    }
    if (!node || near->n == NEARBY_NODES || steps > NEARBY_STEPS) {
        return -1;
    }
    near->nodes[near->n] = node;
    near->steps[near->n] = steps;
    return near->n++;
}

/* (place of the producer or -1, its output, shape in symbols) */
static PyObject *input_tuple(int place, int output, const SfShape *shape)
{
    return Py_BuildValue("(iiN)", place, output, sfpy_symbolic_text(shape));
}

static PyObject *inputs_of(Nearby *near, const SfNode *node, int steps)
{
    PyObject *inputs = PyList_New(0);
    for (int i = 0; inputs && i < node->nin && i < NEARBY_INPUTS; i++) {
        const SfTensor *t = &node->inputs[i];
        int output = t->index;
        const SfNode *from = t->node ? t->node : sf_trace_find(near->st->trace, t, &output);
        const int place = place_of(near, from, steps + 1);
        sfpy_list_add(&inputs, input_tuple(place, output, t->shape));
    }
    return inputs;
}

static PyObject *outputs_of(const SfNode *node)
{
    PyObject *outputs = PyList_New(0);
    for (int i = 0; outputs && i < node->nout && i < NEARBY_INPUTS; i++) {
        sfpy_list_add(&outputs, sfpy_symbolic_text(node->outputs[i].shape));
    }
    return outputs;
}

/* Steals the lists. Names are not always UTF-8: a graph file has any bytes. */
static PyObject *entry(const SfNode *node, const char *name, const char *type, int steps,
                       PyObject *inputs, PyObject *outputs, PyObject *frames)
{
    return Py_BuildValue("{s:N,s:N,s:z,s:i,s:N,s:N,s:N}", "node", sfpy_node_key(node), "name",
                         sfpy_text_or_none(name), "op_type", type, "steps", steps, "inputs", inputs,
                         "outputs", outputs, "frames", frames);
}

/* The failing op itself, which may never have become a node. */
static bool add_failing(Nearby *near, const SfDiag *d, PyObject *frames)
{
    PyObject *inputs = PyList_New(0);
    for (int i = 0; inputs && i < d->noperands && i < NEARBY_INPUTS; i++) {
        int output;
        const SfNode *from = sfpy_operand_producer(near->st, &d->operands[i], &output);
        const int place = place_of(near, from, 1);
        sfpy_list_add(&inputs, input_tuple(place, output, d->operands[i].shape));
    }
    return sfpy_append_new(near->list, entry(d->node, d->node_name, d->op_type, 0, inputs,
                                             PyList_New(0), Py_NewRef(frames)));
}

bool sfpy_add_nearby(SfpyState *st, PyObject *list, const SfDiag *d, PyObject *frames)
{
    Nearby near = {.st = st, .list = list, .n = 1};
    if (d->noperands == 0) {
        return true;
    }
    if (!add_failing(&near, d, frames)) {
        return false;
    }
    for (int i = 1; i < near.n; i++) { /* near.n grows in this loop */
        const SfNode *node = near.nodes[i];
        if (!sfpy_append_new(list, entry(node, node->name, node->sig->def->name, near.steps[i],
                                         inputs_of(&near, node, near.steps[i]), outputs_of(node),
                                         sfpy_location_frames(st, node->location)))) {
            return false;
        }
    }
    return true;
}
