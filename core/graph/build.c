/* sf_build: one op call becomes a node, or in eager mode just its outputs. See graph.h. */
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/novelty.h"
#include "core/graph/bind.h"
#include "core/graph/eager.h"
#include "core/graph/graph_impl.h"
#include "core/graph/trace.h"
#include "lattice/intern.h"

/* names, devices, control edges of a node */

/* The name of a node: made unique, except that "x/" is used as it is, since a composition names
 * its last op after its scope. */
static SfStatus choose_name(SfBind *k, const char **out)
{
    SfGraph *g = k->b->graph;
    const char *name = k->name ? k->name : k->sig->def->name;
    if (k->b->exact_names) {
        memset(g->new_scopes, 0, sizeof g->new_scopes);
        *out = sf_arena_strdup(&g->arena, name);
        g->foreign_names = g->foreign_names || !sf_graph_is_used(g, name);
        return *out ? SF_OK : SF_NOMEM;
    }
    *out = g->foreign_names ? NULL : sf_graph_node_name_again(g, name);
    if (*out) {
        return SF_OK;
    }
    const size_t len = strlen(name);
    const bool exact = len > 0 && name[len - 1] == '/';
    if (exact && !g->foreign_names) {
        *out = sf_graph_take_new_scope(g, name);
        if (*out) {
            return SF_OK;
        }
    }
    if (k->name && !exact && !sf_name_is_valid_in(g->version, name, g->scope[0] == '\0')) {
        const bool old = g->version < SF_VERSION(2, 0);
        const bool is_const = k->sig->def->role == SF_ROLE_CONST;
        if (is_const) { /* a Const opens no scope, so its node name is checked */
            return sf_bind_fail(
                k, SF_DIAG_BAD_ARG, SF_THE_OP,
                old ? "'%s' is not a valid node name"
                    : "`%s` is not a valid node name. Accepted names conform to "
                      "Regex /re.compile('^[A-Za-z0-9.][A-Za-z0-9_.\\\\\\\\/>-]*$')/",
                name);
        }
        const bool root = g->scope[0] == '\0';
        return sf_bind_fail(k, SF_DIAG_BAD_ARG, SF_THE_OP,
                            old ? "'%s' is not a valid scope name%s%s"
                                : "'%s' is not a valid %sscope name. A %s",
                            name, old ? "" : (root ? "root " : ""),
                            old    ? ""
                            : root ? "root scope name has to match the following pattern: "
                                     "^[A-Za-z0-9.][A-Za-z0-9_.\\\\/>-]*$"
                                   : "scope name has to match the following pattern: "
                                     "^[A-Za-z0-9_.\\\\/>-]*$");
    }
    *out = exact ? sf_arena_strndup(&g->arena, name, len - 1) : sf_graph_node_name(g, name);
    SF_TRY_ALLOC(*out);
    if (exact && !sf_graph_is_used(g, *out)) {
        g->foreign_names = true;
    }
    if ((exact || g->foreign_names) && sf_graph_find(g, *out)) {
        return sf_bind_fail(k, SF_DIAG_BAD_GRAPH, SF_THE_OP, "Duplicate node name in graph: '%s'",
                            *out);
    }
    return SF_OK;
}

/* Does the program say what the gradient of such an op is? */
static bool has_own_gradient(const SfBuilder *b, const SfOpSig *sig)
{
    bool found = b->nown_gradients < 0;
    for (int i = 0; i < b->nown_gradients && !found; i++) {
        found = b->own_gradients[i] == sig;
    }
    return found;
}

/* The context of the newest node when that has the same devices and control inputs, else a new
 * one in the arena. */
static const SfNodeContext *share_context(SfGraph *g, const SfBuilder *b, const SfOpSig *sig)
{
    const bool own_gradient = has_own_gradient(b, sig);
    const SfNodeContext *last = g->last_context;
    const int n = b->ncontrol;
    const size_t size = (size_t)n * sizeof(SfNode *);
    const size_t colocated = (size_t)b->ncolocation * sizeof(SfNode *);
    const char *device = b->device ? b->device : "";
    if (!last->source && !last->failed && last->sequence_step == b->sequence_step &&
        last->recomputed == b->recomputed && last->own_gradient == own_gradient &&
        last->control.n == n && last->colocation.n == b->ncolocation &&
        (n == 0 || memcmp(last->control.items, b->control, size) == 0) &&
        (colocated == 0 || memcmp(last->colocation.items, b->colocation, colocated) == 0) &&
        *last->device == *device &&
        (!*device ||
         (last->device_location == b->device_location && strcmp(last->device, device) == 0))) {
        return last;
    }
    SfNodeContext *c = sf_arena_alloc(&g->arena, sizeof *c);
    if (!c) {
        return NULL;
    }
    c->control.n = n;
    c->control.items = n > 0 ? sf_arena_copy(&g->arena, b->control, size) : NULL;
    c->colocation.n = b->ncolocation;
    c->colocation.items = colocated > 0 ? sf_arena_copy(&g->arena, b->colocation, colocated) : NULL;
    c->sequence_step = b->sequence_step;
    c->parallel = b->parallel;
    c->recomputed = b->recomputed;
    c->own_gradient = own_gradient;
    c->device = *device ? sf_arena_strdup(&g->arena, device) : "";
    c->device_location = *device ? b->device_location : 0;
    if (!c->device || (n > 0 && !c->control.items) || (colocated > 0 && !c->colocation.items)) {
        return NULL;
    }
    g->last_context = c;
    return c;
}

/* the two ways */

/* What is known of the outputs before inference. `again`: a call that was bound in the same way,
 * or NULL. */
static SfStatus init_outputs(const SfBind *k, const SfBoundCall *again, SfNode *n, SfTensor *outs)
{
    SfDtype local[16];
    const SfDtype *dtypes = local;
    if (again) {
        dtypes = again->out;
    } else if (k->nout > SF_ARRAY_LEN(local)) {
        SfDtype *many = sf_arena_alloc(k->scratch, (size_t)k->nout * sizeof *dtypes);
        SF_TRY_ALLOC(many);
        sf_bind_dtypes(k, many);
        dtypes = many;
    } else {
        sf_bind_dtypes(k, local);
    }
    const SfShape *unknown = sf_shape_unknown();
    const bool owns = (k->sig->def->traits & SF_OP_STATE) != 0;
    for (int i = 0; i < k->nout; i++) {
        const bool handle = sf_dtype_is_ref(dtypes[i]) || dtypes[i] == SF_DT_RESOURCE;
        outs[i] = (SfTensor){unknown, NULL, n, owns && handle ? n : NULL, i, dtypes[i]};
    }
    return SF_OK;
}

bool sf_build_may_not_run(const SfBuilder *b)
{
    bool yes = b->is_body;
    for (int i = 0; !yes && i < b->ncontrol; i++) {
        yes = sf_node_pivot_switch(b->control[i]) != NULL;
    }
    return yes;
}

/* `n`: the node that is built, or NULL and, for an op that owns state, its owner in eager mode. */
static SfStatus infer(const SfBind *k, SfNode *n, SfNode *owner, const char *name,
                      const SfAttr *attrs, const SfTensor *inputs, SfTensor *outs)
{
    return sf_infer_run(&(SfInferArgs){.sig = k->sig,
                                       .attrs = attrs,
                                       .inputs = inputs,
                                       .nin = k->ninputs,
                                       .outs = outs,
                                       .nout = k->nout,
                                       .node = n,
                                       .owner = owner,
                                       .states = n ? NULL : sf_eager_states(),
                                       .name = name,
                                       .location = k->b->location,
                                       .version = k->b->version,
                                       .phase = n ? SF_PHASE_BUILD : SF_PHASE_EAGER,
                                       .may_not_run = n && sf_build_may_not_run(k->b),
                                       .sink = k->b->sink,
                                       .scratch = k->scratch});
}

/* One op call: what it is bound to, and what of it the next call is compared with. */
typedef struct Build {
    SfBind k;
    SfBoundCall *again;     /* the earlier call whose binding is used again, or NULL */
    bool differs;           /* an attr that binding does not look at differs from that call's */
    const SfTensor *inputs; /* as the caller gave them */
    const SfAttrArg *given;
    int ngiven;
} Build;

/* The inputs as the graph of a tf.function knows them: of any batch size. */
static SfTensor *of_any_batch(const SfBind *k)
{
    SfTensor *inputs = sf_arena_copy(k->scratch, k->inputs, (size_t)k->ninputs * sizeof *inputs);
    for (int i = 0; inputs && k->b->batch > 0 && i < k->ninputs; i++) {
        SfTensor *t = &inputs[i];
        const int rank = sf_shape_rank(t->shape);
        if (rank <= 0 || sf_shape_dim(t->shape, 0) != k->b->batch) {
            continue;
        }
        SfDim dims[SF_RANK_MAX];
        for (int a = 0; a < rank; a++) {
            dims[a] = a == 0 ? SF_DIM_UNKNOWN : sf_shape_dim(t->shape, a);
        }
        t->shape = sf_shape_make(rank, dims);
        t->value = NULL;
        if (!t->shape) {
            return NULL;
        }
    }
    return inputs;
}

/* Infers an op in the body of a tf.function. TensorFlow refuses what is wrong for every batch
 * size while it traces the function, and the rest when the graph runs; here the body runs
 * eagerly. */
static SfStatus infer_in_function(const Build *build, SfNode *owner, SfTensor *outs)
{
    const SfBind *k = &build->k;
    SfSink muted = {.muted = 1};
    SfInferArgs args = {.sig = k->sig,
                        .attrs = k->attrs,
                        .inputs = k->inputs,
                        .nin = k->ninputs,
                        .outs = outs,
                        .nout = k->nout,
                        .owner = owner,
                        .states = sf_eager_states(),
                        .name = k->name ? k->name : k->sig->def->name,
                        .location = k->b->location,
                        .version = k->b->version,
                        .phase = SF_PHASE_EAGER,
                        .function = k->b->function,
                        .sink = &muted,
                        .scratch = k->scratch};
    const SfStatus status = sf_infer_run(&args);
    if (status != SF_REPORTED) {
        return status;
    }
    SfTensor *inputs = of_any_batch(k);
    SF_TRY_ALLOC(inputs || k->ninputs == 0);
    args.inputs = inputs;
    args.phase = SF_PHASE_BUILD;
    SF_TRY(init_outputs(k, build->again, NULL, outs));
    const SfStatus built = sf_infer_run(&args);
    args.inputs = k->inputs;
    args.phase = built == SF_REPORTED ? SF_PHASE_BUILD : SF_PHASE_EAGER;
    args.sink = k->b->sink;
    SF_TRY(init_outputs(k, build->again, NULL, outs));
    return sf_infer_run(&args);
}

static SfStatus build_node(Build *build, SfTensor *outs, int max_outs)
{
    SfBind *k = &build->k;
    SfGraph *g = k->b->graph;
    const char *name = NULL;
    SF_TRY(choose_name(k, &name));
    const size_t in_size = (size_t)k->ninputs * sizeof(SfTensor);
    const size_t out_size = (size_t)k->nout * sizeof(SfTensor);
    /* One block: node, outputs, inputs. */
    SfNode *n = sf_arena_alloc(&g->arena, sizeof *n + out_size + in_size);
    SfAttr *attrs = build->again ? k->attrs : sf_graph_attrs(g, k->sig, k->attrs);
    const SfNodeContext *context = share_context(g, k->b, k->sig);
    SfBoundCall *newest = build->again ? NULL : sf_bound_entry(&g->bound, &g->arena, k->sig);
    if (!n || (!attrs && k->sig->nattr) || !context) {
        return SF_NOMEM;
    }
    if (newest) {
        sf_bound_keep(newest, k, attrs, build->inputs, build->given, build->ngiven);
    }
    n->sig = k->sig;
    n->graph = g;
    n->name = name;
    n->id = -1; /* until it is part of the graph */
    n->nin = k->ninputs;
    n->nout = k->nout;
    n->location = k->b->location;
    n->outputs = (SfTensor *)(n + 1);
    n->inputs = n->outputs + k->nout;
    n->attrs = attrs;
    n->context = context;
    if (in_size) {
        memcpy(n->inputs, k->inputs, in_size);
    }
    SF_TRY(init_outputs(k, build->again, n, n->outputs));
    const SfStatus status = infer(k, n, n, name, attrs, n->inputs, n->outputs);
    if (status == SF_REPORTED && sf_sink_goes_on(k->b->sink)) {
        SfNodeContext *failed = sf_arena_copy(&g->arena, context, sizeof *context);
        SF_TRY_ALLOC(failed);
        failed->failed = true;
        n->context = failed;
    } else if (status != SF_OK) {
        return status;
    }
    SF_TRY(sf_graph_append(g, n));
    sf_novelty_count();
    const int given = k->nout < max_outs ? k->nout : max_outs;
    if (given > 0) {
        memcpy(outs, n->outputs, (size_t)given * sizeof *outs);
    }
    return SF_OK;
}

/* The next call of the op is compared with this one. Without memory it is bound by itself. */
static void keep_eager(const Build *build)
{
    const SfBind *k = &build->k;
    SfBoundCall *newest = sf_bound_entry(sf_eager_bound(), sf_eager_arena(), k->sig);
    const size_t size = (size_t)k->sig->nattr * sizeof(SfAttr);
    SfAttr *attrs = newest && newest->attrs ? newest->attrs
                    : newest && size > 0    ? sf_arena_alloc(sf_eager_arena(), size)
                                            : NULL;
    if (!newest || (size > 0 && !attrs)) {
        return;
    }
    sf_bound_keep(newest, k, attrs, build->inputs, build->given, build->ngiven);
    if (newest->repeats && size > 0) {
        memcpy(attrs, k->attrs, size);
    }
}

static SfStatus build_eager(Build *build, SfTensor *outs, int max_outs)
{
    SfBind *k = &build->k;
    if (!build->again) {
        keep_eager(build);
    }
    SfTensor *all = outs;
    if (k->nout > max_outs) {
        all = sf_arena_alloc(k->scratch, (size_t)k->nout * sizeof *all);
        SF_TRY_ALLOC(all);
    }
    SF_TRY(init_outputs(k, build->again, NULL, all));
    SfNode *owner = k->sig->def->traits & SF_OP_STATE ? sf_eager_owner(k->sig, k->attrs) : NULL;
    const SfStatus status = k->b->function
                                ? infer_in_function(build, owner, all)
                                : infer(k, NULL, owner, k->name, k->attrs, k->inputs, all);
    if (status != SF_OK && !(status == SF_REPORTED && sf_sink_goes_on(k->b->sink))) {
        return status;
    }
    if (k->b->trace) {
        sf_trace_record(k->b->trace, k->sig, k->attrs, k->inputs, k->ninputs, all, k->nout,
                        k->b->location);
    } else {
        for (int i = 0; i < k->nout; i++) {
            all[i].index = 0;
        }
    }
    if (all != outs && max_outs > 0) {
        memcpy(outs, all, (size_t)max_outs * sizeof *outs);
    }
    return SF_OK;
}

/* Uses the binding of the earlier call again. In eager mode the attrs are copied, because
 * reporting a finding may run other calls before this one ends. */
static SfStatus bind_again(Build *build)
{
    SfBind *k = &build->k;
    k->attrs = build->again->attrs;
    k->nout = build->again->nout;
    for (int i = 0; k->b->out_sizes && i < k->nout; i++) {
        k->b->out_sizes[i] = 1;
    }
    if (build->differs) {
        return sf_bound_replace(build->again, k, build->given);
    }
    if (sf_bind_is_eager(k) && k->sig->nattr > 0) {
        k->attrs = memcpy(k->local_attrs, k->attrs, (size_t)k->sig->nattr * sizeof *k->attrs);
    }
    return SF_OK;
}

SfStatus sf_build(SfBuilder *b, const SfOpSig *op, const char *name, const SfTensor *inputs,
                  int ninputs, const int *list_sizes, const SfAttrArg *attrs, int nattrs,
                  SfTensor *outs, int max_outs, int *nout)
{
    *nout = 0;
    SF_TRY(sf_interrupt_step(&b->polls));
    Build build; /* not cleared: sf_bind_call clears the part that this op uses */
    SfBind *k = &build.k;
    build.again = NULL;
    build.inputs = inputs;
    build.given = attrs;
    build.ngiven = nattrs;
    k->b = b;
    k->sig = op;
    k->name = name;
    k->inputs = inputs;
    k->ninputs = ninputs;
    k->list_sizes = list_sizes;
    k->scratch = b->scratch ? b->scratch : &b->graph->scratch;
    k->nout = 0;
    k->unmodelled = false;
    SfStatus status = SF_OK;
    if (b->graph && b->graph->finalized) {
        status = sf_bind_fail(k, SF_DIAG_FINALIZED, SF_THE_OP, "%s",
                              sf_diag_info(SF_DIAG_FINALIZED)->message);
    }
    if (status == SF_OK) {
        build.again = sf_bound_find(b->graph ? &b->graph->bound : sf_eager_bound(), op, inputs,
                                    ninputs, attrs, nattrs, &build.differs);
    }
    if (build.again) {
        status = bind_again(&build);
    } else if (status == SF_OK) {
        status = sf_bind_call(k, attrs, nattrs);
    }
    if (status == SF_REPORTED && k->unmodelled) {
        return sf_bind_placeholder_op(k, outs, max_outs, nout);
    }
    if (status == SF_OK) {
        status =
            b->graph ? build_node(&build, outs, max_outs) : build_eager(&build, outs, max_outs);
    }
    if (status == SF_OK) {
        *nout = k->nout;
        b->made++;
        b->unknown += k->nout > 0 && max_outs > 0 && !sf_shape_is_ranked(outs[0].shape);
    }
    sf_arena_reset(k->scratch);
    return status;
}

SfStatus sf_node_set_array(SfNode *n, SfArrayPart part)
{
    SfNodeContext *context = sf_arena_copy(&n->graph->arena, n->context, sizeof *context);
    SF_TRY_ALLOC(context);
    context->array = part;
    n->context = context;
    return SF_OK;
}
