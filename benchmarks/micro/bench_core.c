/* Nanoseconds of the core's hot paths, without Python: interning, inference, building, a memoised
 * run, and a graph of a million nodes. Usage: bench_core [SCALE]; SCALE 1 (the smallest) is for
 * counting instructions, 100 (the default) for times. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "apis/apis.h"
#include "core/session/session.h"
#include "lattice/intern.h"

typedef struct Bench {
    SfGraph *graph;
    SfSink sink;
    SfArena scratch;
    SfBuilder b;
} Bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* All that malloc has given away: node list and name tables count as the arena does. */
static size_t heap_bytes(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void row(const char *what, double start, long n)
{
    printf("%-44s %9.1f ns\n", what, (now() - start) / (double)n);
}

static void open_bench(Bench *k)
{
    k->graph = sf_graph_new(SF_VERSION(1, 15));
    sf_sink_init(&k->sink);
    sf_arena_init(&k->scratch);
    k->b = (SfBuilder){.graph = k->graph,
                       .sink = &k->sink,
                       .version = SF_VERSION(1, 15),
                       .device = "",
                       .scratch = &k->scratch};
}

static void close_bench(Bench *k)
{
    sf_graph_free(k->graph);
    sf_sink_free(&k->sink);
    sf_arena_free(&k->scratch);
}

/* One op; ends the program when it is refused, which would make the numbers worthless. */
static SfTensor op(Bench *k, const char *type, const SfTensor *in, int nin, const SfAttrArg *attrs,
                   int nattrs)
{
    SfTensor out[4];
    int nout = 0;
    if (sf_build(&k->b, sf_op_find(type), NULL, in, nin, NULL, attrs, nattrs, out, 4, &nout) !=
        SF_OK) {
        fprintf(stderr, "%s: %s\n", type, k->sink.last ? k->sink.last->message : "no memory");
        exit(1);
    }
    return out[0];
}

static SfTensor placeholder(Bench *k, int rank, const SfDim *dims)
{
    const SfAttrArg attrs[] = {SF_ATYPE("dtype", SF_DT_FLOAT),
                               SF_ASHAPE("shape", sf_shape_make(rank, dims))};
    return op(k, "Placeholder", NULL, 0, attrs, SF_ARRAY_LEN(attrs));
}

static void bench_lattice(long n)
{
    const SfDim a[] = {32, 28, 28, 1};
    const SfShape *s = sf_shape_make(4, a), *b = sf_shape_vector(1);
    double t = now();
    for (long i = 0; i < n; i++) {
        s = sf_shape_make(4, a);
    }
    row("sf_shape_make, known before", t, n);
    t = now();
    for (long i = 0; i < n; i++) {
        s = sf_shape_broadcast(s, b, NULL);
    }
    row("sf_shape_broadcast [32,28,28,1] with [1]", t, n);
}

static void bench_build(long n)
{
    static const char *const ops[] = {"Relu", "Add", "MatMul"};
    for (int o = 0; o < SF_ARRAY_LEN(ops); o++) {
        Bench k;
        open_bench(&k);
        const SfTensor x = placeholder(&k, 2, (const SfDim[]){SF_DIM_UNKNOWN, 64});
        const SfTensor w = placeholder(&k, 2, (const SfDim[]){64, 64});
        const SfTensor in[] = {x, o == 2 ? w : x};
        const double t = now();
        for (long i = 0; i < n; i++) {
            (void)op(&k, ops[o], in, o == 0 ? 1 : 2, NULL, 0);
        }
        char what[64];
        snprintf(what, sizeof what, "sf_build %s", ops[o]);
        row(what, t, n);
        close_bench(&k);
    }
}

/* x -> relu(x w) over and over: what a deep net's graph is made of. */
static void bench_chain(long n)
{
    Bench k;
    open_bench(&k);
    const SfTensor w = placeholder(&k, 2, (const SfDim[]){64, 64});
    SfTensor x = placeholder(&k, 2, (const SfDim[]){SF_DIM_UNKNOWN, 64});
    const size_t before = heap_bytes();
    const double t = now();
    for (long i = 0; i < n; i += 2) {
        x = op(&k, "MatMul", (const SfTensor[]){x, w}, 2, NULL, 0);
        x = op(&k, "Relu", &x, 1, NULL, 0);
    }
    row("a chain of MatMul and Relu, per node", t, n);
    printf("%-44s %9.1f bytes\n", "  memory per node", (double)(heap_bytes() - before) / (double)n);
    close_bench(&k);
}

static void bench_run(long n)
{
    Bench k;
    open_bench(&k);
    const SfTensor x = placeholder(&k, 2, (const SfDim[]){SF_DIM_UNKNOWN, 784});
    const SfTensor w = placeholder(&k, 2, (const SfDim[]){784, 10});
    const SfTensor y =
        op(&k, "Relu", (const SfTensor[]){op(&k, "MatMul", (const SfTensor[]){x, w}, 2, NULL, 0)},
           1, NULL, 0);
    SfSession *s = sf_session_new(k.graph);
    SfPlan *plan = NULL;
    const SfTensor fed[] = {x, w};
    if (s == NULL || sf_session_plan(s, &y, 1, NULL, 0, fed, 2, &k.sink, &plan) != SF_OK) {
        exit(1);
    }
    const SfFeed feeds[] = {{.target = x, .shape = sf_shape_matrix(16, 784)},
                            {.target = w, .shape = sf_shape_matrix(784, 10)}};
    SfTensor result;
    bool hit = false;
    uint64_t id = 0;
    const double t = now();
    for (long i = 0; i < n; i++) {
        if (sf_plan_run(plan, feeds, 2, &k.sink, &result, &hit, &id) != SF_OK) {
            exit(1);
        }
    }
    row("a run known before (two feeds, one fetch)", t, n);
    sf_session_free(s);
    close_bench(&k);
}

int main(int argc, char **argv)
{
    const long scale = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    if (scale < 1 || sf_apis_init() != SF_OK) {
        fprintf(stderr, "usage: bench_core [SCALE >= 1]\n");
        return 2;
    }
    bench_lattice(scale * 10000);
    bench_build(scale * 1000);
    bench_run(scale * 10000);
    bench_chain(scale * 10000);
    sf_intern_reset();
    return 0;
}
