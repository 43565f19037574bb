/* Reads a frozen GraphDef and infers every node, again and again.
 * Usage: bench_graphdef FILE [SECONDS]; prints nodes, operations (nodes that are neither Const nor
 * Identity, which ONNX has as initialisers), nanoseconds to read, build and infer the whole file, and
 * of these the inference alone (every node once more): the best of all. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "apis/apis.h"
#include "core/graphdef/graphdef.h"
#include "lattice/intern.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static SfSpan map_file(const char *path)
{
    struct stat st;
    const int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) < 0 || st.st_size <= 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (p == MAP_FAILED) {
        exit(1);
    }
    return (SfSpan){p, (size_t)st.st_size};
}

/* Every node once more, from its inputs as they are. */
static double infer_all(SfGraph *g, SfSink *sink)
{
    SfArena scratch;
    SfTensor outs[64];
    sf_arena_init(&scratch);
    const double start = now();
    for (int i = 0; i < sf_graph_size(g); i++) {
        SfNode *n = sf_graph_node(g, i);
        if (n->nout > SF_ARRAY_LEN(outs)) {
            continue;
        }
        for (int k = 0; k < n->nout; k++) {
            outs[k] = n->outputs[k];
        }
        if (sf_infer_run(&(SfInferArgs){.sig = n->sig,
                                        .attrs = n->attrs,
                                        .inputs = n->inputs,
                                        .nin = n->nin,
                                        .outs = outs,
                                        .nout = n->nout,
                                        .node = n,
                                        .name = n->name,
                                        .version = SF_VERSION(2, 21),
                                        .phase = SF_PHASE_BUILD,
                                        .sink = sink,
                                        .scratch = &scratch}) != SF_OK) {
            fprintf(stderr, "%s: refused\n", n->name);
            exit(1);
        }
        sf_arena_reset(&scratch);
    }
    const double spent = now() - start;
    sf_arena_free(&scratch);
    return spent;
}

/* One import; counts the nodes and operations. The nanoseconds of the inference alone. */
static double import(SfSpan file, int *nodes, int *operations, double *all)
{
    const double start = now();
    SfSink sink;
    sf_sink_init(&sink);
    SfGraph *g = sf_graph_new(SF_VERSION(2, 21));
    SfImport *im = g ? sf_import_new(&(SfImportOptions){.graph = g, .sink = &sink}) : NULL;
    if (!im || sf_import_graph(im, file) != SF_OK || sink.count > 0) {
        fprintf(stderr, "%s\n", im && sf_import_error(im) ? sf_import_error(im) : "a finding");
        exit(1);
    }
    *all = now() - start;
    *nodes = sf_graph_size(g);
    *operations = 0;
    for (int i = 0; i < *nodes; i++) {
        const char *op = sf_graph_node(g, i)->sig->def->name;
        *operations += strcmp(op, "Const") != 0 && strcmp(op, "Identity") != 0;
    }
    const double inference = infer_all(g, &sink);
    sf_import_free(im);
    sf_graph_free(g);
    sf_sink_free(&sink);
    return inference;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 2;
    if (argc < 2 || seconds <= 0 || sf_apis_init() != SF_OK) {
        fprintf(stderr, "usage: bench_graphdef FILE [SECONDS]\n");
        return 2;
    }
    const SfSpan file = map_file(argv[1]);
    int nodes = 0, operations = 0;
    double best = 1e30, best_inference = 1e30, all;
    (void)import(file, &nodes, &operations, &all); /* the page cache, the interners */
    for (const double start = now(); now() - start < seconds * 1e9;) {
        const double inference = import(file, &nodes, &operations, &all);
        best = all < best ? all : best;
        best_inference = inference < best_inference ? inference : best_inference;
    }
    printf("%d %d %.0f %.0f\n", nodes, operations, best, best_inference);
    sf_intern_reset();
    return 0;
}
