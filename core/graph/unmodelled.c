/* What of a tensor is a guess: where it comes from, and what stands in for an op that is judged by
 * one. See graph.h. */
#include <string.h>

#include "core/graph/bind.h"
#include "core/graph/graph_impl.h"

enum { WALK_MAX = 200000 }; /* nodes looked at before the answer is "maybe" */
#define WALKED_MAX                                                                                 \
    (INT64_C(1) << 28) /* the same for all walks in one graph: a hostile file asks often */

static bool attr_is_true(const SfNode *n, const char *name)
{
    const SfAttr *a = sf_node_attr(n, name);
    return a != NULL && a->type == SF_ATTR_BOOL && a->u.b;
}

/* A placeholder op whose shapes are all known leaves nothing to guess, unless its numbers are sizes. */
static bool tells_all(const SfNode *n)
{
    for (int i = 0; i < n->nout; i++) {
        if (!sf_shape_is_known(n->outputs[i].shape) ||
            sf_dtype_is_integer(sf_dtype_base(n->outputs[i].dtype))) {
            return false;
        }
    }
    return true;
}

typedef enum Verdict { UNMODELLED, TRUSTED, LOOK_FURTHER } Verdict;

static Verdict judge(const SfNode *n, SfUnmodelledFact what)
{
    if (n->context->failed && what == SF_UNMODELLED_SHAPE) {
        return UNMODELLED; /* follow-on errors are nobody's */
    }
    if ((n->sig->def->flags & SF_OP_UNMODELLED) != 0) {
        if (what == SF_UNMODELLED_DTYPE) {
            return attr_is_true(n, "any_dtype") ? UNMODELLED : TRUSTED;
        }
        return attr_is_true(n, "trusted") || tells_all(n) ? TRUSTED : UNMODELLED;
    }
    const SfAttr *shape = (n->sig->def->flags & SF_OP_STATE) != 0 ? sf_node_attr(n, "shape") : NULL;
    if (what == SF_UNMODELLED_SHAPE && shape != NULL && shape->type == SF_ATTR_SHAPE &&
        !sf_shape_is_ranked(shape->u.shape)) {
        return UNMODELLED; /* a variable that something unmodelled initialised */
    }
    return LOOK_FURTHER;
}

bool sf_tensor_is_unmodelled(const SfTensor *t, SfUnmodelledFact what)
{
    if (what == SF_UNMODELLED_SHAPE && sf_shape_is_known(t->shape)) {
        return false;
    }
    if (t->node == NULL) { /* an eager tensor of TensorFlow has no unknown dimensions */
        return !sf_shape_is_ranked(t->shape) || what == SF_UNMODELLED_SHAPE;
    }
    const int size = sf_graph_size(t->node->graph);
    if (t->node->graph->walked > WALKED_MAX) {
        return true;
    }
    t->node->graph->walked += size;
    SfArena arena;
    sf_arena_init(&arena);
    bool *seen = sf_arena_alloc(&arena, (size_t)size + 1);
    const SfNode **todo = sf_arena_alloc(&arena, ((size_t)size + 1) * sizeof *todo);
    bool unmodelled = seen == NULL || todo == NULL;
    int n = 0, looked = 0;
    if (!unmodelled) {
        memset(seen, 0, (size_t)size + 1);
        todo[n++] = t->node;
    }
    while (!unmodelled && n > 0) {
        const SfNode *node = todo[--n];
        const Verdict v = ++looked > WALK_MAX ? UNMODELLED : judge(node, what);
        unmodelled = v == UNMODELLED;
        for (int i = 0; v == LOOK_FURTHER && i < node->nin; i++) {
            const SfNode *from = node->inputs[i].node;
            if (from != NULL && from->id >= 0 && from->id < size && !seen[from->id]) {
                seen[from->id] = true;
                todo[n++] = from;
            }
        }
    }
    sf_arena_free(&arena);
    return unmodelled;
}

bool sf_tensors_have_unmodelled(const SfTensor *t, int n, SfUnmodelledFact what)
{
    for (int i = 0; i < n; i++) {
        if (sf_tensor_is_unmodelled(&t[i], what)) {
            return true;
        }
    }
    return false;
}

/* placeholder ops */
static SfStatus build_placeholder_op(SfBuilder *b, const char *name, const SfTensor *in, int nin,
                                     const SfDtype *dtypes, int n, const SfShape *shape,
                                     bool any_dtype, SfTensor *outs, int max_outs, int *nout)
{
    const SfOpSig *op = sf_op_find("SfUnknown");
    if (op == NULL) { /* this layer alone has no ops of its own */
        const SfDiagArg arg = SF_TEXT_ARG("the op SfUnknown is not registered");
        return sf_sink_report(b->sink, &(SfDiag){.code = SF_DIAG_BAD_GRAPH,
                                                 .phase = SF_PHASE_API,
                                                 .node_name = name,
                                                 .location = b->location,
                                                 .nargs = 1,
                                                 .args = &arg});
    }
    const SfAttrArg attrs[] = {
        {.name = "Tout",
         .value = {.type = SF_ATTR_LIST + SF_ATTR_TYPE,
                   .set = true,
                   .u.list = {.n = n, .u.type = dtypes}}},
        {.name = "shapes",
         .value = {.type = SF_ATTR_LIST + SF_ATTR_SHAPE,
                   .set = true,
                   .u.list = {.n = shape != NULL ? 1 : 0, .u.shape = &shape}}},
        {.name = "any_dtype", .value = {.type = SF_ATTR_BOOL, .set = true, .u = {.b = any_dtype}}},
    };
    return sf_build(b, op, name, in, nin, NULL, attrs, SF_ARRAY_LEN(attrs), outs, max_outs, nout);
}

SfStatus sf_build_retyped(SfBuilder *b, const SfTensor *t, SfDtype dtype, SfTensor *out)
{
    int n = 0;
    return build_placeholder_op(b, "Unknown", t, 1, &dtype, 1, t->shape, false, out, 1, &n);
}

SfStatus sf_build_unmodelled(SfBuilder *b, const SfOpSig *op, const char *name, const SfTensor *in,
                             int nin, SfTensor *outs, int max_outs, int *nout)
{
    enum { MANY = 16 };
    SfDtype dtypes[MANY];
    int n = 0;
    for (; n < op->nout && n < MANY && n < max_outs; n++) {
        dtypes[n] = op->out[n].dtype != SF_DT_INVALID ? op->out[n].dtype : SF_DT_FLOAT;
    }
    return build_placeholder_op(b, name ? name : op->def->name, in, nin, dtypes, n, NULL, true,
                                outs, max_outs, nout);
}

/* What a type attr is: as given, else that of an input that is no guess. */
static SfDtype dtype_of_attr(const SfBind *k, int attr)
{
    if (k->attrs[attr].set && k->from[attr] == SF_FROM_CALLER) {
        return k->attrs[attr].u.type;
    }
    SfDtype found = SF_DT_FLOAT;
    for (int i = 0; i < k->ninputs; i++) {
        if (i == 0 || !sf_tensor_is_unmodelled(&k->inputs[i], SF_UNMODELLED_DTYPE)) {
            found = sf_dtype_base(k->inputs[i].dtype);
        }
    }
    return found;
}

SfStatus sf_bind_placeholder_op(const SfBind *k, SfTensor *outs, int max_outs, int *nout)
{
    enum { MANY = 64 };
    SfDtype dtypes[MANY];
    int n = 0;
    for (int i = 0; i < k->sig->nout; i++) {
        const SfPortSpec *p = &k->sig->out[i];
        const SfAttr *number = p->number_attr >= 0 ? &k->attrs[p->number_attr] : NULL;
        const SfAttr *list = p->list_attr >= 0 ? &k->attrs[p->list_attr] : NULL;
        const int64_t count = number != NULL && number->set ? number->u.i
                              : list != NULL && list->set   ? list->u.list.n
                                                            : 1;
        for (int64_t j = 0; j < count && n < MANY; j++) {
            dtypes[n++] = list != NULL && list->set   ? list->u.list.u.type[j]
                          : p->type_attr >= 0         ? dtype_of_attr(k, p->type_attr)
                          : p->dtype != SF_DT_INVALID ? p->dtype
                                                      : SF_DT_FLOAT;
        }
    }
    /* build resets the scratch arena that k lives in: nothing of k is used afterwards */
    return build_placeholder_op((SfBuilder *)(uintptr_t)k->b, k->name ? k->name : k->sig->def->name,
                                k->inputs, k->ninputs, dtypes, n, NULL, true, outs, max_outs, nout);
}
