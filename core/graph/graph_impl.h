/* Internal to core/: the graph's fields, shared by graph.c, names.c and build.c.
 * Invariant: nodes[i]->id == i; by_name holds the first by_name.count nodes; used holds the names
 * that sf_graph_unique_name has given away, with TensorFlow's counters: the entry of "x" with count
 * c stands for x, x_1 ... x_{c-1} too; while !foreign_names every node's name is among them.
 * Owner: the graph. The two tables and the node list are the only memory outside its arena.
 * Source: tf.Graph (_nodes_by_name, _names_in_use, _name_stack). */
#ifndef SF_CORE_GRAPH_IMPL_H
#define SF_CORE_GRAPH_IMPL_H

#include "core/base/index.h"
#include "core/graph/graph.h"

/* Open addressing instead of uthash: a handle of 56 bytes a name would be a quarter of what a
 * node may cost in a graph of a million nodes. */
typedef struct SfUsedName {
    const char *name; /* NULL: free; shared with the node of that name */
    uint32_t hash;    /* of the name folded to lower case */
    int32_t count;
} SfUsedName;

/* A scope that sf_graph_enter_scope made unique and that no node has the name of yet. */
typedef struct SfNewScope {
    const char *full; /* "x/", as enter_scope returned it; compared by address; NULL: none */
    const char *name; /* "x" */
} SfNewScope;

/* Remembers a name "x" within a scope after which nodes were named: the next unique name is the
 * text of its entry in `used` and a number. There are a few of these, found by the address of
 * the name; one whose entry has moved is ignored. */
typedef struct SfNameBase {
    const char *scope; /* compared by address */
    const char *full;  /* "scope/x", the name of entry `slot`; NULL: free */
    uint32_t slot;
    uint32_t length, prefix; /* of `full`; of "scope/" */
    bool legal;              /* a node has this name, so the name is known to be legal */
} SfNameBase;
enum { SF_NAME_BASES = 16 };

/* What the newest call of each op was bound to (bound.c): most calls of an op are like the one
 * before, of the same input dtypes, with the same attrs given. Binding looks at nothing but these,
 * so that a call like the newest has its attrs and its output dtypes; an attr whose value binding
 * does not look at (a constant's content, strides) may have another one. An entry is for such calls
 * only (`repeats`) when the op has no list among its ports. A graph keeps the entries in its arena,
 * and nodes share the attrs; eager mode (eager.h) keeps one copy of the attrs for each op and
 * overwrites it. */
enum { SF_BOUND_PORTS = 4, SF_BOUND_GIVEN = 6 };

typedef struct SfBoundAttr {
    const char *name;
    SfAttr value; /* valid while is_known: the arena of an eager call is reset */
    int attr;     /* the number of the attr */
    bool is_free; /* binding does not look at the value */
    bool is_known;
} SfBoundAttr;

typedef struct SfBoundCall {
    SfAttr *attrs; /* parallel to sig->attrs; NULL: none */
    bool repeats;
    int nin, nout, ngiven;
    SfDtype in[SF_BOUND_PORTS], out[SF_BOUND_PORTS];
    SfBoundAttr given[SF_BOUND_GIVEN];
} SfBoundCall;

typedef struct SfBoundTable {
    SfBoundCall **calls; /* by the number of the op; NULL: not called yet */
    int n;
} SfBoundTable;

struct SfGraph {
    SfArena arena;
    SfArena scratch; /* of one inference while building */
    uint64_t serial;
    int version;
    bool finalized;
    bool v2_shapes;
    SfNode **nodes;
    int count, capacity;
    SfIndex by_name; /* of the first by_name.count nodes: most graphs are never asked */
    bool foreign_names;
    SfUsedName *used;
    uint32_t used_mask, used_count;
    bool has_numbered; /* `used` has an entry that itself ends in "_12" */
    SfNameBase bases[SF_NAME_BASES];
    SfNewScope new_scopes[4];
    unsigned next_new_scope;
    const char *scope;
    SfBoundTable bound; /* most nodes of an op share their attrs */
    const SfNodeContext *last_context;
    int nsources; /* nodes marked by sf_node_make_source */
    /* What unmodelled.c found out of each node; NULL until it is asked. */
    uint8_t *verdicts;
    int32_t *walk_places;
    int nverdicts;
    bool verdicts_stale;
    bool has_unmodelled; /* some node is unmodelled; else no walk is needed */
    uint8_t *use;        /* per node: SF_USE_ (usage.h) */
    int nuse, nsuspects;
    uint32_t edits; /* changes of nodes that exist: prepared plans are stale after one */
};

/* Is the full name of a node legal in this version? */
bool sf_name_is_valid_in(int version, const char *name, bool at_root);
bool sf_attrs_same(const SfOpSig *sig, const SfAttr *a, const SfAttr *b);
const SfNodeContext *sf_graph_no_context(void);            /* no device, no control inputs */
bool sf_graph_is_used(const SfGraph *g, const char *name); /* given away by unique_name */
/* The unique name of a node that asks for `name`, which is legal and does not end in a slash. */
const char *sf_graph_node_name(SfGraph *g, const char *name);
/* The same when a node was named so within this scope before, which is remembered of the newest
 * such names; else NULL. */
const char *sf_graph_node_name_again(SfGraph *g, const char *name);
/* The name "x" when `full` is what enter_scope returned for a new scope and no node took it since:
 * it is known to be new. Else NULL, and no scope counts as new any more. */
const char *sf_graph_take_new_scope(SfGraph *g, const char *full);
/* The attrs of the newest node of this op when they are the same, else a copy in the arena. */
SfAttr *sf_graph_attrs(SfGraph *g, const SfOpSig *sig, const SfAttr *attrs);
/* May TensorFlow know more of what this node gives, whatever its inputs are? */
bool sf_node_may_be_unmodelled(const SfNode *n);
/* After a node that exists was given another input, or another output shape. */
void sf_node_input_changed(const SfNode *n, const SfTensor *t);
void sf_node_output_changed(const SfNode *n);
/* Appends a complete node. */
SfStatus sf_graph_append(SfGraph *g, SfNode *n);
/* What infers a node of a graph once more, as when it was built, from `inputs` into `outs`. */
SfInferArgs sf_node_infer_args(const SfNode *n, const SfTensor *inputs, SfTensor *outs,
                               SfSink *sink, SfArena *scratch);
/* Moves with every change of nodes that exist (set_input, set_shape, a late control edge). */
uint32_t sf_graph_edits(const SfGraph *g);

void sf_bound_free(SfBoundTable *t); /* the entries belong to the arena */
/* The entry of an op, made when there is none; NULL: no memory. */
SfBoundCall *sf_bound_entry(SfBoundTable *t, SfArena *arena, const SfOpSig *sig);
/* What a call like the newest one is bound to, else NULL. *differs: with another value of a free
 * attr. */
SfBoundCall *sf_bound_find(const SfBoundTable *t, const SfOpSig *sig, const SfTensor *inputs,
                           int nin, const SfAttrArg *given, int ngiven, bool *differs);
struct SfBind;
/* The attrs of such a call that differs, for `k`; in a graph it is the newest then. */
SfStatus sf_bound_replace(SfBoundCall *call, struct SfBind *k, const SfAttrArg *given);
/* The call `k`, which was bound, is the newest: its attrs are `attrs`. `inputs` are those that the
 * caller gave: binding may have made others of them, and then says nothing about the next call. */
void sf_bound_keep(SfBoundCall *call, const struct SfBind *k, SfAttr *attrs, const SfTensor *inputs,
                   const SfAttrArg *given, int ngiven);

#endif
