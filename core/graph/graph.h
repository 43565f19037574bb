/* The shape computational graph: nodes, control edges, names and scopes.
 * Invariant: node ids are dense and in creation order; only back edges of while loops (into Merge)
 * point to later nodes; names are unique under TensorFlow's rules.
 * Owner: the graph's arena holds nodes, names, attrs; sf_graph_free frees all at once. A graph is
 * used by one thread at a time (pymodule holds the GIL).
 * Source: tf.Graph; Verma and Su 2020, section 3.2 (SF_Operation nodes). */
#ifndef SF_CORE_GRAPH_H
#define SF_CORE_GRAPH_H

#include "core/op/diag.h"
#include "core/op/infer.h"
#include "core/op/op.h"

typedef struct SfGraph SfGraph;

typedef struct SfControlList {
    int n;
    SfNode **items;
} SfControlList;

/* What surrounds a node; neighbours share it, for they are made in the same `with` blocks. */
typedef struct SfNodeContext {
    SfControlList control;
    const char *device; /* "" when unset; modelled by name only */
    bool source;        /* sf_node_make_source */
    bool failed;        /* its error was reported and the build went on: outputs are guesses */
} SfNodeContext;

/* 80 bytes, inputs and outputs apart: a graph has up to millions of them. */
struct SfNode {
    const SfOpSig *sig;
    SfGraph *graph;
    const char *name;
    int32_t id;
    int32_t nin, nout;
    uint32_t location;            /* opaque: where in the user's program it was made; 0 = nowhere */
    SfTensor *inputs;             /* as static inference left them: input i's node, index, shape */
    SfTensor *outputs;            /* static shapes and values */
    SfAttr *attrs;                /* sig->nattr entries, parallel to sig->attrs */
    const SfNodeContext *context; /* never NULL */
    void *user;                   /* pymodule's Operation object cache; never read here */
};

SfGraph *sf_graph_new(int version); /* emulated version, SF_VERSION(1, 15); NULL: no memory */
void sf_graph_free(SfGraph *g);
int sf_graph_version(const SfGraph *g);
void sf_graph_set_version(SfGraph *g, int version);
/* Whether messages print unknown dims of a TensorShape as None (TensorFlow 2) or ?. set_version
 * chooses by the version; tf.disable_v2_tensorshape() is what else turns it off. */
void sf_graph_set_v2_shapes(SfGraph *g, bool on);
/* A shape as str(TensorShape) prints it, which for a known one is numpy's too: (64, 784), (3,), (),
 * (?, 784) or (None, 784), <unknown>. Returns the length that was needed, like snprintf. */
int sf_shape_format_tuple(const SfShape *s, bool v2, char *buf, size_t size);
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
/* The first invariant that the graph breaks, as text, or NULL: switched on in tests. */
const char *sf_graph_verify(const SfGraph *g);

/* names (TensorFlow's Graph.unique_name and name_scope) */
/* A name not used before, from `name` within the current scope; marks it as used when `mark`.
 * Case-insensitive comparison as in TensorFlow (from 1.13 on); the result lives in the graph's arena. */
const char *sf_graph_unique_name(SfGraph *g, const char *name, bool mark);
/* Enters name scope `name` (made unique); "x/" re-enters x as it is; NULL or "" leaves to the root.
 * Returns the full scope with its final slash ("" at root) and *previous for sf_graph_set_scope. */
const char *sf_graph_enter_scope(SfGraph *g, const char *name, const char **previous);
void sf_graph_set_scope(SfGraph *g, const char *scope);
const char *sf_graph_scope(const SfGraph *g); /* "" or "a/b" without the final slash */
/* TensorFlow 2's op-name regex, which accepts all that TensorFlow 1's does; enter_scope does not
 * judge its name. */
bool sf_name_is_valid(const char *name, bool at_root);

/* building */
/* The state of a build: what applies to every op made next. Eager when graph is NULL. */
typedef struct SfBuilder {
    SfGraph *graph;
    SfSink *sink;
    int version;
    uint32_t location;
    const char *device;
    SfNode *const *control; /* control inputs for the next nodes */
    int ncontrol;
    SfArena *scratch;      /* reset by core after each op; NULL in graph mode: the graph's */
    struct SfTrace *trace; /* eager mode: records what ran (trace.h); NULL: nobody asks */
    int *out_sizes;   /* NULL, or gets how many tensors each output of the signature stands for */
    bool exact_names; /* names are full, taken as they are, and known to be new: import */
    bool is_body;     /* of a function that may never be called: see sf_build_may_not_run */
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
/* Is what is made next in the branch of a cond, the body of a loop or of a function? Whether it runs is
 * not known, so what only a run would refuse (a deferred finding) is left for the run to report. */
bool sf_build_may_not_run(const SfBuilder *b);
bool sf_node_may_not_run(const SfNode *n); /* the same of what is made; in an imported graph too */
/* Adds a control edge after the fact (import, tests); refuses nothing. */
SfStatus sf_node_add_control(SfNode *n, SfNode *control);
/* Places a node elsewhere after the fact; `device` is copied. */
SfStatus sf_node_set_device(SfNode *n, const char *device);
/* Replaces input i (the back edge of a while loop: NextIteration into Merge). */
SfStatus sf_node_set_input(SfNode *n, int i, SfTensor t);
/* tf.Tensor.set_shape: meets the static shape of an output; SF124 when contradictory. */
SfStatus sf_output_set_shape(SfNode *n, int output, const SfShape *s, SfSink *sink);
/* A value for an attr by name, or NULL when the op declares no such attr. */
const SfAttr *sf_node_attr(const SfNode *n, const char *name);

/* guesses (core/graph/unmodelled.c) */
/* What is unknown (or, of a dtype, assumed) because something is not modelled says nothing about
 * the program: real TensorFlow knows more. A check that would fail because of a guess must not. */
typedef enum SfUnmodelledFact { SF_UNMODELLED_SHAPE, SF_UNMODELLED_DTYPE } SfUnmodelledFact;
/* True when `t` was computed from something that is not modelled. Walks the graph: asked only when
 * a check is about to fail. */
bool sf_tensor_is_unmodelled(const SfTensor *t, SfUnmodelledFact what);
bool sf_tensors_have_unmodelled(const SfTensor *t, int n, SfUnmodelledFact what);
/* `t` with the dtype that its consumer wants, its own being a guess. */
SfStatus sf_build_retyped(SfBuilder *b, const SfTensor *t, SfDtype dtype, SfTensor *out);
/* The outputs of an `op` that could not be judged, computed from `in`. */
SfStatus sf_build_unmodelled(SfBuilder *b, const SfOpSig *op, const char *name, const SfTensor *in,
                             int nin, SfTensor *outs, int max_outs, int *nout);

/* Runs infer (and fold) of `sig` alone: the entry used by build, session, provenance, tests.
 * `states` may be NULL. `outs` has nout entries with their dtypes already set. */
typedef struct SfInferArgs {
    const SfOpSig *sig;
    const SfAttr *attrs;
    const SfTensor *inputs;
    int nin;
    SfTensor *outs;
    int nout;
    SfNode *node;  /* NULL in eager mode and for rows */
    SfNode *owner; /* of the state that an op with SF_OP_STATE makes; NULL: the node */
    const char *name;
    uint32_t location;
    int version;
    SfPhase phase;
    SfSink *sink;
    SfArena *scratch;
    struct SfStateTable *states; /* NULL while building */
    bool whole_values; /* content known in part is not known, except where it is read as a shape */
    bool may_not_run;  /* sf_build_may_not_run: nothing deferred is reported */
} SfInferArgs;
SfStatus sf_infer_run(const SfInferArgs *args);
/* FLOPs of an op whose `outs` are inferred; negative when unknown. */
double sf_infer_cost(const SfInferArgs *args);

/* gradients (core/analysis/gradient.c) */
/* Which xs are reached from ys through differentiable inputs: connected[i] is 1 when a gradient
 * exists, 2 when every path enters x by a Gather-like indexed read (an IndexedSlices in
 * TensorFlow), 0 when None. SF207 when a path crosses an op without a gradient. */
SfStatus sf_graph_connected(SfGraph *g, const SfTensor *ys, int ny, const SfTensor *xs, int nx,
                            const SfTensor *stops, int nstop, char *connected, SfSink *sink);

#endif
