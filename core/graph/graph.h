/* The shape computational graph: nodes, control edges, names and scopes.
 * Invariant: node ids are dense and in creation order; only back edges of while loops (into Merge)
 * point to later nodes; names are unique under TensorFlow's rules.
 * Owner: the graph's arena holds nodes, names, attrs; sf_graph_free frees all at once. A graph is
 * used by one thread at a time (pymodule holds the GIL).
 * Source: tf.Graph; Verma and Su 2020, section 3.2 (SF_Operation nodes). */
#ifndef SF_CORE_GRAPH_H
#define SF_CORE_GRAPH_H

#include "core/op/infer.h"

SfGraph *sf_graph_new(int version); /* emulated version, SF_VERSION(1, 15); NULL: no memory */
void sf_graph_free(SfGraph *g);
int sf_graph_version(const SfGraph *g);
void sf_graph_set_version(SfGraph *g, int version);
/* Whether messages print unknown dims of a TensorShape as None (TensorFlow 2) or ?. set_version
 * chooses by the version; tf.disable_v2_tensorshape() is what else turns it off. */
void sf_graph_set_v2_shapes(SfGraph *g, bool on);
/* A number that no other graph of this process had or will have. */
uint64_t sf_graph_serial(const SfGraph *g);
int sf_graph_size(const SfGraph *g);
SfNode *sf_graph_node(const SfGraph *g, int id);
SfNode *sf_graph_find(const SfGraph *g, const char *name); /* by node name; NULL */
SfArena *sf_graph_arena(SfGraph *g);
void sf_graph_finalize(SfGraph *g);
void sf_graph_unfinalize(SfGraph *g);
bool sf_graph_is_finalized(const SfGraph *g);
/* From now on a run takes the outputs of `n` from its caller: sf_plan_supply in session.h. */
SfStatus sf_node_make_source(SfNode *n);
bool sf_graph_has_sources(const SfGraph *g);
/* Says what a node is of a TensorArray: which memory it stands for (core/analysis). */
SfStatus sf_node_set_array(SfNode *n, SfArrayPart part);
/* The first invariant that the graph breaks, as text, or NULL: switched on in tests. */
const char *sf_graph_verify(const SfGraph *g);

/* names (TensorFlow's Graph.unique_name and name_scope) */
/* A name not used before, from `name` within the current scope; marks it as used when `mark`.
 * Case-insensitive comparison as in TensorFlow (from 1.13 on); the result lives in the graph's
 * arena. */
const char *sf_graph_unique_name(SfGraph *g, const char *name, bool mark);
/* Enters name scope `name` (made unique); "x/" re-enters x as it is; NULL or "" leaves to the root.
 * Returns the full scope with its final slash ("" at root) and *previous for sf_graph_set_scope. */
const char *sf_graph_enter_scope(SfGraph *g, const char *name, const char **previous);
void sf_graph_set_scope(SfGraph *g, const char *scope);
const char *sf_graph_scope(const SfGraph *g); /* "" or "a/b" without the final slash */
/* TensorFlow 2's op-name regex, which accepts all that TensorFlow 1's does; enter_scope does not
 * check its name. */
bool sf_name_is_valid(const char *name, bool at_root);

/* building */
/* The state of a build: what applies to every op made next. Eager when graph is NULL. */
typedef struct SfBuilder {
    SfGraph *graph;
    SfSink *sink;
    int version;
    uint32_t location;
    const char *device;
    uint32_t device_location;      /* of the code that asks for `device` */
    const SfNode *sequence_step;   /* of the next nodes' context (node.h) */
    int32_t parallel;              /* the same */
    int32_t recomputed;            /* the same */
    const SfOpSig **own_gradients; /* ops that the program has gradients of its own for */
    int nown_gradients;            /* -1: all */
    SfNode *const *colocation;     /* nodes that the next ones are colocated with */
    int ncolocation;
    SfNode *const *control; /* control inputs for the next nodes */
    int ncontrol;
    SfArena *scratch;      /* reset by core after each op; NULL in graph mode: the graph's */
    struct SfTrace *trace; /* eager mode: records what ran (trace.h); NULL: no record */
    int *out_sizes;   /* NULL, or gets how many tensors each output of the signature stands for */
    bool exact_names; /* names are full, taken as they are, and known to be new: import */
    uint32_t polls;   /* for sf_interrupt_wanted */
    uint64_t made;    /* ops that were made, and those of them with an output of unknown rank */
    uint64_t unknown;
    bool is_body;         /* of a function that may never be called: see sf_build_may_not_run */
    const char *function; /* eager mode: the tf.function whose body runs; NULL: none */
    int64_t batch;        /* size of the batch that the function took from an iterator; 0: none */
    /* Session-less state for eager resources: not modelled here (variables are Python's there). */
} SfBuilder;

/* An attr given by the caller: overrides the default. */
typedef struct SfAttrArg {
    const char *name;
    SfAttr value;
} SfAttrArg;

/* Makes one op: validates arity, dtypes and attrs (TypeError / ValueError in TensorFlow's message),
 * deduces type and number attrs from the inputs, infers, and in graph mode adds the node.
 * inputs: flat. `list_sizes` gives, for each list input of the signature in order, how many flat
 * inputs belong to it; NULL when there is none or the one list input takes what is left.
 * outs must have room for `max_outs` tensors; *nout is the real number.
 * name NULL: the op's type. On SF_REPORTED no node was added (the name stays used). */
SfStatus sf_build(SfBuilder *b, const SfOpSig *op, const char *name, const SfTensor *inputs,
                  int ninputs, const int *list_sizes, const SfAttrArg *attrs, int nattrs,
                  SfTensor *outs, int max_outs, int *nout);
/* Is what is made next in the branch of a cond, the body of a loop or of a function? Whether it
 * runs is not known, so what only a run would refuse (a deferred finding) is left for the run to
 * report. */
bool sf_build_may_not_run(const SfBuilder *b);
/* Adds a control edge after the fact (import, tests); refuses nothing. */
SfStatus sf_node_add_control(SfNode *n, SfNode *control);
/* Places a node elsewhere after the fact; `device` is copied. */
SfStatus sf_node_set_device(SfNode *n, const char *device);
/* Replaces input i (the back edge of a while loop: NextIteration into Merge). */
SfStatus sf_node_set_input(SfNode *n, int i, SfTensor t);
/* tf.Tensor.set_shape: meets the static shape of an output; SF124 when contradictory. */
SfStatus sf_output_set_shape(SfNode *n, int output, const SfShape *s, SfSink *sink);

/* what is unmodelled (core/graph/unmodelled.c, placeholder_op.c) */
/* What is unknown (or, of a dtype, assumed) because something is not modelled says nothing about
 * the program: real TensorFlow knows more. A check that would fail because of it must not. */
typedef enum SfUnmodelledFact { SF_UNMODELLED_SHAPE, SF_UNMODELLED_DTYPE } SfUnmodelledFact;
/* True when `t` was computed from something that is not modelled. All questions about a graph cost
 * one look at each of its nodes together, and none at all while nothing in it is unmodelled. */
bool sf_tensor_is_unmodelled(const SfTensor *t, SfUnmodelledFact what);
bool sf_graph_has_unmodelled_op(const SfGraph *g); /* whose shapes TensorFlow may know */
bool sf_tensors_have_unmodelled(const SfTensor *t, int n, SfUnmodelledFact what);
/* `t` with the dtype that its consumer wants, its own being unmodelled. */
SfStatus sf_build_retyped(SfBuilder *b, const SfTensor *t, SfDtype dtype, SfTensor *out);
/* The outputs of an `op` that could not be judged, computed from `in`. */
SfStatus sf_build_unmodelled(SfBuilder *b, const SfOpSig *op, const char *name, const SfTensor *in,
                             int nin, SfTensor *outs, int max_outs, int *nout);

/* gradients (core/analysis/gradient.c) */
typedef enum SfGradientKind {
    SF_GRADIENT_NONE,
    SF_GRADIENT_DENSE,
    SF_GRADIENT_SLICES /* IndexedSlices: every path enters x by an indexed read such as Gather */
} SfGradientKind;
typedef struct SfGradient {
    SfGradientKind kind;
    SfDim rows;      /* of slices: how many, those of several reads together */
    SfDtype indices; /* of slices: those of one of the reads */
} SfGradient;
/* What gradient of ys arrives at each x, through differentiable inputs; none at tensors without a
 * node. SF207 when a path crosses an op without a gradient. */
SfStatus sf_graph_connected(SfGraph *g, const SfTensor *ys, int ny, const SfTensor *xs, int nx,
                            const SfTensor *stops, int nstop, SfGradient *out, SfSink *sink);

#endif
