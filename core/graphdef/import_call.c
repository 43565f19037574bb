/* Functions of a GraphDef's library, inferred through their bodies for the shapes of each call.
 * Invariant: a body is built once for each set of argument shapes, at most INSTANCES times;
 * recursion and what is too much give unknown outputs. A branch that may not run, and the body of a
 * loop, are inferred muted: what fails only there may never happen.
 * Source: function.proto; functional_ops.cc; Grappler's GraphProperties for the fixpoint of
 * While. */
#include "core/graph/graph_impl.h"
#include "core/graphdef/import_impl.h"
#include "lattice/intern.h"

enum {
    L_FUNCTION = 1, /* FunctionDefLibrary */
    F_SIGNATURE = 1,
    F_RET = 4, /* FunctionDef */
    O_NAME = 1,
    O_INPUT = 2,
    O_OUTPUT = 3, /* OpDef */
    A_NAME = 1,
    A_TYPE = 3,
    A_NUMBER_ATTR = 5,
    A_LIST_ATTR = 6, /* OpDef.ArgDef */
    M_KEY = 1,
    M_VALUE = 2,
    N_ATTR = 5,
    V_LIST = 1,
    V_FUNC = 10,
    LIST_FUNC = 9,
    INSTANCES = 24,
    DEPTH = 48,
    PASSES = 4,
    PREFIX_MAX = 512
};

/* the library */
/* The last field `number` of bytes; false: there is none. */
static bool find_field(SfSpan bytes, uint32_t number, SfSpan *out)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    bool found = false;
    while (sf_wire_next(&w, &f)) {
        if (f.number == number && f.type == SF_WIRE_BYTES) {
            *out = f.bytes;
            found = true;
        }
    }
    return found && !w.bad;
}

SfDefFunction *sf_import_function(const SfImport *im, SfSpan name)
{
    const uint32_t hash = sf_span_hash(name);
    uint32_t at = hash;
    for (int32_t i; (i = sf_index_next(&im->functions_by_name, hash, &at)) >= 0;) {
        if (sf_span_equal(im->functions[i]->name, name)) {
            return im->functions[i];
        }
    }
    return NULL;
}

static bool reserve_functions(SfImport *im, int64_t more)
{
    const size_t n = (size_t)(im->nfunctions + more);
    SfDefFunction **functions = sf_realloc(im->functions, (n + 1) * sizeof(SfDefFunction *));
    im->functions = functions ? functions : im->functions;
    return functions;
}

SfStatus sf_import_library(SfImport *im, SfSpan library)
{
    SfWire w = sf_wire(library);
    SfWireField f;
    const int64_t n = sf_wire_count(library, L_FUNCTION);
    if (n < 0 || n > INT32_MAX / 4) {
        return sf_import_fail(im, "not a GraphDef: the library of functions is malformed");
    }
    if (!reserve_functions(im, n)) {
        return SF_NOMEM;
    }
    while (sf_wire_next(&w, &f)) {
        SfSpan signature, name;
        if (f.number != L_FUNCTION || f.type != SF_WIRE_BYTES ||
            !find_field(f.bytes, F_SIGNATURE, &signature) ||
            !find_field(signature, O_NAME, &name)) {
            continue;
        }
        if (sf_import_function(im, name)) {
            continue; /* the first of a name counts */
        }
        SfDefFunction *function = sf_arena_alloc(&im->arena, sizeof *function);
        if (!function ||
            !sf_index_add(&im->functions_by_name, sf_span_hash(name), im->nfunctions)) {
            return SF_NOMEM;
        }
        *function = (SfDefFunction){.name = name, .body = f.bytes};
        im->functions[im->nfunctions++] = function;
    }
    return SF_OK;
}

/* one function */
static int32_t count_fields(SfSpan bytes, uint32_t number)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    int32_t n = 0;
    while (sf_wire_next(&w, &f)) {
        n += f.number == number && f.type == SF_WIRE_BYTES;
    }
    return n;
}

/* False: the argument is a list, or its dtype depends on the call. */
static bool read_arg(SfSpan bytes, SfSpan *name, SfDtype *type)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    bool list = false;
    *name = (SfSpan){"", 0};
    *type = SF_DT_INVALID;
    while (sf_wire_next(&w, &f)) {
        if (f.number == A_NAME && f.type == SF_WIRE_BYTES) {
            *name = f.bytes;
        } else if (f.number == A_TYPE && f.type == SF_WIRE_VARINT) {
            *type = sf_dtype_decode(f.value);
        } else if (f.number == A_NUMBER_ATTR || f.number == A_LIST_ATTR) {
            list = true;
        }
    }
    return !w.bad && !list && name->n > 0 && !memchr(name->p, 0, name->n);
}

/* Where the outputs come from: FunctionDef.ret, a map from names of outputs, by a table of
 * hashes. */
static SfStatus read_rets(SfImport *im, SfDefFunction *f, const SfSpan *names)
{
    SfIndex by_name = {0};
    /* Of one name the first output counts: the order stays while the table does not grow. */
    bool ok = sf_index_reserve(&by_name, (uint32_t)f->nrets);
    for (int32_t k = 0; ok && k < f->nrets; k++) {
        ok = sf_index_add(&by_name, sf_span_hash(names[k]), k);
    }
    if (!ok) {
        sf_index_free(&by_name);
        return SF_NOMEM;
    }
    SfWire w = sf_wire(f->body);
    SfWireField one;
    while (sf_wire_next(&w, &one)) {
        SfSpan key, value;
        if (one.number != F_RET || one.type != SF_WIRE_BYTES ||
            !find_field(one.bytes, M_KEY, &key) || !find_field(one.bytes, M_VALUE, &value)) {
            continue;
        }
        const uint32_t hash = sf_span_hash(key);
        uint32_t at = hash;
        int32_t i;
        while ((i = sf_index_next(&by_name, hash, &at)) >= 0 && !sf_span_equal(names[i], key)) {
        }
        if (i >= 0) {
            sf_program_resolve(im, f->program, value, &f->rets[i]);
        }
    }
    sf_index_free(&by_name);
    return SF_OK;
}

/* Scans the function; what is not of the form that TensorFlow 2 writes is `broken`: unknown. */
static SfStatus open_function(SfImport *im, SfDefFunction *f)
{
    SfSpan signature = {"", 0};
    if (f->program || f->broken) {
        return SF_OK;
    }
    f->broken = !find_field(f->body, F_SIGNATURE, &signature);
    f->nargs = count_fields(signature, O_INPUT);
    f->nrets = count_fields(signature, O_OUTPUT);
    f->arg_names = sf_arena_alloc(&im->arena, (size_t)f->nargs * sizeof *f->arg_names);
    f->arg_types = sf_arena_alloc(&im->arena, (size_t)f->nargs * sizeof *f->arg_types);
    f->rets = sf_arena_alloc(&im->arena, (size_t)f->nrets * sizeof *f->rets);
    SfSpan *names = sf_arena_alloc(&im->arena, (size_t)f->nrets * sizeof *names);
    SF_TRY_ALLOC(f->arg_names && f->arg_types && f->rets && names);
    int32_t in = 0, out = 0;
    SfDtype type;
    SfWire w = sf_wire(signature);
    SfWireField one;
    while (sf_wire_next(&w, &one)) {
        if (one.number == O_INPUT && one.type == SF_WIRE_BYTES) {
            f->broken = !read_arg(one.bytes, &f->arg_names[in], &f->arg_types[in]) || f->broken;
            in++;
        } else if (one.number == O_OUTPUT && one.type == SF_WIRE_BYTES) {
            f->broken = !read_arg(one.bytes, &names[out], &type) || f->broken;
            f->rets[out++].node = SF_REF_MISSING;
        }
    }
    if (f->broken) {
        return SF_OK;
    }
    SF_TRY(sf_program_scan(im, f->body, f, &f->program));
    return read_rets(im, f, names);
}

/* instances */
static bool same_args(const SfTensor *a, const SfTensor *b, int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i].shape != b[i].shape || a[i].value != b[i].value || a[i].state != b[i].state ||
            a[i].dtype != b[i].dtype) {
            return false;
        }
    }
    return true;
}

static SfGraph *new_body_graph(SfImport *im)
{
    if (im->nbodies == im->bodies_room) {
        const int32_t room = im->bodies_room ? im->bodies_room * 2 : 16;
        SfGraph **bodies = sf_realloc(im->bodies, (size_t)room * sizeof(SfGraph *));
        if (!bodies) {
            return NULL;
        }
        im->bodies = bodies;
        im->bodies_room = room;
    }
    SfGraph *g = sf_graph_new(sf_graph_version(im->o.graph));
    if (g) {
        im->bodies[im->nbodies++] = g;
    }
    return g;
}

static const char *body_prefix(SfImport *im, const char *caller)
{
    return strlen(caller) > PREFIX_MAX ? "" : sf_arena_printf(&im->arena, "%s/", caller);
}

static SfStatus build_instance(SfImport *im, SfDefFunction *f, SfDefInstance *it,
                               const char *caller, uint32_t location)
{
    SfBody body = {.im = im, .program = f->program, .args = it->args};
    SfGraph *g = new_body_graph(im);
    body.prefix = body_prefix(im, caller);
    body.made = sf_calloc((size_t)f->program->n + 1, sizeof(SfNode *));
    if (!g || !body.prefix || !body.made) {
        sf_free(body.made);
        return SF_NOMEM;
    }
    body.b = (SfBuilder){.graph = g,
                         .sink = im->o.sink,
                         .version = sf_graph_version(g),
                         .location = location,
                         .device = ""};
    f->running = true;
    im->depth++;
    it->body = g;
    const SfStatus status = sf_body_build(&body);
    im->depth--;
    f->running = false;
    for (int32_t i = 0; i < f->nrets && status == SF_OK; i++) {
        it->outs[i] = sf_body_tensor(&body, &f->rets[i]);
    }
    it->known = status == SF_OK;
    sf_free(body.made);
    return status;
}

/* *out is NULL when nothing is known of the call. */
static SfStatus infer_function(SfImport *im, SfSpan name, const SfTensor *args, int nargs,
                               const SfNode *caller, const SfDefInstance **out, bool *again)
{
    SfDefFunction *f = sf_import_function(im, name);
    *out = NULL;
    *again = false;
    if (!f) {
        return SF_OK;
    }
    SF_TRY(open_function(im, f));
    if (f->broken || f->running || f->nargs != nargs || im->depth >= DEPTH) {
        return SF_OK;
    }
    for (const SfDefInstance *it = f->instances; it; it = it->next) {
        if (same_args(it->args, args, nargs)) {
            *out = it->known ? it : NULL;
            *again = true;
            return SF_OK;
        }
    }
    if (f->ninstances >= INSTANCES || f->program->n > im->body_nodes_left) {
        return SF_OK;
    }
    im->body_nodes_left -= f->program->n;
    im->body_nodes += f->program->n;
    SfDefInstance *it = sf_arena_alloc(&im->arena, sizeof *it);
    SfTensor *kept = sf_arena_copy(&im->arena, args, (size_t)nargs * sizeof *kept);
    SfTensor *outs = sf_arena_alloc(&im->arena, (size_t)f->nrets * sizeof *outs);
    SF_TRY_ALLOC(it && kept && outs);
    *it = (SfDefInstance){.args = kept, .outs = outs, .next = f->instances};
    for (int i = 0; i < nargs; i++) {
        kept[i].dtype = f->arg_types[i] != SF_DT_INVALID ? f->arg_types[i] : kept[i].dtype;
    }
    f->ninstances++;
    SF_TRY(build_instance(im, f, it, caller->name, caller->location));
    for (int i = 0; i < nargs; i++) {
        kept[i].dtype = args[i].dtype; /* same_args compares the dtypes */
    }
    f->instances = it;
    *out = it;
    return SF_OK;
}

/* outputs */
static bool is_dim_of(SfDim d, const SfTensor *args, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < sf_shape_rank(args[i].shape); k++) {
            if (sf_shape_dim(args[i].shape, k) == d) {
                return true;
            }
        }
    }
    return false;
}

/* A second call with the same shapes may count other elements: dims that the body named anew are
 * not those of the first call. */
static SfStatus forget_own_dims(SfTensor *t, const SfTensor *args, int n)
{
    if (t->value && !sf_value_is_exact(t->value)) {
        t->value = NULL;
    }
    for (int k = 0; k < sf_shape_rank(t->shape); k++) {
        const SfDim d = sf_shape_dim(t->shape, k);
        if (sf_dim_is_symbolic(d) && !is_dim_of(d, args, n)) {
            t->shape = sf_shape_replace(t->shape, k, SF_DIM_UNKNOWN);
            SF_TRY_ALLOC(t->shape);
        }
    }
    return SF_OK;
}

/* Without memory a call is not kept: only a picture shows less. */
static void keep_call(SfBody *body, const SfDefFunction *f, const SfDefInstance *it,
                      const SfNode *n)
{
    SfImport *im = body->im;
    SfImportCall *c = NULL; /* the call that the same node made in the turn of the loop before */
    for (int i = body->first_call; i < im->ncalls && !c; i++) {
        SfImportCall *old = &im->calls[i];
        if (old->caller == n->graph && old->node == n->id && old->function == f->name.p) {
            c = old;
        }
    }
    if (!c && im->ncalls == im->calls_room) {
        const int room = im->calls_room ? im->calls_room * 2 : 16;
        SfImportCall *calls = sf_realloc(im->calls, (size_t)room * sizeof *calls);
        if (!calls) {
            return;
        }
        im->calls = calls;
        im->calls_room = room;
    }
    c = c ? c : &im->calls[im->ncalls++];
    *c = (SfImportCall){.caller = n->graph,
                        .node = n->id,
                        .function = f->name.p,
                        .function_len = f->name.n,
                        .body = it->body,
                        .outs = it->outs,
                        .nouts = f->nrets,
                        .arg_names = f->arg_names,
                        .nargs = f->nargs};
}

/* The results of one function, or all unknown. Always `nouts` tensors. */
static SfStatus call(SfBody *body, SfSpan name, const SfTensor *args, int nargs, SfNode *n,
                     SfTensor *outs)
{
    const SfDefInstance *it;
    bool again;
    for (int i = 0; i < n->nout; i++) {
        outs[i] = (SfTensor){.shape = sf_shape_unknown()};
    }
    SF_TRY(infer_function(body->im, name, args, nargs, n, &it, &again));
    const SfDefFunction *f = it ? sf_import_function(body->im, name) : NULL;
    if (f && body->im->o.keep_calls) {
        keep_call(body, f, it, n);
    }
    for (int i = 0; f && i < n->nout && i < f->nrets; i++) {
        outs[i] = it->outs[i];
        if (again) {
            SF_TRY(forget_own_dims(&outs[i], args, nargs));
        }
    }
    return SF_OK;
}

static SfStatus refine(SfBody *body, SfNode *n, const SfTensor *outs)
{
    for (int i = 0; i < n->nout; i++) {
        SfTensor *to = &n->outputs[i];
        const SfShape *both = sf_shape_meet(to->shape, outs[i].shape);
        SF_TRY_ALLOC(both);
        if (outs[i].dtype != SF_DT_INVALID && to->dtype == SF_DT_INVALID) {
            to->dtype = outs[i].dtype;
        }
        if (sf_shape_is_bottom(both) || sf_shape_count(both) == SF_DIM_BOTTOM) {
            continue;
        }
        to->shape = both;
        const SfValue *v = outs[i].value;
        if (v && sf_value_dtype(v) == sf_dtype_base(to->dtype) &&
            sf_shape_leq(sf_value_shape(v), both)) {
            to->value = v;
        }
        if (outs[i].state &&
            (outs[i].state->graph == body->im->o.graph || body->b.graph != body->im->o.graph)) {
            to->state = outs[i].state;
        }
    }
    return SF_OK;
}

static SfStatus join_outs(SfTensor *all, const SfTensor *more, int n)
{
    for (int i = 0; i < n; i++) {
        all[i].shape = sf_shape_join(all[i].shape, more[i].shape);
        all[i].value = sf_value_join(all[i].value, more[i].value);
        all[i].state = all[i].state == more[i].state ? all[i].state : NULL;
        SF_TRY_ALLOC(all[i].shape);
    }
    return SF_OK;
}

/* the functions that a node names */
static bool find_attr(SfSpan node, const char *key, SfSpan *out)
{
    SfWire w = sf_wire(node);
    SfWireField f;
    SfSpan name;
    while (sf_wire_next(&w, &f)) {
        if (f.number == N_ATTR && f.type == SF_WIRE_BYTES && find_field(f.bytes, M_KEY, &name) &&
            sf_span_is(name, key)) {
            return find_field(f.bytes, M_VALUE, out);
        }
    }
    return false;
}

static SfSpan function_attr(const SfDefNode *d, const char *key)
{
    SfSpan value, func, name = {"", 0};
    if (find_attr(d->body, key, &value) && find_field(value, V_FUNC, &func)) {
        (void)find_field(func, O_NAME, &name);
    }
    return name;
}

/* The i-th of attr `branches`; n 0: there is none. */
static SfSpan branch_attr(const SfDefNode *d, int64_t i)
{
    SfSpan value, list, name = {"", 0};
    if (!find_attr(d->body, "branches", &value) || !find_field(value, V_LIST, &list)) {
        return name;
    }
    SfWire w = sf_wire(list);
    SfWireField f;
    while (sf_wire_next(&w, &f)) {
        if (f.number == LIST_FUNC && f.type == SF_WIRE_BYTES && i-- == 0) {
            (void)find_field(f.bytes, O_NAME, &name);
            break;
        }
    }
    return name;
}

static SfSpan branch_of(const SfDefNode *d, int64_t i)
{
    if (d->op->role == SF_ROLE_CASE) {
        return branch_attr(d, i);
    }
    return i == 0   ? function_attr(d, "then_branch")
           : i == 1 ? function_attr(d, "else_branch")
                    : (SfSpan){"", 0};
}

/* the kinds of calls */
static SfStatus call_branches(SfBody *body, const SfDefNode *d, SfNode *n, SfTensor *outs,
                              SfTensor *more)
{
    int64_t value, taken = -1;
    if (n->nin < 1) {
        return SF_OK;
    }
    if (sf_value_as_int(n->inputs[0].value, &value)) {
        taken = d->op->role == SF_ROLE_CASE ? value : value == 0;
    }
    SfSpan name = taken >= 0 ? branch_of(d, taken) : (SfSpan){"", 0};
    if (name.n > 0) {
        return call(body, name, n->inputs + 1, n->nin - 1, n, outs);
    }
    body->b.sink->muted++;
    SfStatus status = SF_OK;
    for (int64_t i = 0; status == SF_OK && i < 64; i++) {
        name = branch_of(d, i);
        if (name.n == 0) {
            break;
        }
        status = call(body, name, n->inputs + 1, n->nin - 1, n, i == 0 ? outs : more);
        if (status == SF_OK && i > 0) {
            status = join_outs(outs, more, n->nout);
        }
    }
    body->b.sink->muted--;
    if (branch_of(d, 64).n > 0) { /* too many branches to look at */
        for (int i = 0; i < n->nout; i++) {
            outs[i] = (SfTensor){.shape = sf_shape_unknown()};
        }
    }
    return status;
}

/* The join over all turns of a loop: found when the body changes it no more. */
static SfStatus call_loop(SfBody *body, const SfDefNode *d, SfNode *n, SfTensor *outs,
                          SfTensor *more)
{
    SfTensor ignored;
    if (n->nin != n->nout) {
        return SF_OK;
    }
    const SfSpan cond = function_attr(d, "cond"), step = function_attr(d, "body");
    const SfAttr *declared = sf_node_attr(n, "output_shapes");
    if (!sf_import_function(body->im, step)) {
        return SF_OK;
    }
    /* Without declared shapes TensorFlow trusts the body to keep those of the inputs; here it is
     * looked at. */
    for (int i = 0; declared && declared->u.list.n == 0 && i < n->nout; i++) {
        n->outputs[i].shape = sf_shape_unknown();
        n->outputs[i].value = NULL;
    }
    /* The condition is asked at least once; the node that asks has one output. */
    SfNode asks = *n;
    asks.nout = 1;
    SF_TRY(call(body, cond, n->inputs, n->nin, &asks, &ignored));
    memcpy(outs, n->inputs, (size_t)n->nin * sizeof *outs);
    body->b.sink->muted++;
    SfStatus status = SF_OK;
    bool stable = false;
    for (int pass = 0; pass < PASSES && !stable && status == SF_OK; pass++) {
        status = call(body, step, outs, n->nin, n, more);
        if (status == SF_OK) {
            SfTensor *before = more + n->nout;
            memcpy(before, outs, (size_t)n->nout * sizeof *before);
            status = join_outs(outs, more, n->nout);
            stable = status == SF_OK && same_args(before, outs, n->nout);
        }
    }
    body->b.sink->muted--;
    for (int i = 0; i < n->nout; i++) {
        if (!stable) {
            outs[i].shape = sf_shape_unknown();
            outs[i].value = NULL;
            outs[i].state = NULL;
        }
        outs[i].dtype = SF_DT_INVALID;
    }
    return status;
}

SfStatus sf_import_call(SfBody *body, const SfDefNode *d, SfNode *n)
{
    const bool unknown = n->sig == body->im->unknown;
    if (unknown != (d->op->kind == SF_DEF_FUNCTION) ||
        (unknown && body->b.graph != body->im->o.graph) || n->nout == 0) {
        return SF_OK; /* refused, or its outputs are found by names, which are not read */
    }
    SfTensor *outs = sf_calloc((size_t)n->nout * 3, sizeof *outs);
    SF_TRY_ALLOC(outs);
    for (int i = 0; i < n->nout; i++) {
        outs[i].shape = sf_shape_unknown();
    }
    body->first_call = body->im->ncalls;
    SfStatus status = SF_OK;
    if (unknown) {
        status = call(body, d->op->name, n->inputs, n->nin, n, outs);
    } else if (d->op->role == SF_ROLE_CALL) {
        status = call(body, function_attr(d, "f"), n->inputs, n->nin, n, outs);
    } else if (d->op->role == SF_ROLE_WHILE) {
        status = call_loop(body, d, n, outs, outs + n->nout);
    } else {
        status = call_branches(body, d, n, outs, outs + n->nout);
    }
    if (status == SF_OK) {
        status = refine(body, n, outs);
    }
    sf_free(outs);
    return status;
}
