/* The words that the headers of the CUDA runtime are decorated with, as plain C reads them.
 * Used where no crt/host_defines.h is installed: NVIDIA ships that with its compiler, and not with
 * nvidia-cuda-runtime-cu12, whose headers include it. Source: the CUDA C++ programming guide. */
#ifndef SF_CORE_CUDA_HOST_DEFINES_H
#define SF_CORE_CUDA_HOST_DEFINES_H

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cuda_builtin_vector_align8(tag, members)                                                 \
    struct __attribute__((aligned(8))) tag {                                                       \
        members                                                                                    \
    }
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDAAPI
#define CUDARTAPI_CDECL

#endif
