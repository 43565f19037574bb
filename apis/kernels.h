/* The generated facts of kernels.def, for core/device. Owner: const data. */
#ifndef SF_APIS_KERNELS_H
#define SF_APIS_KERNELS_H

void sf_apis_init_kernels(void);

#endif
