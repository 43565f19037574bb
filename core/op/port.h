/* The flat inputs and outputs of an op, cut into the ports of its signature, and shown in a
 * diagnostic. Invariant: flat tensors stand in the order of the ports; a list is as long as its
 * attr says. Owner: operands live in the arena given. Source: NameRangesForNode
 * (node_def_util.cc). */
#ifndef SF_CORE_PORT_H
#define SF_CORE_PORT_H

#include "core/op/node.h"

/* How many flat tensors a port stands for. */
static inline int64_t sf_port_width(const SfPortSpec *port, const SfOpSig *sig, const SfAttr *attrs)
{
    if (port->number_attr >= 0) {
        return sf_attr_at(sig, attrs, port->number_attr)->u.i;
    }
    return port->list_attr >= 0 ? sf_attr_at(sig, attrs, port->list_attr)->u.list.n : 1;
}

/* The number of the port that flat input `flat` belongs to, and which of its tensors that is (may
 * be NULL); -1: there is no such input. */
int sf_input_port(const SfOpSig *sig, const SfAttr *attrs, int flat, int *element);
/* "a", or "values[1]" in a list; "" when there is no such input, NULL when memory ran out. */
const char *sf_input_name(SfArena *arena, const SfOpSig *sig, const SfAttr *attrs, int flat);
/* A tensor as an operand of a diagnostic. */
SfDiagOperand sf_operand(const char *name, const SfTensor *t);
/* The flat inputs of an op, named as in its signature: "a", or "values[1]" in a list. NULL: no
 * memory. */
SfDiagOperand *sf_operands(SfArena *arena, const SfOpSig *sig, const SfAttr *attrs,
                           const SfTensor *inputs, int n);
/* The same when the lengths of the lists are not attrs yet: `widths` has one for each port. */
SfDiagOperand *sf_operands_of(SfArena *arena, const SfOpSig *sig, const int64_t *widths,
                              const SfTensor *inputs, int n);

#endif
