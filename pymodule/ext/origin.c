/* Where the offending dims of a finding come from, as Python objects.
 * Invariant: asked while the graph of the finding is alive; the result no longer needs it.
 * Owner: the caller's list. Source: core/analysis/provenance.h. */
#include "core/analysis/provenance.h"
#include "pymodule/ext/ext.h"

enum { ORIGIN_STEPS = 64 };

static PyObject *origin_step(SfpyState *st, const SfOriginStep *s)
{
    char dim[64];
    sf_dim_format(s->dim, true, dim, sizeof dim);
    return Py_BuildValue(
        "{s:s,s:s,s:i,s:i,s:L,s:s,s:O,s:N,s:N,s:N}", "op_type", s->node->sig->def->name,
        "node_name", s->node->name, "output", s->output, "axis", s->axis, "element",
        (long long)s->element, "dim", dim, "computed", s->computed ? Py_True : Py_False, "frames",
        sfpy_location_frames(st, s->node->location), "shape",
        sfpy_symbolic_text(s->node->outputs[s->output].shape), "node", sfpy_node_key(s->node));
}

const SfNode *sfpy_operand_producer(const SfpyState *st, const SfDiagOperand *o, int *output)
{
    *output = o->output;
    if (o->producer) {
        return o->producer->id >= 0 ? o->producer : NULL;
    }
    const SfTensor t = {.shape = o->shape, .dtype = o->dtype, .index = o->output};
    return sf_trace_find(st->trace, &t, output);
}

/* Appends the way of one axis of an operand; false with an exception. */
static bool add_origin(SfpyState *st, PyObject *list, int operand, int axis, const SfDiagOperand *o)
{
    SfOriginStep steps[ORIGIN_STEPS];
    int output;
    const SfNode *producer = sfpy_operand_producer(st, o, &output);
    const int n = sf_origin_of_axis(producer, output, axis, steps, ORIGIN_STEPS);
    if (n == 0) {
        return true;
    }
    PyObject *way = PyList_New(0);
    for (int i = 0; way && i < n; i++) {
        sfpy_list_add(&way, origin_step(st, &steps[i]));
    }
    char dim[64];
    sf_dim_format(sf_shape_dim(o->shape, axis), true, dim, sizeof dim);
    return sfpy_append_new(list, Py_BuildValue("{s:i,s:i,s:s,s:N}", "operand", operand, "axis",
                                               axis, "dim", dim, "steps", way));
}

/* For each place that is to blame the way of its axis; of a whole operand, of all its axes. */
bool sfpy_add_origins(SfpyState *st, PyObject *list, const SfDiag *d)
{
    for (int i = 0; i < d->nplaces; i++) {
        const SfPlace *p = &d->places[i];
        const bool axis = p->kind == SF_PLACE_AXIS;
        if ((!axis && p->kind != SF_PLACE_INPUT) || p->index < 0 || p->index >= d->noperands) {
            continue;
        }
        const SfDiagOperand *o = &d->operands[p->index];
        const int rank = sf_shape_rank(o->shape);
        int output;
        if (rank < 0 || !sfpy_operand_producer(st, o, &output)) {
            continue;
        }
        const int only = p->axis < 0 ? p->axis + rank : p->axis;
        for (int a = 0; a < rank; a++) {
            if ((!axis || a == only) && !add_origin(st, list, p->index, a, o)) {
                return false;
            }
        }
    }
    return true;
}
