/* Questions about one node. See node.h. */
#include "core/op/node.h"

const SfAttr *sf_node_attr(const SfNode *n, const char *name)
{
    const int i = sf_op_attr_index(n->sig, name);
    return i < 0 ? NULL : &n->attrs[i];
}

/* Asked only when a deferred finding turns up: a short walk backwards. Whatever follows a Merge
 * or an Exit is certain to run again. */
bool sf_node_may_not_run(const SfNode *n)
{
    enum { NODES = 512, WAITING = 64 };
    const SfNode *waiting[WAITING];
    int nwaiting = 0;
    for (int seen = 0; n && seen < NODES; seen++) {
        const SfOpRole role = sf_node_role(n);
        if (role == SF_ROLE_SWITCH) {
            return true;
        }
        const bool joins = role == SF_ROLE_MERGE || role == SF_ROLE_EXIT;
        for (int i = 0; !joins && i < n->nin && nwaiting < WAITING; i++) {
            waiting[nwaiting++] = n->inputs[i].node;
        }
        for (int i = 0; !joins && i < n->context->control.n && nwaiting < WAITING; i++) {
            waiting[nwaiting++] = n->context->control.items[i];
        }
        n = NULL;
        while (nwaiting > 0 && !n) {
            n = waiting[--nwaiting];
        }
    }
    return false;
}

const SfNode *sf_node_pivot_switch(const SfNode *pivot)
{
    if (sf_node_role(pivot) == SF_ROLE_IDENTITY && pivot->nin > 0 && pivot->inputs[0].node) {
        pivot = pivot->inputs[0].node;
    }
    return sf_node_role(pivot) == SF_ROLE_SWITCH ? pivot : NULL;
}

SfNodeDoors sf_node_doors(const SfNode *n)
{
    SfNodeDoors doors = {0, 0};
    for (int i = 0; i < n->context->control.n; i++) {
        const SfNode *pivot = n->context->control.items[i], *door = sf_node_pivot_switch(pivot);
        /* A loop's body hangs on the Switch of a Merge, its condition on the Merge. */
        const SfNode *merge = door ? door->inputs[0].node : pivot;
        if (merge && sf_node_role(merge) == SF_ROLE_MERGE && merge->nin > 0 &&
            merge->inputs[0].node) {
            const int32_t enter = merge->inputs[0].node->id;
            doors.loop = enter > doors.loop ? enter : doors.loop;
        } else if (door) {
            doors.branch = door->id > doors.branch ? door->id : doors.branch;
        }
    }
    return doors;
}
