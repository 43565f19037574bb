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
