/* A GraphDef becomes nodes of our graph: read, sorted, built and inferred node by node.
 * Invariant: whatever the bytes hold, the graph stays one that sf_graph_verify accepts; memory and
 * time are bounded by the size of the file. An op that is not known here has unknown outputs.
 * Owner: an SfImport owns what it learns of the file, and the graphs of function bodies; the file's
 * bytes must outlive it, and so must its findings be read before it goes.
 * Source: graph.proto, function.proto; graph_constructor.cc (ImportGraphDef) for rules and
 * messages. */
#ifndef SF_CORE_GRAPHDEF_H
#define SF_CORE_GRAPHDEF_H

#include "core/graph/graph.h"
#include "core/graphdef/wire.h"

typedef struct SfImport SfImport;

/* tf.import_graph_def's input_map: an input that names `name` ("x", "x:1", "^x") gets `tensor`. */
typedef struct SfImportMap {
    const char *name;
    SfTensor tensor;
} SfImportMap;

typedef struct SfImportOptions {
    SfGraph *graph;
    SfSink *sink;
    uint32_t location;
    const char *prefix; /* of node names, without a final slash; NULL or "": none */
    /* A node that is refused becomes one of unknown outputs, and the import goes on (`check`);
     * otherwise it ends there, as TensorFlow's does. */
    bool keep_going;
    /* The graph is a user's, who will add nodes: names are marked as used. */
    bool mark_names;
    SfNode *const *control; /* of nodes without inputs */
    int ncontrol;
    const SfImportMap *map;
    int nmap;
    bool keep_calls; /* for sf_import_calls */
} SfImportOptions;

/* One function as one node calls it: a branch, the body of a loop, a function of the library. */
typedef struct SfImportCall {
    const SfGraph *caller;
    int32_t node; /* in `caller` */
    const char *function;
    size_t function_len;
    SfGraph *body;
    const SfTensor
        *outs; /* of `body`, mostly; an argument that is handed through is the caller's */
    int nouts;
    const SfSpan *arg_names; /* their nodes in `body` are the prefix of its names and this */
    int nargs;
} SfImportCall;

/* NULL: no memory. `o` and what it points to must outlive the import. */
SfImport *sf_import_new(const SfImportOptions *o);
void sf_import_free(SfImport *im);
/* Once for each import. SF_REPORTED with sf_import_error(): the bytes are no GraphDef, or one that
 * asks for more than it may; else the sink has the finding. */
SfStatus sf_import_graph(SfImport *im, SfSpan graph_def);
const char *sf_import_error(const SfImport *im);  /* NULL: the file is well-formed */
int sf_import_count(const SfImport *im);          /* nodes of the file, without function bodies */
int64_t sf_import_body_count(const SfImport *im); /* nodes built in function bodies */
/* The calls that were inferred through their bodies, in the order in which they ended; a loop's
 * body as it was inferred last. They live as long as the import. */
const SfImportCall *sf_import_calls(const SfImport *im, int *n);
int sf_import_producer(const SfImport *im); /* versions.producer; 0: not given */

/* write.c */
/* Graph.as_graph_def: false when memory ran out. `shapes` adds _output_shapes. */
bool sf_graph_write(const SfGraph *g, bool shapes, int producer, SfBytes *out);
/* The records of a trace, each by its own name (sf_trace_name). What comes from outside is an op
 * `constant`, or `fed` where its content is not known; where a record read content of its own, or
 * nobody knows what, it reads "outside_RECORD_INPUT". */
bool sf_trace_graph_write(const SfGraph *records, int producer, const SfOpSig *constant,
                          const SfOpSig *fed, SfBytes *out);

#endif
