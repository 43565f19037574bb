/* Flat tensors and ports. See port.h. */
#include "core/op/port.h"

int sf_input_port(const SfOpSig *sig, const SfAttr *attrs, int flat, int *element)
{
    int64_t start = 0;
    for (int i = 0; i < sig->nin; i++) {
        const int64_t end = start + sf_port_width(&sig->in[i], sig, attrs);
        if (flat < end) {
            if (element) {
                *element = (int)(flat - start);
            }
            return i;
        }
        start = end;
    }
    return -1;
}

static const char *name_in_port(SfArena *arena, const SfPortSpec *port, int element)
{
    return sf_port_is_list(port) ? sf_arena_printf(arena, "%s[%d]", port->name, element)
                                 : port->name;
}

const char *sf_input_name(SfArena *arena, const SfOpSig *sig, const SfAttr *attrs, int flat)
{
    int element = 0;
    const int port = sf_input_port(sig, attrs, flat, &element);
    return port < 0 ? "" : name_in_port(arena, &sig->in[port], element);
}

SfDiagOperand sf_operand(const char *name, const SfTensor *t)
{
    return (SfDiagOperand){.name = name,
                           .shape = t->shape ? t->shape : sf_shape_unknown(),
                           .dtype = t->dtype,
                           .producer = t->node,
                           .location = t->node ? t->node->location : 0,
                           .output = t->index,
                           .value = t->value};
}

SfDiagOperand *sf_operands_of(SfArena *arena, const SfOpSig *sig, const int64_t *widths,
                              const SfTensor *inputs, int n)
{
    SfDiagOperand *operands = sf_arena_alloc(arena, (size_t)n * sizeof *operands);
    int flat = 0;
    for (int port = 0; operands && port < sig->nin; port++) {
        for (int64_t i = 0; i < widths[port] && flat < n; i++, flat++) {
            const char *name = name_in_port(arena, &sig->in[port], (int)i);
            if (!name) {
                return NULL;
            }
            operands[flat] = sf_operand(name, &inputs[flat]);
        }
    }
    for (; operands && flat < n; flat++) { /* more than the op takes */
        operands[flat] = sf_operand("", &inputs[flat]);
    }
    return operands;
}

SfDiagOperand *sf_operands(SfArena *arena, const SfOpSig *sig, const SfAttr *attrs,
                           const SfTensor *inputs, int n)
{
    int64_t *widths = sf_arena_alloc(arena, (size_t)sig->nin * sizeof *widths);
    for (int i = 0; widths && i < sig->nin; i++) {
        widths[i] = sf_port_width(&sig->in[i], sig, attrs);
    }
    return widths ? sf_operands_of(arena, sig, widths, inputs, n) : NULL;
}
