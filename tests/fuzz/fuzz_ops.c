/* libFuzzer target: one op with any attrs and any partly known inputs.
 * Checked: no crash; every output is sound in form; weaker inputs give no new error and no shape or
 * value that contradicts what stronger ones gave (else one of the two is a false alarm). */
#include "tests/fuzz/fuzz.h"

#include "core/graph/bind.h"
#include "core/graph/graph.h"
#include "tests/c/domain/domain.h"

/* Set by hunt.c, which collects what libFuzzer would stop at: whether to say it; then the row ends. */
bool (*sf_fuzz_complaint)(const char *op, const char *what);
/* Set by messages.c: hears what the inference of an input, before it is weakened, found. */
void (*sf_fuzz_listener)(const char *op, int version, SfPhase phase, const SfSink *sink);
/* How far the last input came: 0 no row, 1 refused, 2 accepted and weakened. */
int sf_fuzz_reached;

enum { INPUTS_MAX = 12, OUTPUTS_MAX = 64, ELEMS_MAX = 16 };

typedef struct Case {
    SfFuzz f;
    SfArena arena, scratch;
    SfSink sink;
    const SfOpSig *sig;
    SfBind bind;
    SfBuilder b;
    SfPhase phase;
    SfGraph *g;
    SfDim symbols[2];
    SfAttrArg attrs[SF_BIND_LOCAL];
    int nattrs;
    SfTensor inputs[INPUTS_MAX];
    int nin;
    int sizes[INPUTS_MAX];
    int nsizes;
    bool broken; /* a law was broken, and hunt.c goes on */
} Case;

/* which op */
/* By a hash of its name, not by its number: an input stays the same test when ops are added. */
typedef struct Ranked {
    uint32_t hash;
    int id;
} Ranked;

static int by_hash(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

static uint32_t hash_of(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++) {
        h = (h ^ (uint32_t)(unsigned char)*name) * 16777619u;
    }
    return (h ^ h >> 24) & 0xffffff;
}

static const SfOpSig *pick_op(SfFuzz *f)
{
    static Ranked ranked[4096];
    static int n;
    uint32_t want = sf_fuzz_byte(f);
    want |= sf_fuzz_byte(f) << 8;
    want |= sf_fuzz_byte(f) << 16;
    if (n == 0) {
        n = sf_op_count() < SF_ARRAY_LEN(ranked) ? sf_op_count() : SF_ARRAY_LEN(ranked);
        for (int i = 0; i < n; i++) {
            ranked[i] = (Ranked){hash_of(sf_op_at(i)->def->name), i};
        }
        qsort(ranked, (size_t)n, sizeof *ranked, by_hash);
    }
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (ranked[middle].hash < want) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return sf_op_at(ranked[low % n].id);
}

/* choices */
static const int64_t numbers[] = {0,
                                  1,
                                  2,
                                  3,
                                  4,
                                  5,
                                  6,
                                  7,
                                  8,
                                  10,
                                  16,
                                  28,
                                  -1,
                                  -2,
                                  -3,
                                  -4,
                                  100,
                                  255,
                                  INT32_MAX,
                                  INT32_MIN,
                                  INT64_C(1) << 32,
                                  INT64_C(1) << 40,
                                  INT64_MAX,
                                  INT64_MIN};

static int64_t pick_number(Case *c)
{
    const unsigned byte = sf_fuzz_byte(&c->f);
    /* Mostly small ones: an op with strides of 2**40 refuses everything. */
    return byte < 200 ? (int64_t)(byte % 12) - 2
                      : numbers[byte % (sizeof numbers / sizeof *numbers)];
}

static double pick_real(Case *c)
{
    static const double reals[] = {0, 1, 0.5, -1, 1e30, 2, 3, 1e-3};
    const int i = sf_fuzz_pick(&c->f, 10);
    return i == 8 ? (double)__builtin_inf() : i == 9 ? (double)__builtin_nan("") : reals[i];
}

static SfDim pick_dim(Case *c)
{
    const unsigned byte = sf_fuzz_byte(&c->f);
    if (byte < 150) {
        return (SfDim)(byte % 9);
    }
    switch (byte % 8) {
    case 0:
    case 1:
        return c->symbols[byte % 2];
    case 2:
        return sf_dim_add(c->symbols[0], 1);
    case 3:
        return sf_dim_mul(c->symbols[1], 2);
    case 4: {
        static const int64_t large[] = {INT64_C(1) << 40, INT64_MAX, INT64_C(1) << 62, INT32_MAX};
        const int64_t n = numbers[byte % (sizeof numbers / sizeof *numbers)];
        return n < 0 ? large[byte / 24 % SF_ARRAY_LEN(large)] : n;
    }
    default:
        return SF_DIM_UNKNOWN;
    }
}

static const SfShape *pick_shape(Case *c)
{
    SfDim dims[9];
    const int rank = sf_fuzz_pick(&c->f, 9) - 1;
    for (int i = 0; i < rank; i++) {
        dims[i] = pick_dim(c);
    }
    const SfShape *s = rank < 0 ? sf_shape_unknown() : sf_shape_make(rank, dims);
    return s && !sf_shape_is_bottom(s) ? s : sf_shape_unknown();
}

static const SfString *pick_string(Case *c)
{
    static const char *const strings[] = {"",  "NHWC", "NCHW",  "ij,jk->ik", "...a,ab->...b",
                                          "x", "LSTM", "VALID", "a->",       "float"};
    char bytes[16];
    size_t n = 0;
    const char *text = bytes;
    const int i = sf_fuzz_pick(&c->f, SF_ARRAY_LEN(strings) + 2);
    if (i < SF_ARRAY_LEN(strings)) {
        text = strings[i];
        n = strlen(text);
    } else {
        for (n = (size_t)sf_fuzz_pick(&c->f, 16); text == bytes && n > 0 && c->f.n > 0;) {
            size_t at = 0;
            for (; at < n; at++) {
                bytes[at] = (char)sf_fuzz_byte(&c->f);
            }
            break;
        }
        n = c->f.n > 0 ? n : 0;
    }
    const SfElem e = sf_elem_string(text, n);
    return e.u.s;
}

static SfDtype pick_type(Case *c, uint64_t allowed)
{
    static const SfDtype common[] = {SF_DT_FLOAT,     SF_DT_INT32,  SF_DT_INT64,    SF_DT_BOOL,
                                     SF_DT_STRING,    SF_DT_DOUBLE, SF_DT_RESOURCE, SF_DT_VARIANT,
                                     SF_DT_COMPLEX64, SF_DT_QUINT8, SF_DT_HALF,     SF_DT_INT8};
    int k = sf_fuzz_pick(&c->f, 12);
    if (allowed == 0) {
        return common[k];
    }
    SfDtype last = SF_DT_INVALID;
    for (int t = 1; t < SF_DT_COUNT; t++) {
        if (allowed >> t & 1) {
            last = (SfDtype)t;
            if (k-- == 0) {
                break;
            }
        }
    }
    return last;
}

static const SfValue *pick_value(Case *c, SfDtype t, const SfShape *shape)
{
    SfElem elems[ELEMS_MAX];
    const int64_t n = sf_shape_is_known(shape) ? sf_shape_count(shape) : -1;
    if (n < 0 || n > ELEMS_MAX) {
        return NULL;
    }
    for (int64_t i = 0; i < n; i++) {
        if (sf_fuzz_byte(&c->f) % 8 == 7) {
            const SfDim d = pick_dim(c);
            elems[i] = sf_dtype_is_integer(t) ? sf_elem_dim(d) : sf_elem_unknown();
        } else if (t == SF_DT_STRING) {
            elems[i] = (SfElem){.kind = SF_ELEM_STRING, .u = {.s = pick_string(c)}};
        } else if (sf_dtype_is_floating(t)) {
            elems[i] = sf_elem_float(pick_real(c));
        } else if (sf_dtype_is_integer(t)) {
            elems[i] = sf_elem_int(pick_number(c));
        } else if (sf_dtype_is_bool(t)) {
            elems[i] = sf_elem_int(sf_fuzz_flag(&c->f));
        } else {
            return NULL;
        }
    }
    return sf_value_make(t, shape, elems);
}

/* attrs */
static SfAttr pick_list(Case *c, const SfAttrSpec *spec)
{
    SfAttr a = {.type = spec->type, .set = true};
    const int n = sf_fuzz_pick(&c->f, 7);
    a.u.list.n = n;
    void *items = sf_arena_alloc(&c->arena, 16 * sizeof(void *));
    a.u.list.u.i = items;
    for (int i = 0; i < n; i++) {
        switch ((int)(spec->type - SF_ATTR_LIST)) {
        case SF_ATTR_INT:
            ((int64_t *)items)[i] = pick_number(c);
            break;
        case SF_ATTR_FLOAT:
            ((double *)items)[i] = pick_real(c);
            break;
        case SF_ATTR_BOOL:
            ((bool *)items)[i] = sf_fuzz_flag(&c->f);
            break;
        case SF_ATTR_STRING:
            ((const SfString **)items)[i] = pick_string(c);
            break;
        case SF_ATTR_TYPE:
            ((SfDtype *)items)[i] = pick_type(c, spec->allowed_types);
            break;
        case SF_ATTR_SHAPE:
            ((const SfShape **)items)[i] = pick_shape(c);
            break;
        default:
            break;
        }
    }
    return a;
}

static SfAttr pick_attr(Case *c, const SfAttrSpec *spec)
{
    SfAttr a = {.type = spec->type, .set = true};
    if (spec->type >= SF_ATTR_LIST) {
        return pick_list(c, spec);
    }
    switch ((int)spec->type) {
    case SF_ATTR_INT:
        a.u.i = spec->is_number ? sf_fuzz_pick(&c->f, 4) : pick_number(c);
        break;
    case SF_ATTR_FLOAT:
        a.u.f = pick_real(c);
        break;
    case SF_ATTR_BOOL:
        a.u.b = sf_fuzz_flag(&c->f);
        break;
    case SF_ATTR_STRING:
        a.u.s = spec->allowed_strings.n > 0
                    ? spec->allowed_strings.items[sf_fuzz_pick(&c->f, spec->allowed_strings.n)]
                    : pick_string(c);
        break;
    case SF_ATTR_TYPE:
        a.u.type = pick_type(c, spec->allowed_types);
        break;
    case SF_ATTR_SHAPE:
        a.u.shape = pick_shape(c);
        break;
    case SF_ATTR_TENSOR:
        a.u.tensor.dtype = pick_type(c, 0);
        a.u.tensor.shape = pick_shape(c);
        a.u.tensor.value = pick_value(c, a.u.tensor.dtype, a.u.tensor.shape);
        break;
    default:
        a.u.func = "f";
        break;
    }
    return a;
}

static void pick_attrs(Case *c)
{
    for (int i = 0; i < c->sig->nattr && c->nattrs < SF_BIND_LOCAL; i++) {
        const SfAttrSpec *spec = &c->sig->attrs[i];
        if (!spec->has_default || sf_fuzz_flag(&c->f)) {
            c->attrs[c->nattrs].name = spec->name;
            c->attrs[c->nattrs++].value = pick_attr(c, spec);
        }
    }
}

/* inputs */
static const SfAttr *attr_value(const Case *c, int attr)
{
    for (int i = 0; i < c->nattrs; i++) {
        if (c->attrs[i].name == c->sig->attrs[attr].name) {
            return &c->attrs[i].value;
        }
    }
    return &c->sig->attrs[attr].def;
}

/* A variable to stand behind a handle. */
static SfNode *pick_variable(Case *c, SfDtype t)
{
    const bool is_ref = sf_dtype_is_ref(t);
    SfTensor out;
    int nout;
    const SfAttrArg attrs[] = {
        {"dtype",
         {.type = SF_ATTR_TYPE,
          .set = true,
          .u = {.type = is_ref ? sf_dtype_base(t) : pick_type(c, 0)}}},
        {"shape", {.type = SF_ATTR_SHAPE, .set = true, .u = {.shape = pick_shape(c)}}}};
    SfBuilder b = {.graph = c->g, .sink = &c->sink, .version = c->b.version};
    const SfStatus status = sf_build(&b, sf_op_find(is_ref ? "VariableV2" : "VarHandleOp"), NULL,
                                     NULL, 0, NULL, attrs, 2, &out, 1, &nout);
    return status == SF_OK ? out.node : NULL;
}

static void pick_input(Case *c, SfDtype t)
{
    if (c->nin == INPUTS_MAX) {
        return;
    }
    SfTensor *in = &c->inputs[c->nin++];
    *in = (SfTensor){.shape = pick_shape(c), .dtype = t};
    if ((t == SF_DT_RESOURCE || sf_dtype_is_ref(t)) && sf_fuzz_flag(&c->f)) {
        in->state = pick_variable(c, t);
        if (in->state && sf_dtype_is_ref(t)) {
            in->shape = in->state->outputs[0].shape; /* no other is possible */
        }
    } else if (sf_fuzz_flag(&c->f)) {
        in->value = pick_value(c, sf_dtype_base(t), in->shape);
    }
}

static void pick_inputs(Case *c)
{
    for (int i = 0; i < c->sig->nin; i++) {
        const SfPortSpec *p = &c->sig->in[i];
        int n = 1;
        if (p->number_attr >= 0) {
            n = (int)(attr_value(c, p->number_attr)->u.i & 3);
        } else if (p->list_attr >= 0) {
            n = attr_value(c, p->list_attr)->u.list.n;
        }
        if (p->number_attr >= 0 || p->list_attr >= 0) {
            c->sizes[c->nsizes++ % INPUTS_MAX] = n;
        }
        for (int k = 0; k < n; k++) {
            SfDtype t = p->dtype;
            if (p->type_attr >= 0) {
                t = attr_value(c, p->type_attr)->u.type;
            } else if (p->list_attr >= 0) {
                t = attr_value(c, p->list_attr)->u.list.u.type[k];
            }
            pick_input(c, p->is_ref ? (SfDtype)(t + SF_DT_REF) : t);
        }
    }
}

/* inference */
static void describe(const char *what, const SfTensor *t, int n)
{
    for (int i = 0; i < n; i++) {
        char shape[300], value[300] = "";
        (void)sf_shape_format(t[i].shape, true, shape, sizeof shape);
        if (t[i].value) {
            (void)sf_value_format(t[i].value, value, sizeof value);
        }
        (void)fprintf(stderr, "  %s %d: %s {%s} %s\n", what, i, shape, value,
                      sf_dtype_name(t[i].dtype));
    }
}

static void complain(Case *c, const char *what, const SfTensor *in, const SfTensor *outs,
                     const SfTensor *strong)
{
    c->broken = true;
    if (sf_fuzz_complaint && !sf_fuzz_complaint(c->sig->def->name, what)) {
        return;
    }
    (void)fprintf(stderr, "OP %s: %s (version %d, phase %d)\n", c->sig->def->name, what,
                  c->b.version, (int)c->phase);
    describe("input", c->inputs, c->nin);
    describe("weaker input", in, c->nin);
    describe("output", outs, c->bind.nout);
    if (strong) {
        describe("strong output", strong, c->bind.nout);
    }
    for (const SfDiag *d = c->sink.first; d; d = d->next) {
        (void)fprintf(stderr, "  finding: %s%s %s\n", sf_diag_info(d->code)->id,
                      d->deferred ? " deferred" : "", d->message);
    }
    if (!sf_fuzz_complaint) {
        abort();
    }
}

static SfStatus infer(Case *c, const SfTensor *in, SfTensor *outs)
{
    SfDtype dtypes[OUTPUTS_MAX];
    sf_bind_dtypes(&c->bind, dtypes);
    for (int i = 0; i < c->bind.nout; i++) {
        outs[i] = (SfTensor){.shape = sf_shape_unknown(), .index = i, .dtype = dtypes[i]};
    }
    sf_sink_clear(&c->sink);
    const SfInferArgs args = {.sig = c->sig,
                              .attrs = c->bind.attrs,
                              .inputs = in,
                              .nin = c->nin,
                              .outs = outs,
                              .nout = c->bind.nout,
                              .name = c->phase == SF_PHASE_EAGER ? NULL : "x",
                              .version = c->b.version,
                              .phase = c->phase,
                              .sink = &c->sink,
                              .scratch = &c->scratch};
    const SfStatus status = sf_infer_run(&args);
    if (status == SF_OK) {
        (void)sf_infer_cost(&args);
    }
    if (status == SF_REPORTED && !c->sink.first) {
        complain(c, "an error without a finding", in, outs, NULL);
    }
    for (int i = 0; status == SF_OK && !c->broken && i < c->bind.nout; i++) {
        const SfTensor *t = &outs[i];
        if (!t->shape || sf_shape_is_bottom(t->shape)) {
            complain(c, "an output of no or of bottom shape", in, outs, NULL);
        }
        if (t->value && (!sf_shape_leq(sf_value_shape(t->value), t->shape) ||
                         sf_value_dtype(t->value) != sf_dtype_base(t->dtype))) {
            complain(c, "a value that does not fit its output", in, outs, NULL);
        }
    }
    sf_arena_reset(&c->scratch);
    return status;
}

/* weaker inputs */
/* Ops that TensorFlow itself refuses with less known: each is said beside its row (@weak=no). */
static bool may_refuse_weaker(const Case *c)
{
    static const char *const ops[] = {"Batch", "OutfeedDequeueTupleV2", "SfUnknown"};
    for (int i = 0; i < SF_ARRAY_LEN(ops); i++) {
        if (strcmp(ops[i], c->sig->def->name) == 0) {
            return true;
        }
    }
    return false;
}

/* The inputs with numbers for their symbols. */
static bool bind_symbols(const Case *c, SfDim n, SfDim m, SfTensor *in)
{
    const SfShape *from = sf_shape_make(2, c->symbols), *to = sf_shape_make(2, (SfDim[]){n, m});
    bool changed = false;
    memcpy(in, c->inputs, sizeof c->inputs);
    for (int i = 0; i < c->nin; i++) {
        in[i].shape = sf_shape_bind(in[i].shape, from, to);
        in[i].value = in[i].value ? sf_value_bind(in[i].value, c->symbols[0], n) : NULL;
        in[i].value = in[i].value ? sf_value_bind(in[i].value, c->symbols[1], m) : NULL;
        changed = changed || in[i].shape != c->inputs[i].shape || in[i].value != c->inputs[i].value;
    }
    return changed;
}

/* Of two symbolic dims that are equal one is kept, so that what follows from the other (n is never
 * n+1) may be seen only when less is known. That is no false alarm: no numbers for them run. */
static bool runs_with_numbers(Case *c)
{
    SfTensor in[INPUTS_MAX], outs[OUTPUTS_MAX];
    for (SfDim n = 0; n < 10; n++) {
        for (SfDim m = 0; m < 10; m++) {
            const bool symbolic = bind_symbols(c, n, m, in);
            if (!symbolic || (infer(c, in, outs) == SF_OK && !c->sink.first)) {
                return true;
            }
        }
    }
    return false;
}

static void check_weaker(Case *c, const SfTensor *strong, int only, int how)
{
    SfTensor in[INPUTS_MAX], outs[OUTPUTS_MAX];
    bool changed = false;
    memcpy(in, c->inputs, sizeof in);
    for (int i = 0; i < c->nin; i++) {
        if (only >= 0 && i != only) {
            continue;
        }
        changed = changed || in[i].value || how > 0;
        in[i].value = NULL;
        if (how == 1) {
            in[i].shape = sf_shape_of_rank(sf_shape_rank(in[i].shape));
        } else if (how == 2) {
            in[i].shape = sf_shape_unknown();
        }
    }
    if (!changed || may_refuse_weaker(c)) {
        return;
    }
    SfStatus status = infer(c, in, outs);
    if (status == SF_REPORTED && !runs_with_numbers(c)) {
        return;
    }
    if (status == SF_REPORTED && !c->broken) {
        status = infer(c, in, outs);
        complain(c, "a weaker input gives a new error", in, outs, strong);
    }
    /* What cannot run has no shape that could be contradicted. */
    const bool ran = status == SF_OK && !c->sink.first;
    for (int i = 0; ran && !c->broken && i < c->bind.nout; i++) {
        const SfShape *both = sf_shape_meet(sf_shape_forget_symbols(strong[i].shape),
                                            sf_shape_forget_symbols(outs[i].shape));
        if (both && sf_shape_is_bottom(both)) {
            complain(c, "a weaker input gives a contradicting shape", in, outs, strong);
        }
    }
}

static void check_all(Case *c)
{
    SfTensor outs[OUTPUTS_MAX];
    sf_fuzz_reached = 1;
    const SfStatus status = infer(c, c->inputs, outs);
    if (sf_fuzz_listener) {
        sf_fuzz_listener(c->sig->def->name, c->b.version, c->phase, &c->sink);
        return;
    }
    if (status != SF_OK || c->sink.first) {
        return;
    }
    sf_fuzz_reached = 2;
    for (int how = 0; how < 3; how++) {
        for (int only = -1; only < c->nin && !c->broken; only++) {
            check_weaker(c, outs, only, how);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int versions[] = {SF_VERSION(2, 21), SF_VERSION(1, 15), SF_VERSION(1, 8),
                                   SF_VERSION(2, 3)};
    static const SfPhase phases[] = {SF_PHASE_BUILD, SF_PHASE_RUN, SF_PHASE_EAGER};
    static Case c; /* too large for some stacks */
    sf_fuzz_start();
    sf_fuzz_reached = 0;
    memset(&c, 0, sizeof c);
    c.f = (SfFuzz){data, size};
    c.sig = pick_op(&c.f);
    c.b.version = versions[sf_fuzz_pick(&c.f, 4)];
    c.phase = phases[sf_fuzz_pick(&c.f, 3)];
    c.g = sf_graph_new(c.b.version);
    if (!c.sig || !c.g || c.sig->nattr > SF_BIND_LOCAL) {
        sf_graph_free(c.g);
        return 0;
    }
    sf_sink_init(&c.sink);
    sf_arena_init(&c.arena);
    sf_arena_init(&c.scratch);
    c.symbols[0] = sf_dim_symbol("n");
    c.symbols[1] = sf_dim_symbol("m");
    pick_attrs(&c);
    pick_inputs(&c);
    c.b.sink = &c.sink;
    c.b.graph = c.phase == SF_PHASE_EAGER ? NULL : c.g;
    c.bind = (SfBind){.b = &c.b,
                      .sig = c.sig,
                      .name = "x",
                      .inputs = c.inputs,
                      .ninputs = c.nin,
                      .list_sizes = c.nsizes > 0 && c.nsizes <= INPUTS_MAX ? c.sizes : NULL,
                      .scratch = &c.arena};
    if (sf_bind_call(&c.bind, c.attrs, c.nattrs) == SF_OK && c.bind.nout <= OUTPUTS_MAX) {
        check_all(&c);
    }
    sf_graph_free(c.g);
    sf_sink_free(&c.sink);
    sf_arena_free(&c.arena);
    sf_arena_free(&c.scratch);
    return 0;
}
