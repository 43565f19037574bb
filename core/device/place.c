/* Placement. See place.h. */
#include "core/device/place.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/strbuf.h"
#include "core/op/port.h"

enum { NOT_PLACED = -1, SEVERAL = -2, UNREAD = -3 };

/* A node, and while it is the root of its set, the whole set. */
typedef struct Member {
    int32_t parent;
    uint8_t kinds; /* SF_ON_CPU, SF_ON_GPU: where every member has a kernel */
    int16_t device;
    const SfDeviceName *requested; /* never NULL */
} Member;

typedef struct Placer {
    const SfGraph *g;
    const SfMachine *machine;
    bool soft;
    unsigned kinds; /* of the machine */
    SfArena *arena;
    Member *members;
    const SfKernelRow **rows; /* by the number of the op; &unknown_op: nothing is known of it */
    SfPlaceError *error;
} Placer;

static const SfDeviceName anywhere;
static const SfKernelRow unknown_op;

static SfStatus refuse(Placer *p, const SfNode *n, const char *message)
{
    const uint32_t asked = n->context->device_location;
    *p->error = (SfPlaceError){n, asked ? asked : n->location, message};
    return message ? SF_REPORTED : SF_NOMEM;
}

/* sets */
static int32_t root_of(Member *m, int32_t i)
{
    while (m[i].parent != i) {
        m[i].parent = m[m[i].parent].parent;
        i = m[i].parent;
    }
    return i;
}

/* Joins two sets. The older node stays the root, and `requested` is what the joined set asks
 * for. */
static void join(Placer *p, int32_t a, int32_t b, const SfDeviceName *requested)
{
    const int32_t root = a < b ? a : b, other = a < b ? b : a;
    Member *m = &p->members[root];
    const uint8_t both = m->kinds & p->members[other].kinds;
    p->members[other].parent = root;
    m->kinds = both ? both : m->kinds;
    m->requested = requested;
}

static const char *disagreement(const SfDeviceName *a, const SfDeviceName *b)
{
    const SfDevicePart pairs[][2] = {{a->job, b->job},
                                     {a->replica, b->replica},
                                     {a->task, b->task},
                                     {a->type, b->type},
                                     {a->index, b->index}};
    static const char *const names[] = {"jobs", "replicas", "tasks", "types", "ids"};
    for (int i = 0; i < SF_ARRAY_LEN(names); i++) {
        if (pairs[i][0].n > 0 && pairs[i][1].n > 0 &&
            !sf_device_part_same(pairs[i][0], pairs[i][1])) {
            return names[i];
        }
    }
    return "names";
}

/* Joins two sets that ask for different devices. What the node itself asks for wins; before
 * TensorFlow 2 they are asked for nothing that they do not agree on. */
static SfStatus colocate_softly(Placer *p, int32_t a, int32_t b)
{
    const SfDeviceName *x = p->members[a].requested, *y = p->members[b].requested;
    SfDeviceName *both = sf_arena_alloc(p->arena, sizeof *both);
    if (!both) {
        return SF_NOMEM;
    }
    *both = *x;
    if (sf_graph_version(p->g) < SF_VERSION(2, 0) && x->type.n > 0 && y->type.n > 0) {
        both->index = (SfDevicePart){NULL, 0};
        both->type = sf_device_part_same(x->type, y->type) ? x->type : both->index;
    }
    join(p, a, b, both);
    return SF_OK;
}

/* Joins two nodes that the program wants on one device. Where they cannot be, soft placement
 * ignores the wish. */
static SfStatus colocate(Placer *p, const SfNode *n, const SfNode *with)
{
    const int32_t a = root_of(p->members, n->id), b = root_of(p->members, with->id);
    const SfDeviceName *x = p->members[a].requested, *y = p->members[b].requested;
    if (a == b) {
        return SF_OK;
    }
    if (sf_device_names_agree(x, y)) {
        SfDeviceName *both = sf_arena_alloc(p->arena, sizeof *both);
        if (!both) {
            return SF_NOMEM;
        }
        *both = sf_device_names_join(x, y);
        join(p, a, b, both);
        return SF_OK;
    }
    if (p->soft) {
        return colocate_softly(p, a, b);
    }
    const char *left = sf_device_name_text(p->arena, x), *right = sf_device_name_text(p->arena, y);
    if (!left || !right) {
        return SF_NOMEM;
    }
    return refuse(p, n,
                  sf_arena_printf(p->arena,
                                  "Cannot colocate nodes {{colocation_node %s}} and "
                                  "{{colocation_node %s}}: Cannot merge devices with incompatible "
                                  "%s: '%s' and '%s'",
                                  n->name, with->name, disagreement(x, y), left, right));
}

/* what nodes ask for */
static const SfKernelRow *row_of(Placer *p, const SfOpSig *sig)
{
    if (sig->id < 0 || sig->id >= sf_op_count()) {
        return NULL;
    }
    const SfKernelRow **row = &p->rows[sig->id];
    if (!*row) {
        const SfKernelRow *found = sf_kernels_find(sig);
        *row = found ? found : &unknown_op;
    }
    return *row == &unknown_op ? NULL : *row;
}

static SfStatus init_members(Placer *p)
{
    const char *last = NULL;
    const SfDeviceName *requested = &anywhere;
    uint32_t polls = 0;
    for (int i = 0; i < sf_graph_size(p->g); i++) {
        const SfNode *n = sf_graph_node(p->g, i);
        const char *device = n->context->device;
        SF_TRY(sf_interrupt_step(&polls));
        if (*device == '\0') {
            requested = &anywhere;
        } else if (device != last) {
            SfDeviceName *parsed = sf_arena_alloc(p->arena, sizeof *parsed);
            if (!parsed) {
                return SF_NOMEM;
            }
            *parsed = sf_device_name_parse(device);
            requested = parsed;
        }
        last = device;
        const unsigned has =
            p->kinds == SF_ON_CPU ? SF_ON_CPU : sf_kernels_of(n, row_of(p, n->sig)) & p->kinds;
        p->members[i] = (Member){i, (uint8_t)(has ? has : SF_ON_CPU), NOT_PLACED, requested};
    }
    return SF_OK;
}

static bool takes_reference(const SfNode *n, int input)
{
    const int port = sf_input_port(n->sig, n->attrs, input, NULL);
    return port >= 0 && n->sig->in[port].is_ref;
}

/* Joins a state and an op that uses it. The user of a resource may complete what the resource
 * asks for, whose own fields win; what the user of a reference asks for does not count, since it
 * is colocated when it is made. */
static SfStatus join_state(Placer *p, int32_t owner, int32_t user, bool by_reference)
{
    const SfDeviceName *x = p->members[owner].requested, *y = p->members[user].requested;
    if (!by_reference && x != y && sf_device_names_agree(x, y)) {
        SfDeviceName *both = sf_arena_alloc(p->arena, sizeof *both);
        if (!both) {
            return SF_NOMEM;
        }
        *both = sf_device_names_join(x, y);
        x = both;
    }
    join(p, owner, user, x);
    return SF_OK;
}

/* Joins every user of a variable with the variable. */
static SfStatus join_states(Placer *p)
{
    uint32_t polls = 0;
    for (int i = 0; i < sf_graph_size(p->g); i++) {
        const SfNode *n = sf_graph_node(p->g, i);
        SF_TRY(sf_interrupt_step(&polls));
        for (int k = 0; k < n->nin && !sf_role_is_call(sf_node_role(n)); k++) {
            const SfNode *from = n->inputs[k].node;
            const SfDtype t = n->inputs[k].dtype;
            const bool resource = t == SF_DT_RESOURCE;
            if (!from || from->graph != p->g || (!resource && !sf_dtype_is_ref(t)) ||
                (!resource && !takes_reference(n, k))) {
                continue;
            }
            const int32_t a = root_of(p->members, from->id), b = root_of(p->members, i);
            if (a != b) {
                SF_TRY(join_state(p, a, b, !resource));
            }
        }
    }
    return SF_OK;
}

static SfStatus join_colocated(Placer *p)
{
    uint32_t polls = 0;
    for (int i = 0; i < sf_graph_size(p->g); i++) {
        const SfNode *n = sf_graph_node(p->g, i);
        SF_TRY(sf_interrupt_step(&polls));
        for (int k = 0; k < n->context->colocation.n; k++) {
            SF_TRY(colocate(p, n, n->context->colocation.items[k]));
        }
    }
    return SF_OK;
}

/* devices for a set */
/* The first device that `name` may mean: GPUs come before CPUs. */
static int first_match(const Placer *p, const SfDeviceName *name, unsigned kinds)
{
    static const unsigned order[] = {SF_ON_GPU, SF_ON_CPU};
    for (int k = 0; k < SF_ARRAY_LEN(order); k++) {
        for (int i = 0; kinds & order[k] && i < p->machine->n; i++) {
            const SfDevice *d = &p->machine->devices[i];
            if (d->kind == order[k] && sf_device_names_agree(name, &d->parsed)) {
                return i;
            }
        }
    }
    return -1;
}

static const char *available(const Placer *p)
{
    SfStrbuf w;
    const int version = sf_graph_version(p->g);
    sf_strbuf_init(&w, p->arena);
    for (int i = 0; i < p->machine->n; i++) {
        sf_strbuf_printf(&w, "%s%s", i > 0 ? ", " : "", p->machine->devices[i].name);
    }
    if (version >= SF_VERSION(1, 13) && version < SF_VERSION(2, 0)) {
        sf_strbuf_add(&w, ", /job:localhost/replica:0/task:0/device:XLA_CPU:0");
    }
    return sf_strbuf_end(&w);
}

static SfStatus refuse_request(Placer *p, const SfNode *n, const SfDeviceName *group)
{
    const int version = sf_graph_version(p->g);
    const char *devices = available(p), *asked = n->context->device;
    const SfDeviceName own = sf_device_name_parse(asked);
    if (!devices) {
        return SF_NOMEM;
    }
    const char *node = version < SF_VERSION(1, 12)
                           ? "Operation"
                           : sf_arena_printf(p->arena, "{{node %s}}", n->name);
    const char *head =
        sf_arena_printf(p->arena,
                        version < SF_VERSION(1, 12) ? "Cannot assign a device for operation '%s': "
                                                    : "Cannot assign a device for operation %s: ",
                        n->name);
    if (!node || !head) {
        return SF_NOMEM;
    }
    if (!sf_device_names_agree(&own, group) || !sf_device_name_is_set(&own)) {
        const char *other = sf_device_name_text(p->arena, group);
        return !other ? SF_NOMEM
                      : refuse(p, n,
                               sf_arena_printf(
                                   p->arena,
                                   "%sCould not satisfy explicit device specification '%s' because "
                                   "the node %s was colocated with a group of nodes that required "
                                   "incompatible device '%s'. All available devices [%s].",
                                   head, asked, node, other, devices));
    }
    if (first_match(p, group, SF_ON_CPU | SF_ON_GPU) < 0) {
        const char *cuda =
            sf_device_part_is(own.type, "GPU") && p->machine->ngpus == 0 &&
                    version >= SF_VERSION(2, 0)
                ? " The requested device appears to be a GPU, but CUDA is not enabled."
                : "";
        return refuse(
            p, n,
            sf_arena_printf(p->arena,
                            "%s%s was explicitly assigned to %s but available devices are "
                            "[ %s ]. Make sure the device specification refers to a valid "
                            "device.%s",
                            head, node, asked, devices, cuda));
    }
    return refuse(
        p, n,
        sf_arena_printf(p->arena,
                        "%sCould not satisfy explicit device specification '%s' because no "
                        "supported kernel for %.*s devices is available.",
                        head, asked, own.type.n, own.type.text));
}

/* The devices that a set asks for; with soft placement, where there are none, those of its job
 * and task. */
static SfDeviceName wish_of(const Placer *p, const Member *m)
{
    SfDeviceName wish = *m->requested;
    if (p->soft && first_match(p, &wish, m->kinds) < 0) {
        wish.type = wish.index = (SfDevicePart){NULL, 0};
    }
    return wish;
}

/* The device of the set that `n` is in; a set keeps the first that a member got. */
static SfStatus device_for(Placer *p, const SfNode *n, int *out)
{
    const Member *m = &p->members[root_of(p->members, n->id)];
    const SfDeviceName wish = wish_of(p, m);
    *out = m->device >= 0 ? m->device : first_match(p, &wish, m->kinds);
    return *out < 0 ? refuse_request(p, n, m->requested) : SF_OK;
}

/* May the set of `n` be on this device? */
static bool fits_on(Placer *p, const SfNode *n, int device)
{
    const Member *m = &p->members[root_of(p->members, n->id)];
    const SfDevice *d = &p->machine->devices[device];
    const SfDeviceName wish = wish_of(p, m);
    return m->device >= 0 ? m->device == device
                          : m->kinds & d->kind && sf_device_names_agree(&wish, &d->parsed);
}

static void put(Placer *p, const SfNode *n, int device)
{
    p->members[root_of(p->members, n->id)].device = (int16_t)device;
    p->members[n->id].device = (int16_t)device;
}

/* the two passes */
/* An op without inputs, which is placed where its output is read. */
static bool is_generator(const SfNode *n)
{
    return n->nin == 0 && n->nout == 1 && !sf_dtype_is_ref(n->outputs[0].dtype);
}

/* Shape, Size, Rank: looks at no element of its input. */
static bool is_metadata(const SfNode *n)
{
    return n->sig->def->traits & SF_OP_SHAPE_ONLY && n->nin == 1 && n->nout == 1 &&
           n->sig->in[0].type_attr >= 0 && sf_dtype_is_integer(n->outputs[0].dtype) &&
           n->outputs[0].dtype != n->inputs[0].dtype;
}

static void note_reader(int16_t *readers, const SfNode *from, const SfGraph *g, int16_t device)
{
    if (from && from->graph == g) {
        int16_t *at = &readers[from->id];
        *at = *at == UNREAD || *at == device ? device : SEVERAL;
    }
}

/* Of each node the device of all its readers, SEVERAL or UNREAD. */
static void find_readers(const Placer *p, int16_t *readers)
{
    const int size = sf_graph_size(p->g);
    for (int i = 0; i < size; i++) {
        readers[i] = UNREAD;
    }
    for (int i = 0; i < size; i++) {
        const SfNode *n = sf_graph_node(p->g, i);
        for (int k = 0; k < n->nin; k++) {
            note_reader(readers, n->inputs[k].node, p->g, p->members[i].device);
        }
        for (int k = 0; k < n->context->control.n; k++) {
            note_reader(readers, n->context->control.items[k], p->g, p->members[i].device);
        }
    }
}

static SfStatus first_pass(Placer *p)
{
    uint32_t polls = 0;
    for (int i = 0; i < sf_graph_size(p->g); i++) {
        const SfNode *n = sf_graph_node(p->g, i);
        int device;
        SF_TRY(sf_interrupt_step(&polls));
        if (is_generator(n)) {
            continue;
        }
        SF_TRY(device_for(p, n, &device));
        const SfNode *read = is_metadata(n) ? n->inputs[0].node : NULL;
        const int there = read && read->graph == p->g ? p->members[read->id].device : NOT_PLACED;
        put(p, n, there >= 0 && fits_on(p, n, there) ? there : device);
    }
    return SF_OK;
}

static SfStatus second_pass(Placer *p, const int16_t *readers)
{
    uint32_t polls = 0;
    for (int i = 0; i < sf_graph_size(p->g); i++) {
        const SfNode *n = sf_graph_node(p->g, i);
        int device;
        SF_TRY(sf_interrupt_step(&polls));
        if (is_generator(n)) {
            SF_TRY(device_for(p, n, &device));
            put(p, n, readers[i] >= 0 && fits_on(p, n, readers[i]) ? readers[i] : device);
        }
    }
    return SF_OK;
}

SfStatus sf_graph_place(const SfGraph *g, const SfMachine *m, bool soft, SfArena *arena,
                        int16_t *devices, SfPlaceError *error)
{
    const size_t n = (size_t)sf_graph_size(g);
    Placer p = {.g = g, .machine = m, .soft = soft, .arena = arena, .error = error};
    p.kinds = SF_ON_CPU | (m->ngpus > 0 ? SF_ON_GPU : 0u);
    p.members = sf_arena_alloc(arena, n * sizeof *p.members);
    p.rows = sf_arena_alloc(arena, (size_t)sf_op_count() * sizeof(SfKernelRow *));
    if (!p.members || !p.rows) {
        return SF_NOMEM;
    }
    SF_TRY(init_members(&p));
    SF_TRY(join_states(&p));
    SF_TRY(join_colocated(&p));
    SF_TRY(first_pass(&p));
    find_readers(&p, devices);
    SF_TRY(second_pass(&p, devices));
    for (size_t i = 0; i < n; i++) {
        devices[i] = p.members[i].device;
    }
    return SF_OK;
}
