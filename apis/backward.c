/* What gradients read and tapes keep: the rows of backward.def and backward_eager.def. See
 * core/analysis/backward.h. */
#include "core/analysis/backward.h"

#include "apis/kernels.h"

static const SfBackwardRow rows[] = {
#define SF_BACKWARD(op, inputs, outputs) {#op, inputs, outputs},
#include "apis/backward.def"
#undef SF_BACKWARD
};

static const SfTapeRow tape_rows[] = {
#define SF_BACKWARD_EAGER(op, inputs, outputs, temporaries) {#op, inputs, outputs, temporaries},
#include "apis/backward_eager.def"
#undef SF_BACKWARD_EAGER
};

void sf_apis_init_backward(void)
{
    sf_backward_register(rows, SF_ARRAY_LEN(rows));
    sf_tape_register(tape_rows, SF_ARRAY_LEN(tape_rows));
}
