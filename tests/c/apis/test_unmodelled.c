/* What was computed from something unmodelled: the kept verdicts against a plain search, in graphs
 * with cycles that grow and change between the questions. */
#include <criterion/criterion.h>
#include <string.h>

#include "apis/apis.h"
#include "core/graph/graph.h"
#include "lattice/intern.h"

enum { NODES = 60, ROUNDS = 300, WIDTH = 4 };

typedef struct Net {
    SfGraph *g;
    SfSink sink;
    SfBuilder b;
    uint64_t random;
    bool changed[NODES]; /* slot 0 of this Merge was replaced */
} Net;

static int draw(Net *t, int n)
{
    t->random = t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((t->random >> 33) % (uint64_t)n);
}

static SfTensor output(const Net *t, int id)
{
    return sf_graph_node(t->g, id)->outputs[0];
}

static void add(Net *t, const char *op, const SfTensor *in, int nin, const SfAttrArg *attrs, int n)
{
    SfTensor out[2];
    int nout;
    cr_assert(sf_build(&t->b, sf_op_find(op), NULL, in, nin, NULL, attrs, n, out, 2, &nout) ==
              SF_OK);
}

static SfAttrArg flag(const char *name, bool b)
{
    return (SfAttrArg){name, {.type = SF_ATTR_BOOL, .set = true, .u.b = b}};
}

static void add_unmodelled(Net *t, bool trusted, bool any_dtype)
{
    static const SfDtype type[] = {SF_DT_FLOAT};
    const SfAttrArg attrs[] = {{"Tout",
                                {.type = (SfAttrType)(SF_ATTR_TYPE + SF_ATTR_LIST),
                                 .set = true,
                                 .u.list = {1, {.type = type}}}},
                               flag("trusted", trusted),
                               flag("any_dtype", any_dtype)};
    add(t, "SfUnknown", NULL, 0, attrs, 3);
}

/* Input 0 says nothing that another one does not say: it may be replaced. */
static void add_merge(Net *t, int size)
{
    SfTensor in[WIDTH];
    const int n = 2 + draw(t, WIDTH - 1);
    for (int i = 1; i < n; i++) {
        in[i] = output(t, draw(t, size));
    }
    in[0] = in[1];
    add(t, "Merge", in, n, NULL, 0);
}

static void grow(Net *t)
{
    const int size = sf_graph_size(t->g), kind = size ? draw(t, 20) : 0;
    if (kind == 0) {
        const SfAttrArg dtype = {"dtype",
                                 {.type = SF_ATTR_TYPE, .set = true, .u.type = SF_DT_FLOAT}};
        add(t, "Placeholder", NULL, 0, &dtype, 1);
    } else if (kind == 1) {
        add_unmodelled(t, draw(t, 2), draw(t, 2));
    } else {
        add_merge(t, size);
    }
}

static void change(Net *t)
{
    const int size = sf_graph_size(t->g), id = draw(t, size);
    SfNode *n = sf_graph_node(t->g, id);
    if (strcmp(n->sig->def->name, "Merge") == 0 && !t->changed[id]) {
        t->changed[id] = true;
        cr_assert(sf_node_set_input(n, 0, output(t, draw(t, size))) == SF_OK);
    }
}

static bool attr_of(const SfNode *n, const char *name)
{
    const SfAttr *a = sf_node_attr(n, name);
    return a && a->u.b;
}

static bool search(const SfNode *n, SfUnmodelledFact what, bool *seen)
{
    if (seen[n->id]) {
        return false;
    }
    seen[n->id] = true;
    if (strcmp(n->sig->def->name, "SfUnknown") == 0) {
        return what == SF_UNMODELLED_DTYPE ? attr_of(n, "any_dtype") : !attr_of(n, "trusted");
    }
    for (int i = 0; i < n->nin; i++) {
        if (search(n->inputs[i].node, what, seen)) {
            return true;
        }
    }
    return false;
}

static void ask(Net *t, int id, SfUnmodelledFact what)
{
    bool seen[NODES] = {false};
    const SfTensor asked = output(t, id);
    const bool wanted = search(asked.node, what, seen);
    cr_expect_eq(sf_tensor_is_unmodelled(&asked, what), wanted, "node %d of %d, fact %d: not %d",
                 id, sf_graph_size(t->g), (int)what, wanted);
}

Test(unmodelled, kept_verdicts_are_those_of_a_search)
{
    cr_assert(sf_apis_init() == SF_OK);
    for (int round = 0; round < ROUNDS; round++) {
        Net t = {.random = (uint64_t)round};
        t.g = sf_graph_new(SF_VERSION(1, 15));
        sf_sink_init(&t.sink);
        t.b = (SfBuilder){.graph = t.g, .sink = &t.sink, .version = SF_VERSION(1, 15)};
        for (int i = 0; i < 4 * NODES; i++) {
            if (sf_graph_size(t.g) < NODES && draw(&t, 2)) {
                grow(&t);
            } else if (sf_graph_size(t.g) && draw(&t, 3) == 0) {
                change(&t);
            } else if (sf_graph_size(t.g)) {
                ask(&t, draw(&t, sf_graph_size(t.g)), (SfUnmodelledFact)draw(&t, 2));
            }
        }
        for (int id = 0; id < sf_graph_size(t.g); id++) {
            ask(&t, id, SF_UNMODELLED_SHAPE);
            ask(&t, id, SF_UNMODELLED_DTYPE);
        }
        sf_graph_free(t.g);
        sf_sink_free(&t.sink);
    }
}

Test(unmodelled, a_shape_that_is_told_later)
{
    cr_assert(sf_apis_init() == SF_OK);
    Net t = {.random = 1};
    t.g = sf_graph_new(SF_VERSION(1, 15));
    sf_sink_init(&t.sink);
    t.b = (SfBuilder){.graph = t.g, .sink = &t.sink, .version = SF_VERSION(1, 15)};
    add_unmodelled(&t, false, false);
    add_merge(&t, 1);
    cr_expect(sf_tensor_is_unmodelled(
        &(SfTensor){.node = sf_graph_node(t.g, 1), .shape = sf_shape_unknown()},
        SF_UNMODELLED_SHAPE));
    cr_expect(sf_graph_has_unmodelled_op(t.g));
    const SfDim dims[] = {2, 3};
    cr_assert(sf_output_set_shape(sf_graph_node(t.g, 0), 0, sf_shape_make(2, dims), &t.sink) ==
              SF_OK);
    cr_expect_not(sf_graph_has_unmodelled_op(t.g));
    add_merge(&t, 1);
    const SfTensor later = {.node = sf_graph_node(t.g, 2), .shape = sf_shape_unknown()};
    cr_expect_not(sf_tensor_is_unmodelled(&later, SF_UNMODELLED_SHAPE), "what is built on it now");
    sf_graph_free(t.g);
    sf_sink_free(&t.sink);
}
