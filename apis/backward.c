/* What gradients read: the rows of backward.def. See core/analysis/backward.h. */
#include "core/analysis/backward.h"

#include "apis/kernels.h"

static const SfBackwardRow rows[] = {
#define SF_BACKWARD(op, inputs, outputs) {#op, inputs, outputs},
#include "apis/backward.def"
#undef SF_BACKWARD
};

void sf_apis_init_backward(void)
{
    sf_backward_register(rows, SF_ARRAY_LEN(rows));
}
