/* Asking the CUDA runtime. See cuda.h. */
#include "core/device/cuda.h"

#include <stdbool.h>

#if defined(__has_include) && !defined(SF_NO_CUDA_HEADERS)
#if __has_include(<cuda_runtime_api.h>) && __has_include(<driver_types.h>)
#define HAVE_HEADERS 1
#endif
#endif

#ifdef HAVE_HEADERS

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <driver_types.h>
#include <string.h>

/* The functions as the headers declare them. The properties are asked apart: their function has
 * had two names. */
#define FUNCTIONS(X)                                                                               \
    X(cudaRuntimeGetVersion)                                                                       \
    X(cudaDriverGetVersion)                                                                        \
    X(cudaGetDeviceCount)                                                                          \
    X(cudaDeviceGetAttribute)                                                                      \
    X(cudaDeviceCanAccessPeer)                                                                     \
    X(cudaSetDevice)                                                                               \
    X(cudaMemGetInfo)                                                                              \
    X(cudaDeviceReset)                                                                             \
    X(cudaGetErrorString)

/* cudaDeviceProp is as long as the library's version makes it. All of 11 to 13 begin alike, up to
 * totalGlobalMem; nothing behind it is read. */
typedef union Properties {
    struct cudaDeviceProp known;
    char room[8192];
} Properties;

typedef struct Runtime {
    SfArena *arena;
    const char *path;
    void *handle;
    const char *error;
    cudaError_t (*properties)(Properties *, int);
#define X(name) __typeof__(&(name)) name;
    FUNCTIONS(X)
#undef X
} Runtime;

static SfStatus refuse(Runtime *r, const char *error)
{
    r->error = error;
    return error ? SF_REPORTED : SF_NOMEM;
}

static SfStatus open_library(Runtime *r, const char *const *libraries, int n)
{
    const char *tried = "";
    for (int i = 0; i < n && !r->handle; i++) {
        r->handle = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
        r->path = libraries[i];
        tried = sf_arena_printf(r->arena, "%s%s%s", tried, i > 0 ? ", " : "", libraries[i]);
        SF_TRY_ALLOC(tried);
    }
    return r->handle ? SF_OK
                     : refuse(r, sf_arena_printf(
                                     r->arena, "no CUDA runtime can be opened (tried: %s)", tried));
}

/* A function is no object: its address is copied, not cast. */
static bool find_function(Runtime *r, const char *name, void *into, size_t size)
{
    void *found = dlsym(r->handle, name);
    memcpy(into, &found, size);
    return found != NULL;
}

static SfStatus find_functions(Runtime *r)
{
    const char *missing = NULL;
#define X(name) missing = find_function(r, #name, &r->name, sizeof r->name) ? missing : #name;
    FUNCTIONS(X)
#undef X
    if (!find_function(r, "cudaGetDeviceProperties_v2", &r->properties, sizeof r->properties) &&
        !find_function(r, "cudaGetDeviceProperties", &r->properties, sizeof r->properties)) {
        missing = "cudaGetDeviceProperties";
    }
    return missing ? refuse(r, sf_arena_printf(r->arena, "%s has no function %s", r->path, missing))
                   : SF_OK;
}

static const char *failure(const Runtime *r, const char *what, cudaError_t status)
{
    const char *words = r->cudaGetErrorString(status);
    return sf_arena_printf(r->arena, "%s failed: %s (error %d)", what, words ? words : "?",
                           (int)status);
}

static int major_of(int version)
{
    return version / 1000;
}

static int minor_of(int version)
{
    return version % 1000 / 10;
}

static SfStatus check_versions(Runtime *r, SfCuda *out)
{
    cudaError_t status = r->cudaRuntimeGetVersion(&out->runtime);
    if (status != cudaSuccess) {
        return refuse(r, failure(r, "cudaRuntimeGetVersion", status));
    }
    if (major_of(out->runtime) < SF_CUDA_OLDEST || major_of(out->runtime) > SF_CUDA_NEWEST) {
        return refuse(r, sf_arena_printf(r->arena, "%s is of CUDA %d.%d: %d to %d are understood",
                                         r->path, major_of(out->runtime), minor_of(out->runtime),
                                         (int)SF_CUDA_OLDEST, (int)SF_CUDA_NEWEST));
    }
    status = r->cudaDriverGetVersion(&out->driver);
    return status == cudaSuccess ? SF_OK : refuse(r, failure(r, "cudaDriverGetVersion", status));
}

static SfStatus count_gpus(Runtime *r, SfCuda *out)
{
    int n = 0;
    const cudaError_t status = r->cudaGetDeviceCount(&n);
    if (status == cudaErrorInsufficientDriver && out->driver == 0) {
        return refuse(
            r, sf_arena_printf(r->arena, "no NVIDIA driver is loaded (%s is there)", r->path));
    }
    if (status == cudaErrorInsufficientDriver) {
        return refuse(r, sf_arena_printf(r->arena,
                                         "the NVIDIA driver is for CUDA %d.%d, too old for %s of "
                                         "CUDA %d.%d",
                                         major_of(out->driver), minor_of(out->driver), r->path,
                                         major_of(out->runtime), minor_of(out->runtime)));
    }
    if (status == cudaErrorNoDevice || (status == cudaSuccess && n <= 0)) {
        return refuse(r, "this machine has no NVIDIA GPU that CUDA can use");
    }
    if (status != cudaSuccess) {
        return refuse(r, failure(r, "cudaGetDeviceCount", status));
    }
    out->n = n < SF_CUDA_MAX_GPUS ? n : SF_CUDA_MAX_GPUS;
    return SF_OK;
}

/* 0 where the library does not know the attribute. */
static int attribute(const Runtime *r, enum cudaDeviceAttr which, int gpu)
{
    int value = 0;
    return r->cudaDeviceGetAttribute(&value, which, gpu) == cudaSuccess ? value : 0;
}

/* Asks for the memory of one GPU: this makes a context, which itself takes memory of the GPU,
 * and destroys it. */
static const char *ask_memory(const Runtime *r, int gpu, SfCudaGpu *out)
{
    size_t free_bytes = 0, total = 0;
    const char *what = "cudaSetDevice";
    cudaError_t status = r->cudaSetDevice(gpu);
    if (status == cudaSuccess) {
        what = "cudaMemGetInfo";
        status = r->cudaMemGetInfo(&free_bytes, &total);
        const cudaError_t gone = r->cudaDeviceReset();
        if (status == cudaSuccess && gone != cudaSuccess) {
            what = "cudaDeviceReset";
            status = gone;
        }
    }
    if (status != cudaSuccess) {
        return failure(r, what, status);
    }
    out->free = (int64_t)free_bytes;
    out->total = (int64_t)total;
    return NULL;
}

static SfStatus ask_gpu(Runtime *r, int gpu, int n, SfCudaGpu *out)
{
    Properties *p = sf_arena_alloc(r->arena, sizeof *p);
    SF_TRY_ALLOC(p);
    const cudaError_t status = r->properties(p, gpu);
    if (status != cudaSuccess) {
        return refuse(r, failure(r, "cudaGetDeviceProperties", status));
    }
    out->name = sf_arena_strndup(r->arena, p->known.name, strnlen(p->known.name, 255));
    SF_TRY_ALLOC(out->name);
    out->total = (int64_t)p->known.totalGlobalMem;
    out->free = -1;
    out->capability = 10 * attribute(r, cudaDevAttrComputeCapabilityMajor, gpu) +
                      attribute(r, cudaDevAttrComputeCapabilityMinor, gpu);
    out->sms = attribute(r, cudaDevAttrMultiProcessorCount, gpu);
    out->clock_khz = attribute(r, cudaDevAttrClockRate, gpu);
    out->memory_clock_khz = attribute(r, cudaDevAttrMemoryClockRate, gpu);
    out->bus_bits = attribute(r, cudaDevAttrGlobalMemoryBusWidth, gpu);
    for (int i = 0; i < n; i++) {
        int can = 0;
        if (i != gpu && r->cudaDeviceCanAccessPeer(&can, gpu, i) == cudaSuccess && can) {
            out->peers |= (uint64_t)1 << i;
        }
    }
    out->note = ask_memory(r, gpu, out);
    return SF_OK;
}

static SfStatus query(Runtime *r, const char *const *libraries, int n, SfCuda *out)
{
    SF_TRY(open_library(r, libraries, n));
    SF_TRY(find_functions(r));
    SF_TRY(check_versions(r, out));
    SF_TRY(count_gpus(r, out));
    out->library = r->path;
    out->gpus = sf_arena_alloc(r->arena, (size_t)out->n * sizeof *out->gpus);
    SF_TRY_ALLOC(out->gpus);
    for (int i = 0; i < out->n; i++) {
        SF_TRY(ask_gpu(r, i, out->n, &out->gpus[i]));
    }
    return SF_OK;
}

SfStatus sf_cuda_query(SfArena *arena, const char *const *libraries, int n, SfCuda *out,
                       const char **error)
{
    Runtime r = {.arena = arena};
    *out = (SfCuda){0};
    const SfStatus status = query(&r, libraries, n, out);
    *error = r.error;
    if (r.handle) {
        (void)dlclose(r.handle);
    }
    return status;
}

#else

SfStatus sf_cuda_query(SfArena *arena, const char *const *libraries, int n, SfCuda *out,
                       const char **error)
{
    (void)arena;
    (void)libraries;
    (void)n;
    *out = (SfCuda){0};
    *error = "this build of ShapeFlow was made without the headers of the CUDA runtime "
             "(nvidia-cuda-runtime-cu12): only GPUs of the catalogue can be named";
    return SF_REPORTED;
}

#endif
