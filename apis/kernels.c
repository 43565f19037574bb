/* Which op has a kernel on which device: the rows of kernels.def. See core/device/kernels.h. */
#include "apis/kernels.h"

#include "core/device/kernels.h"

static const SfKernelRow rows[] = {
#define SF_KERNEL(op, cpu1, gpu1, cpu2, gpu2) {#op, cpu1, gpu1, cpu2, gpu2},
#include "apis/kernels.def"
#undef SF_KERNEL
};

void sf_apis_init_kernels(void)
{
    sf_kernels_register(rows, SF_ARRAY_LEN(rows));
}
