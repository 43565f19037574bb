/* The CUDA runtime, asked through a libcudart of ours (tests/c/fake/cudart.c). */
#include "core/device/cuda.h"
#include "tests/c/core/kit.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef SF_FAKE_CUDART

static const char *ask(SfArena *a, const char *library, const char *fake, SfCuda *out)
{
    const char *error = NULL;
    const char *libraries[] = {"libcudart-of-nobody.so", library};
    cr_assert(setenv("FAKE_CUDART", fake, 1) == 0);
    const SfStatus status = sf_cuda_query(a, libraries, 2, out, &error);
    cr_expect_eq(status == SF_REPORTED, error != NULL);
    return error ? error : "";
}

static const struct {
    const char *library, *fake, *error;
} failures[] = {
    {"libcudart-of-no-one.so", "",
     "no CUDA runtime can be opened (tried: libcudart-of-nobody.so, "},
    {SF_FAKE_CUDART_INCOMPLETE, "", "has no function cudaMemGetInfo"},
    {SF_FAKE_CUDART, "runtime=10020", "is of CUDA 10.2: 11 to 13 are understood"},
    {SF_FAKE_CUDART, "runtime=14000", "is of CUDA 14.0: 11 to 13 are understood"},
    {SF_FAKE_CUDART, "cudaRuntimeGetVersion=3",
     "cudaRuntimeGetVersion failed: some error (error 3)"},
    {SF_FAKE_CUDART, "cudaDriverGetVersion=999", "cudaDriverGetVersion failed: ? (error 999)"},
    {SF_FAKE_CUDART, "driver=0", "no NVIDIA driver is loaded"},
    {SF_FAKE_CUDART, "driver=11040", "the NVIDIA driver is for CUDA 11.4, too old for "},
    {SF_FAKE_CUDART, "gpus=0", "this machine has no NVIDIA GPU that CUDA can use"},
    {SF_FAKE_CUDART, "cudaGetDeviceCount=3", "cudaGetDeviceCount failed: some error (error 3)"},
    {SF_FAKE_CUDART, "cudaGetDeviceProperties=3", "cudaGetDeviceProperties failed: some error"},
};

Test(cuda, each_failure_has_its_words)
{
    for (int i = 0; i < SF_ARRAY_LEN(failures); i++) {
        SfArena a;
        SfCuda cuda;
        sf_arena_init(&a);
        const char *got = ask(&a, failures[i].library, failures[i].fake, &cuda);
        cr_expect(strstr(got, failures[i].error), "%s: %s", failures[i].error, got);
        sf_arena_free(&a);
    }
}

static void expect_gpus(const char *library, const char *fake)
{
    SfArena a;
    SfCuda cuda;
    sf_arena_init(&a);
    cr_assert_str_eq(ask(&a, library, fake, &cuda), "");
    cr_assert_eq(cuda.n, 2);
    cr_expect_eq(cuda.runtime / 1000, atoi(strchr(fake, '=') + 1) / 1000);
    const SfCudaGpu *g = &cuda.gpus[1];
    cr_expect_str_eq(g->name, "NVIDIA Fake 1");
    cr_expect_eq(g->total, (int64_t)24 << 30);
    cr_expect_eq(g->free, (int64_t)22 << 30);
    cr_expect(g->capability == 86 && g->sms == 72 && g->clock_khz == 1695000);
    cr_expect(g->memory_clock_khz == 6251000 && g->bus_bits == 384);
    cr_expect_eq(g->peers, 1);
    cr_expect_eq(cuda.gpus[0].peers, 2);
    cr_expect_null(g->note);
    sf_arena_free(&a);
}

Test(cuda, gpus_are_told_by_each_version)
{
    expect_gpus(SF_FAKE_CUDART, "runtime=12090");
    expect_gpus(SF_FAKE_CUDART_OLD_NAMES, "runtime=11080");
    expect_gpus(SF_FAKE_CUDART_OLD_NAMES, "runtime=13000 driver=13000");
}

static const struct {
    const char *fake, *note;
} notes[] = {
    {"cudaSetDevice=46", "cudaSetDevice failed: some error (error 46)"},
    {"cudaMemGetInfo=2", "cudaMemGetInfo failed: out of memory (error 2)"},
    {"cudaDeviceReset=3", "cudaDeviceReset failed: some error (error 3)"},
};

Test(cuda, a_gpu_that_does_not_say_what_is_free_keeps_the_rest)
{
    for (int i = 0; i < SF_ARRAY_LEN(notes); i++) {
        SfArena a;
        SfCuda cuda;
        sf_arena_init(&a);
        cr_assert_str_eq(ask(&a, SF_FAKE_CUDART, notes[i].fake, &cuda), "");
        cr_expect_str_eq(cuda.gpus[0].note, notes[i].note);
        cr_expect_eq(cuda.gpus[0].free, -1);
        cr_expect_eq(cuda.gpus[0].total, (int64_t)24 << 30);
        sf_arena_free(&a);
    }
}

Test(cuda, attributes_that_the_library_does_not_know_are_0)
{
    SfArena a;
    SfCuda cuda;
    sf_arena_init(&a);
    cr_assert_str_eq(
        ask(&a, SF_FAKE_CUDART, "cudaDeviceGetAttribute=1 cudaDeviceCanAccessPeer=1", &cuda), "");
    cr_expect(cuda.gpus[0].sms == 0 && cuda.gpus[0].capability == 0 && cuda.gpus[0].peers == 0);
    sf_arena_free(&a);
}

Test(cuda, no_context_is_left)
{
    void *kept = dlopen(SF_FAKE_CUDART, RTLD_NOW); /* so that its counter outlives the query */
    cr_assert(kept);
    const int *contexts = dlsym(kept, "fake_contexts");
    SfArena a;
    SfCuda cuda;
    sf_arena_init(&a);
    (void)ask(&a, SF_FAKE_CUDART, "gpus=3", &cuda);
    cr_expect_eq(cuda.n, 3);
    (void)ask(&a, SF_FAKE_CUDART, "cudaMemGetInfo=2", &cuda);
    cr_expect_eq(*contexts, 0);
    sf_arena_free(&a);
    (void)dlclose(kept);
}

#else

Test(cuda, a_build_without_headers_says_so)
{
    SfArena a;
    SfCuda cuda;
    const char *error = NULL;
    sf_arena_init(&a);
    cr_assert(sf_cuda_query(&a, NULL, 0, &cuda, &error) == SF_REPORTED);
    cr_expect(strstr(error, "without the headers of the CUDA runtime"));
    sf_arena_free(&a);
}

#endif
