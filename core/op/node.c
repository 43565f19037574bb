/* Questions about one node. See node.h. */
#include "core/op/node.h"

const SfAttr *sf_node_attr(const SfNode *n, const char *name)
{
    const int i = sf_op_attr_index(n->sig, name);
    return i < 0 ? NULL : &n->attrs[i];
}

bool sf_node_is(const SfNode *n, const char *op)
{
    return strcmp(n->sig->def->name, op) == 0;
}

bool sf_node_is_either(const SfNode *n, const char *op, const char *ref_op)
{
    return sf_node_is(n, op) || sf_node_is(n, ref_op);
}

/* Asked only when something deferred is found: a short walk backwards. What comes through a Merge or an
 * Exit is certain again. */
bool sf_node_may_not_run(const SfNode *n)
{
    enum { NODES = 512, WAITING = 64 };
    const SfNode *waiting[WAITING];
    int nwaiting = 0;
    for (int seen = 0; n && seen < NODES; seen++) {
        if (sf_node_is_either(n, "Switch", "RefSwitch")) {
            return true;
        }
        const bool joins =
            sf_node_is_either(n, "Merge", "RefMerge") || sf_node_is_either(n, "Exit", "RefExit");
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
