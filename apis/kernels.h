/* The generated facts of kernels.def, backward.def and backward_eager.def, for core.
 * Owner: const data. */
#ifndef SF_APIS_KERNELS_H
#define SF_APIS_KERNELS_H

void sf_apis_init_kernels(void);
void sf_apis_init_backward(void);

#endif
