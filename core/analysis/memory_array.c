/* TensorArrays that Python keeps, of whose elements one tensor stands for all: which bytes they
 * hold. What is written is held until the array is; what is cut into elements is copied once; what
 * is stacked is another copy. Invariant: an array's slots have no buffer but that of the element
 * written last. Owner: the arena. Source: tensor_array_ops.cc (kernels), tensor_array_ops.py. */
#include "core/analysis/memory_impl.h"

SfOpRole sf_memory_role(const SfNode *n)
{
    switch (n->context->array) {
    case SF_ARRAY_WRITE:
        return SF_ROLE_ARRAY_WRITE;
    case SF_ARRAY_READ:
        return SF_ROLE_ARRAY_READ;
    case SF_ARRAY_SCATTER:
        return SF_ROLE_ARRAY_SCATTER;
    case SF_ARRAY_GATHER:
        return SF_ROLE_ARRAY_GATHER;
    case SF_ARRAY_NONE:
    case SF_ARRAY_NEW:
        break;
    }
    return sf_node_role(n);
}

bool sf_memory_is_of_array(const SfNode *n)
{
    const SfOpRole role = sf_memory_role(n);
    return role >= SF_ROLE_ARRAY_WRITE && role <= SF_ROLE_ARRAY_GATHER;
}

/* Does the step give the array that it gets? */
static bool passes_on(const SfStep *st)
{
    const SfOpRole role = sf_node_role(st->node);
    return st->kind == SF_STEP_FORWARD || role == SF_ROLE_IDENTITY || role == SF_ROLE_SWITCH ||
           role == SF_ROLE_MERGE || role == SF_ROLE_ENTER || role == SF_ROLE_EXIT ||
           st->flags & SF_STEP_LOOP_SWITCH;
}

static bool is_array(const SfLiveness *l, const SfStep *st)
{
    switch (st->node->context->array) {
    case SF_ARRAY_NEW:
    case SF_ARRAY_WRITE:
    case SF_ARRAY_SCATTER:
        return true;
    case SF_ARRAY_READ:
    case SF_ARRAY_GATHER:
        return false;
    case SF_ARRAY_NONE:
        break;
    }
    bool gets = false;
    for (int k = 0; passes_on(st) && k < st->node->nin && !gets; k++) {
        gets = l->is_array[st->in[k]];
    }
    return gets;
}

SfStatus sf_memory_find_arrays(SfLiveness *l)
{
    const SfPlan *p = l->p;
    for (int32_t i = 0; i < p->nsteps; i++) {
        const SfStep *st = &p->steps[i];
        if (!l->is_array && st->node->context->array != SF_ARRAY_NONE) {
            l->is_array = sf_arena_alloc(l->arena, ((size_t)p->nslots + 1) * sizeof *l->is_array);
            SF_TRY_ALLOC(l->is_array);
        }
        for (int k = 0; l->is_array && k < st->node->nout; k++) {
            l->is_array[st->out + k] = is_array(l, st);
        }
    }
    return SF_OK;
}

void sf_memory_keep_written(SfLiveness *l)
{
    for (int32_t i = l->p->nsteps - 1; l->is_array && i >= 0; i--) {
        const SfStep *st = &l->p->steps[i];
        if (st->node->context->array == SF_ARRAY_WRITE && st->node->nin > 1) {
            sf_memory_read_at(l, st->in[1], l->last[st->out]);
        }
    }
}
