/* What is known of tensors and of the nodes that make them, as far as inference looks at either.
 * Invariant: a node belongs to one graph for its whole life; attrs are parallel to sig->attrs.
 * Owner: the arena of the graph (graph.h), which alone makes and changes nodes.
 * Source: tf.Tensor, tf.Operation; Verma and Su 2020, section 3.2 (SF_Operation nodes). */
#ifndef SF_CORE_NODE_H
#define SF_CORE_NODE_H

#include "core/op/diag.h"
#include "core/op/op.h"

typedef struct SfGraph SfGraph;

/* What is known of a tensor; an output of a node, or by itself in eager mode. 40 bytes, by
 * value. */
typedef struct SfTensor {
    const SfShape *shape;
    const SfValue *value; /* NULL: unknown content */
    SfNode *node;         /* producer; NULL in eager mode */
    SfNode *state;        /* resource / ref: the node that owns the state behind it, or NULL */
    int32_t index;        /* output number of `node`; eager: the number of its record (trace.h) */
    SfDtype dtype;        /* SF_DT_REF added for reference outputs */
} SfTensor;

typedef struct SfControlList {
    int n;
    SfNode **items;
} SfControlList;

/* What surrounds a node; neighbours share it, for they are made in the same `with` blocks. */
/* What a node is of a tf.TensorArray that Python keeps: one tensor stands for all elements. */
typedef enum SfArrayPart {
    SF_ARRAY_NONE,
    SF_ARRAY_NEW,     /* nothing is written yet */
    SF_ARRAY_WRITE,   /* output 0: the array with input 0 in it; input 1 is what it was */
    SF_ARRAY_READ,    /* an element of input 0 */
    SF_ARRAY_SCATTER, /* the elements that input 0 is cut into */
    SF_ARRAY_GATHER   /* all elements, each like input 0 */
} SfArrayPart;

typedef struct SfNodeContext {
    SfControlList control;
    SfControlList colocation;    /* nodes whose device it shares: tf.colocate_with */
    const char *device;          /* as asked for, "" when unset; core/device/place.h decides */
    uint32_t device_location;    /* of the `with tf.device` that asks; 0: nobody does */
    const SfNode *sequence_step; /* takes one step of a sequence: a run does what the node does with
                                  * each of them. NULL: it does it once */
    int32_t parallel;            /* how many steps of that sequence run at once at most */
    int32_t recomputed; /* > 0: the call of tf.recompute_grad that made it: the backward pass
                                  * runs it again, and keeps only what the call was given */
    SfArrayPart array;
    bool own_gradient; /* the program says how: it may reach every input */
    bool source;       /* sf_node_make_source */
    bool failed; /* its error was reported and the build went on: its outputs are assumptions */
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

/* A value for an attr by name, or NULL when the op declares no such attr. */
const SfAttr *sf_node_attr(const SfNode *n, const char *name);
/* May `n` be left out of a run that needs what follows it: is it in a branch, a loop or a function?
 * Of a node of an imported graph too. */
bool sf_node_may_not_run(const SfNode *n);
/* What a branch or body makes hangs on its pivot: a Switch, or an Identity of what that lets
 * through. The Switch; NULL: `pivot` is something else. */
const SfNode *sf_node_pivot_switch(const SfNode *pivot);
/* Ids below which nodes are outside of the innermost branch, and loop, that a node is in: what they
 * make comes to it through a Switch, or an Enter, of its own in TensorFlow. 0: it is in none. */
typedef struct SfNodeDoors {
    int32_t branch, loop;
} SfNodeDoors;
SfNodeDoors sf_node_doors(const SfNode *n);

static inline SfOpRole sf_node_role(const SfNode *n)
{
    return n->sig->def->role;
}

#endif
