/* A libcudart for tests: GPUs that are not there, and every failure. FAKE_CUDART says what it is:
 * words of name=number, "runtime=12090 driver=12090 gpus=2 cudaMemGetInfo=2": a function's name
 * gives the error that it returns. Signatures: cuda_runtime_api.h, with plain types, so that it is
 * built without the headers. -DFAKE_INCOMPLETE leaves cudaMemGetInfo out, -DFAKE_OLD_NAMES gives
 * cudaGetDeviceProperties its old name. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSUFFICIENT_DRIVER = 35, NO_DEVICE = 100, MEMORY_CLOCK = 36 };

int fake_contexts; /* that were made and not destroyed */
static int device = -1;

static int said(const char *name, int otherwise)
{
    const char *text = getenv("FAKE_CUDART");
    const char *at = text ? strstr(text, name) : NULL;
    return at && at[strlen(name)] == '=' ? atoi(at + strlen(name) + 1) : otherwise;
}

int cudaRuntimeGetVersion(int *version)
{
    *version = said("runtime", 12090);
    return said("cudaRuntimeGetVersion", 0);
}

int cudaDriverGetVersion(int *version)
{
    *version = said("driver", 12090);
    return said("cudaDriverGetVersion", 0);
}

int cudaGetDeviceCount(int *n)
{
    *n = said("gpus", 2);
    if (said("driver", 12090) < said("runtime", 12090)) {
        return INSUFFICIENT_DRIVER;
    }
    return said("cudaGetDeviceCount", *n == 0 ? NO_DEVICE : 0);
}

#ifdef FAKE_OLD_NAMES
#define GET_PROPERTIES cudaGetDeviceProperties
#else
#define GET_PROPERTIES cudaGetDeviceProperties_v2
#endif

int GET_PROPERTIES(char *properties, int gpu)
{
    const size_t total = (size_t)24 << 30;
    if (said("crash", 0)) {
        abort();
    }
    (void)snprintf(properties, 256, "NVIDIA Fake %d", gpu);
    if (said("a10", 0)) {
        (void)snprintf(properties, 256, "NVIDIA A10");
    }
    memcpy(properties + 288, &total, sizeof total); /* behind name, uuid, luid and its mask */
    return said("cudaGetDeviceProperties", 0);
}

int cudaDeviceGetAttribute(int *value, int which, int gpu)
{
    static const int known[][2] = {{75, 8},       {76, 6},       {16, 72},
                                   {13, 1695000}, {36, 6251000}, {37, 384}};
    (void)gpu;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i][0] == which) {
            *value = known[i][1];
            return said("cudaDeviceGetAttribute", 0);
        }
    }
    return 1;
}

int cudaDeviceCanAccessPeer(int *can, int gpu, int peer)
{
    *can = gpu != peer && said("peers", 1);
    return said("cudaDeviceCanAccessPeer", 0);
}

int cudaSetDevice(int gpu)
{
    device = gpu;
    fake_contexts++; /* since CUDA 12 */
    return said("cudaSetDevice", 0);
}

#ifndef FAKE_INCOMPLETE
int cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    *total = (size_t)24 << 30;
    *free_bytes = *total - ((size_t)1 << 30) * (size_t)(device + 1);
    return said("cudaMemGetInfo", 0);
}
#endif

int cudaDeviceReset(void)
{
    fake_contexts--;
    return said("cudaDeviceReset", 0);
}

const char *cudaGetErrorString(int error)
{
    return error == 2 ? "out of memory" : error == 999 ? NULL : "some error";
}
