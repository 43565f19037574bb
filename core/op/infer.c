/* The inference context: accessors, setting of outputs, and the run of one op.
 * Invariant: see infer.h. Owner: infer_impl.h. Source: shape_inference.cc. */
#include "core/op/infer_impl.h"

#include <assert.h>
#include <string.h>

#include "core/op/state.h"

/* the op */
int sf_version(const SfInfer *c)
{
    return c->args->version;
}

SfPhase sf_phase(const SfInfer *c)
{
    return c->args->phase;
}

const char *sf_op_type(const SfInfer *c)
{
    return c->sig->def->name;
}

int sf_op_variant(const SfInfer *c)
{
    return c->sig->def->variant;
}

void *sf_scratch(SfInfer *c, size_t size)
{
    return sf_arena_alloc(c->args->scratch, size);
}

/* attrs */
const SfAttr sf_attr_none = {.set = false};

int sf_attr_types(const SfInfer *c, const char *name, const SfDtype **items)
{
    const SfAttr *a = sf_attr(c, name);
    *items = a->u.list.u.type;
    return a->u.list.n;
}

int sf_attr_shapes(const SfInfer *c, const char *name, const SfShape *const **items)
{
    const SfAttr *a = sf_attr(c, name);
    *items = a->u.list.u.shape;
    return a->u.list.n;
}

/* ports */
static int port_range(const SfInfer *c, const SfPortSpec *ports, int nports, const char *name,
                      int *start)
{
    const size_t length = strlen(name);
    int at = 0;
    for (int i = 0; i < nports; i++) {
        const int width = (int)sf_port_width(&ports[i], c->sig, c->args->attrs);
        if (ports[i].name_length == length && memcmp(ports[i].name, name, length) == 0) {
            *start = at;
            return width;
        }
        at += width;
    }
    *start = at; /* another op that shares the function may declare it */
    return 0;
}

/* inputs */
int sf_input_range(const SfInfer *c, const char *name, int *start)
{
    return port_range(c, c->sig->in, c->sig->nin, name, start);
}

bool sf_input_int(SfInfer *c, int i, int64_t *out)
{
    return sf_value_as_int(sf_input_value(c, i), out);
}

const SfNode *sf_input_node(const SfInfer *c, int i)
{
    return sf_has_input(c, i) ? c->inputs[i].node : NULL;
}

bool sf_enters_loop(const SfInfer *c)
{
    if (!c->args->node || sf_role_is_flow(c->sig->def->role)) {
        return false;
    }
    const int32_t door = sf_node_doors(c->args->node).loop;
    bool enters = false;
    for (int i = 0; i < c->nin && !enters; i++) {
        const SfNode *n = c->inputs[i].node;
        enters = n && (sf_node_role(n) == SF_ROLE_ENTER || n->id < door);
    }
    return enters;
}

const SfShape *sf_static_input(const SfInfer *c, int i)
{
    const SfNode *n = c->args->node;
    return n && c->args->phase == SF_PHASE_RUN && sf_has_input(c, i) ? n->inputs[i].shape : NULL;
}

/* set the output */
static bool has_output(const SfInfer *c, int i)
{
    assert(i >= 0 && i < c->nout && "the op has no such output");
    return i >= 0 && i < c->nout;
}

/* Not while a check runs that only asks what a kernel would refuse. */
static bool may_set_output(const SfInfer *c, int i)
{
    return has_output(c, i) && c->sets_outputs;
}

SfStatus sf_set_output_shape(SfInfer *c, int output, const SfShape *s)
{
    SF_TRY_ALLOC(s);
    if (!may_set_output(c, output)) {
        return SF_OK;
    }
    assert(!sf_shape_is_bottom(s) && "a contradiction must be judged, not set");
    s = sf_shape_is_bottom(s) ? sf_shape_unknown() : s;
    c->outs[output].shape = s;
    return sf_shape_overflows(s) ? sf_infer_overflow(c, output, s) : SF_OK;
}

SfStatus sf_set_output_unknown(SfInfer *c, int output)
{
    return sf_set_output_shape(c, output, sf_shape_unknown());
}

SfStatus sf_set_output_scalar(SfInfer *c, int output)
{
    return sf_set_output_shape(c, output, sf_shape_scalar());
}

/* A size past int64 can't be written down: the rank stays, and the tensor can't be made. */
static SfStatus set_output_past(SfInfer *c, int output, int rank, const SfDim *sizes)
{
    SfDim dims[SF_RANK_MAX] = {0};
    for (int i = 0; i < rank; i++) {
        dims[i] = sizes[i] == SF_DIM_BOTTOM ? SF_DIM_UNKNOWN : sizes[i];
    }
    const SfShape *s = sf_shape_make(rank, dims);
    SF_TRY(sf_set_output_shape(c, output, s));
    return may_set_output(c, output) ? sf_infer_overflow(c, output, s) : SF_OK;
}

SfStatus sf_set_output_dims(SfInfer *c, int output, int rank, const SfDim *sizes)
{
    assert(rank >= 0 && rank <= SF_RANK_MAX);
    for (int i = 0; i < rank; i++) {
        if (sizes[i] == SF_DIM_BOTTOM) {
            return set_output_past(c, output, rank, sizes);
        }
    }
    return sf_set_output_shape(c, output, sf_shape_make(rank, sizes));
}

SfStatus sf_set_output_vector(SfInfer *c, int output, SfDim d0)
{
    return sf_set_output_dims(c, output, 1, (SfDim[]){d0});
}

SfStatus sf_set_output_matrix(SfInfer *c, int output, SfDim d0, SfDim d1)
{
    return sf_set_output_dims(c, output, 2, (SfDim[]){d0, d1});
}

SfStatus sf_set_output_same(SfInfer *c, int output, int input)
{
    return sf_set_output_shape(c, output, sf_input(c, input));
}

void sf_set_output_value(SfInfer *c, int output, const SfValue *v)
{
    if (!may_set_output(c, output)) {
        return;
    }
    SfTensor *t = &c->outs[output];
    t->value = NULL;
    if (!v || sf_value_dtype(v) != sf_dtype_base(t->dtype)) {
        return;
    }
    const SfShape *shape = sf_value_shape(v);
    if (t->shape && t->shape != shape) {
        shape = sf_shape_meet(t->shape, shape);
    }
    if (shape && !sf_shape_is_bottom(shape)) {
        t->shape = shape;
        t->value = v;
    }
}

int sf_output_range(const SfInfer *c, const char *name, int *start)
{
    return port_range(c, c->sig->out, c->sig->nout, name, start);
}

const SfShape *sf_output(const SfInfer *c, int i)
{
    return has_output(c, i) && c->outs[i].shape ? c->outs[i].shape : sf_shape_unknown();
}

SfDtype sf_output_dtype(const SfInfer *c, int i)
{
    return has_output(c, i) ? c->outs[i].dtype : SF_DT_INVALID;
}

void sf_set_output_state(SfInfer *c, int output, int input)
{
    if (may_set_output(c, output) && sf_has_input(c, input)) {
        c->outs[output].state = c->inputs[input].state;
    }
}

/* state */
SfNode *sf_input_state_node(const SfInfer *c, int i)
{
    return sf_has_input(c, i) ? c->inputs[i].state : NULL;
}

static SfNode *own(const SfInfer *c)
{
    return c->args->owner ? c->args->owner : c->args->node;
}

/* A variable declares shape and dtype; a queue, lists of them: its state is its first component. */
static void read_declared(const SfOpSig *sig, const SfAttr *attrs, SfState *out)
{
    *out = (SfState){.shape = sf_shape_unknown()};
    for (int i = 0; i < sig->nattr; i++) {
        const char *name = sig->attrs[i].name;
        const SfAttr *a = sf_attr_at(sig, attrs, i);
        if (strcmp(name, "shape") == 0 && a->type == SF_ATTR_SHAPE && a->u.shape) {
            out->shape = a->u.shape;
        } else if (strcmp(name, "dtype") == 0 && a->type == SF_ATTR_TYPE) {
            out->dtype = a->u.type;
        } else if (a->type & SF_ATTR_LIST && a->u.list.n > 0) {
            if (strcmp(name, "shapes") == 0) {
                out->shape = a->u.list.u.shape[0];
            } else if (strcmp(name, "component_types") == 0) {
                out->dtype = a->u.list.u.type[0];
            }
        }
    }
}

bool sf_state_read(SfInfer *c, int i, SfState *out)
{
    const SfNode *owner = i < 0 ? own(c) : sf_input_state_node(c, i);
    if (owner && c->args->states && sf_states_read(c->args->states, owner, out)) {
        return true;
    }
    if (i < 0) {
        read_declared(c->sig, c->args->attrs, out);
        return true;
    }
    if (owner) {
        read_declared(owner->sig, owner->attrs, out);
        return true;
    }
    *out = (SfState){.shape = sf_shape_unknown()};
    return false;
}

void sf_state_write(SfInfer *c, int i, const SfState *s)
{
    const SfNode *owner = i < 0 ? own(c) : sf_input_state_node(c, i);
    if (owner && c->args->states && sf_states_write(c->args->states, owner, s) == SF_NOMEM) {
        c->nomem = true;
    }
}

/* the run */
static void fill_outputs(const SfInferArgs *args, const SfShape *s)
{
    for (int i = 0; i < args->nout; i++) {
        args->outs[i].shape = s;
        args->outs[i].value = NULL;
    }
}

static void fill_unset(SfInfer *c)
{
    for (int i = 0; i < c->nout; i++) {
        if (!c->outs[i].shape) {
            c->outs[i].shape = sf_shape_unknown();
        }
    }
}

/* Integers decide shapes, so they fold as far as values go, and so do floats that become integers;
 * of other floats only what a script may look at is worth its price (an add of two [64,64]
 * constants would intern 4,096 numbers). */
enum { FOLD_FLOATS_MAX = 32 };

static bool is_worth_folding(const SfInfer *c)
{
    const SfOpDef *def = c->sig->def;
    if (!def->fold || def->traits & (SF_OP_STATEFUL | SF_OP_RANDOM)) {
        return false;
    }
    if (c->nout == 1 && sf_dtype_is_integer(c->outs[0].dtype)) {
        return true;
    }
    for (int i = 0; i < c->nin; i++) {
        const SfTensor *in = &c->inputs[i];
        if (in->value && sf_value_count(in->value) > FOLD_FLOATS_MAX &&
            !sf_dtype_is_integer(in->dtype) && !sf_dtype_is_bool(in->dtype) &&
            sf_dtype_base(in->dtype) != SF_DT_STRING) {
            return false;
        }
    }
    return true;
}

const SfValue *sf_infer_symbols_of(SfInfer *c, const SfValue *v)
{
    const int64_t n = sf_value_count(v);
    SfElem *elems = sf_scratch(c, (size_t)(n > 0 ? n : 1) * sizeof *elems);
    bool any = false;
    for (int64_t i = 0; elems && i < n; i++) {
        const SfElem e = sf_value_elem(v, i);
        if (e.kind == SF_ELEM_DIM) {
            elems[i] = e;
            any = true;
        }
    }
    return any ? sf_value_make(sf_value_dtype(v), sf_value_shape(v), elems) : NULL;
}

/* Does TensorFlow evaluate no op of this input, which has a value, while it builds a graph? It
 * reads a constant through the Switch of a branch, but evaluates no op behind one; 1.8 none behind
 * a loop's Enter either. */
static bool hides_numbers(const SfInfer *c, const SfTensor *t)
{
    if (!t->node) {
        return false;
    }
    const SfOpRole role = sf_node_role(t->node);
    if (role != SF_ROLE_SWITCH && role != SF_ROLE_ENTER && c->args->node->context->control.n == 0) {
        return false;
    }
    const SfNodeDoors doors = sf_node_doors(c->args->node);
    return role == SF_ROLE_SWITCH || t->node->id < doors.branch ||
           (c->args->version < SF_VERSION(1, 9) &&
            (role == SF_ROLE_ENTER || t->node->id < doors.loop));
}

/* The numbers of some inputs are hidden from the op. */
static void fold_hidden(SfInfer *c)
{
    const SfTensor *inputs = c->inputs;
    SfTensor *hidden = sf_scratch(c, (size_t)c->nin * sizeof *hidden);
    if (!hidden) {
        return;
    }
    memcpy(hidden, inputs, (size_t)c->nin * sizeof *hidden);
    for (int i = 0; i < c->nin; i++) {
        if (inputs[i].value && hides_numbers(c, &inputs[i])) {
            hidden[i].value = sf_infer_symbols_of(c, inputs[i].value);
        }
    }
    c->inputs = hidden;
    c->sig->def->fold(c);
    c->inputs = inputs;
}

static void fold_in_graph(SfInfer *c)
{
    const SfOpDef *def = c->sig->def;
    bool hides = false;
    if (c->args->phase == SF_PHASE_BUILD && !sf_role_is_flow(def->role)) {
        for (int i = 0; i < c->nin && !hides; i++) {
            hides = c->inputs[i].value && hides_numbers(c, &c->inputs[i]);
        }
    }
    (hides ? fold_hidden : def->fold)(c);
}

static SfStatus check_kernel(SfInfer *c)
{
    const SfOpDef *def = c->sig->def;
    SF_TRY(def->checks ? sf_check(c, def->checks) : SF_OK);
    return def->kernel ? def->kernel(c) : SF_OK;
}

static bool has_checks(const SfOpDef *def)
{
    return def->checks || def->kernel;
}

/* In a run the whole kernel check; in construction a second inference, where the op asks for
 * one. */
static SfStatus run_kernel(SfInfer *c, const void *data)
{
    const SfOpDef *def = c->sig->def;
    if (!def->checks_last) {
        SF_TRY(check_kernel(c));
    }
    if (c->args->phase != SF_PHASE_BUILD || (def->traits & SF_OP_ASK_KERNEL && !c->kernel_agrees)) {
        SF_TRY(def->infer(c));
    }
    return def->checks_last ? check_kernel(c) : SF_OK;
}

/* What construction accepts and the kernel refuses. */
static SfStatus ask_kernel(SfInfer *c)
{
    const SfOpDef *def = c->sig->def;
    if (c->args->phase != SF_PHASE_BUILD ||
        (!has_checks(def) && (!(def->traits & SF_OP_ASK_KERNEL) || c->kernel_agrees))) {
        return SF_OK;
    }
    c->messages = def->messages;
    return sf_kernel_check(c, run_kernel, NULL);
}

/* Of an op without a shape function, construction knows nothing where the kernel would refuse. */
static SfStatus infer_as_kernel(SfInfer *c)
{
    c->in_kernel = true;
    const SfStatus status = c->sig->def->infer(c);
    c->in_kernel = false;
    if (status == SF_REPORTED) {
        fill_outputs(c->args, sf_shape_unknown());
        return SF_OK;
    }
    return status;
}

SfStatus sf_infer_context_run(SfInfer *c)
{
    const SfOpDef *def = c->sig->def;
    SfNode *owner = def->traits & SF_OP_STATE ? own(c) : NULL;
    for (int i = 0; i < c->nout; i++) {
        c->outs[i].shape = NULL;
        c->outs[i].value = NULL;
        c->outs[i].state = owner;
    }
    const bool late = def->traits & SF_OP_KERNEL_ONLY && c->args->phase == SF_PHASE_BUILD;
    const bool runs = c->args->phase != SF_PHASE_BUILD && has_checks(def);
    SfStatus status = late ? infer_as_kernel(c) : runs ? run_kernel(c, NULL) : def->infer(c);
    if (status == SF_OK) {
        status = ask_kernel(c);
    }
    if (status == SF_OK) {
        if (is_worth_folding(c)) {
            (c->args->node ? fold_in_graph : def->fold)(c);
        }
        if (c->nout != 1 || !c->outs[0].shape) { /* of most ops the one output is set */
            fill_unset(c);
        }
    } else if (c->symbol_free) {
        for (int i = 0; i < c->nout; i++) {
            c->outs[i].shape = c->symbol_free[i].shape;
            c->outs[i].value = c->symbol_free[i].value;
            c->outs[i].state = c->symbol_free[i].state;
        }
    } else {
        fill_outputs(c->args, sf_shape_unknown());
    }
    if (c->nomem) {
        return SF_NOMEM;
    }
    return status == SF_REPORTED && c->symbol_free ? SF_OK : status;
}

SfStatus sf_infer_run(const SfInferArgs *args)
{
    for (int i = 0; i < args->nin; i++) {
        if (args->inputs[i].shape && sf_shape_is_bottom(args->inputs[i].shape)) {
            fill_outputs(args, sf_shape_bottom());
            return SF_OK;
        }
    }
    SfInfer c = sf_infer_context(args);
    return sf_infer_context_run(&c);
}

double sf_infer_cost(const SfInferArgs *args)
{
    SfInfer c = sf_infer_context(args);
    if (args->sig->def->cost) {
        return args->sig->def->cost(&c);
    }
    double elements = 0;
    for (int i = 0; i < args->nout; i++) {
        const SfDim count = sf_shape_count(sf_output(&c, i));
        if (!sf_dim_is_known(count)) {
            return -1;
        }
        elements += (double)count;
    }
    return elements;
}

/* forgetting symbols */
static const SfShape *symbol_free_shape(const SfShape *s, bool *changed, bool *nomem)
{
    const SfShape *symbol_free = s ? sf_shape_forget_symbols(s) : NULL;
    *nomem = *nomem || (s && !symbol_free);
    *changed = *changed || symbol_free != s;
    return symbol_free;
}

static const SfValue *symbol_free_value(SfArena *scratch, const SfValue *v, bool *changed,
                                        bool *nomem)
{
    bool symbolic = false;
    const int64_t count = v ? sf_value_count(v) : 0;
    *changed = *changed || (v && !sf_value_is_exact(v)); /* whole_values hides it */
    for (int64_t i = 0; i < count && !symbolic; i++) {
        symbolic = sf_value_elems(v)[i].kind == SF_ELEM_DIM;
    }
    if (!symbolic) {
        return v;
    }
    *changed = true;
    SfElem *elems = sf_arena_copy(scratch, sf_value_elems(v), (size_t)count * sizeof(*elems));
    for (int64_t i = 0; elems && i < count; i++) {
        elems[i] = elems[i].kind == SF_ELEM_DIM ? sf_elem_unknown() : elems[i];
    }
    const SfValue *symbol_free =
        elems ? sf_value_make(sf_value_dtype(v), sf_value_shape(v), elems) : NULL;
    *nomem = *nomem || !symbol_free;
    return symbol_free;
}

SfTensor *sf_infer_forget_symbols(const SfInferArgs *args, bool *nomem)
{
    bool changed = false;
    SfTensor *symbol_free =
        sf_arena_copy(args->scratch, args->inputs, (size_t)args->nin * sizeof(*symbol_free));
    *nomem = !symbol_free;
    for (int i = 0; i < args->nin && !*nomem; i++) {
        symbol_free[i].shape = symbol_free_shape(symbol_free[i].shape, &changed, nomem);
        symbol_free[i].value =
            symbol_free_value(args->scratch, symbol_free[i].value, &changed, nomem);
    }
    return changed && !*nomem ? symbol_free : NULL;
}
