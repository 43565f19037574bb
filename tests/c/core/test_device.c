/* Devices: names, machines, the catalogue, and where the nodes of a graph are put. */
#include "core/device/place.h"
#include "tests/c/core/kit.h"

#include <string.h>

/* names */
static const struct {
    const char *inner, *outer, *merged;
} merges[] = {
    {"", "", ""},
    {"/cpu:0", "", "/device:CPU:0"},
    {"/cpu:0", "/job:ps/task:1", "/job:ps/task:1/device:CPU:0"},
    {"/job:a", "/job:b/gpu:1", "/job:a/device:GPU:1"},
    {"/gpu", "/cpu:1", "/device:GPU:1"}, /* TensorFlow joins field by field, the index too */
    {"/device:GPU:*", "/gpu:2", "/device:GPU:2"},
    {"/replica:0/task:03", "", "/replica:0/task:3"},
    {"cpu:1", "/", "/device:CPU:1"},
};

Test(device, names_merge_field_by_field)
{
    SfArena a;
    sf_arena_init(&a);
    for (int i = 0; i < SF_ARRAY_LEN(merges); i++) {
        cr_expect_str_eq(sf_device_merge(&a, merges[i].inner, merges[i].outer), merges[i].merged);
    }
    sf_arena_free(&a);
}

static const struct {
    const char *text, *old_error, *new_error; /* NULL: none */
} errors[] = {
    {"/gpu:0", NULL, NULL},
    {"", NULL, NULL},
    {"/job:x/task:2/device:FOO:1", NULL, NULL},
    {"/foo:0", "Unknown attribute: 'foo' in '/foo:0'",
     "Unknown attribute 'foo' is encountered while parsing the device spec: '/foo:0'."},
    {"/device:cpu", "Unknown attribute: 'device' in '/device:cpu'",
     "Unknown attribute 'device' is encountered while parsing the device spec: '/device:cpu'."},
    {"/cpu:x", "invalid literal for int() with base 10: 'x'",
     "invalid literal for int() with base 10: 'x'"},
    {"/cpu:0/gpu:1", "Cannot specify multiple device types: /cpu:0/gpu:1",
     "Multiple device types are not allowed while parsing the device spec: /cpu:0/gpu:1."},
    {"/TPU:0", "Unknown attribute: 'TPU' in '/TPU:0'", NULL},
};

Test(device, refuses_what_tensorflow_refuses)
{
    SfArena a;
    sf_arena_init(&a);
    for (int i = 0; i < SF_ARRAY_LEN(errors) * 2; i++) {
        const char *want = i % 2 ? errors[i / 2].new_error : errors[i / 2].old_error;
        bool nomem;
        const char *got = sf_device_name_error(&a, i % 2 ? SF_VERSION(2, 21) : SF_VERSION(1, 15),
                                               errors[i / 2].text, &nomem);
        cr_expect(!nomem && !got == !want && (!want || strcmp(got, want) == 0), "%s: %s",
                  errors[i / 2].text, got ? got : "accepted");
    }
    sf_arena_free(&a);
}

/* machines */
static const struct {
    const char *text, *devices; /* or the beginning of the error */
} machines[] = {
    {"cpu", "CPU:0"},
    {"cpu:3", "CPU:0 CPU:1 CPU:2"},
    {"gpu:2", "CPU:0 GPU:0 GPU:1"},
    {"cpu, gpu", "CPU:0 GPU:0"},
    {"a100-80gb*2", "CPU:0 GPU:0 GPU:1"},
    {"NVIDIA-A100-80GB", "CPU:0 GPU:0"},
    {"cpu,t4,rtx4090", "CPU:0 GPU:0 GPU:1"},
    {"cpu:2, cpu", "CPU:0 CPU:1 CPU:2"},
    {" t4 t4 ", "CPU:0 GPU:0 GPU:1"},
    {"a100-80gb:2", "CPU:0 GPU:0 GPU:1"},
    {"", "no device is named"},
    {" ", "no device is named"},
    {",,", "no device is named"},
    {"t4,,t4", "'t4,,t4' names no device beside a comma"},
    {"t4, ,t4", "'t4, ,t4' names no device beside a comma"},
    {",t4", "',t4' names no device beside a comma"},
    {"t4, ", "'t4, ' names no device beside a comma"},
    {"gpu:0", "'gpu:0' asks for no device: behind ':' stands how many, at least 1"},
    {"cpu:0", "'cpu:0' asks for no device"},
    {"a100-80gb*0", "'a100-80gb*0' asks for no device: behind '*' stands how many"},
    {"my{memory=24GiB}*00", "'my{memory=24GiB}*00' asks for no device"},
    {"a100*0", "'a100*0' asks for no device"},
    {"gpu:-1", "'gpu:-1' has no number of devices behind ':'"},
    {"t4*1.5", "'t4*1.5' has no number of devices behind '*'"},
    {"t4*0x2", "'t4*0x2' has no number of devices behind '*'"},
    {"a100-80gb**2", "'a100-80gb**2' has no number of devices behind '*'"},
    {"t4*2*3", "'t4*2*3' has no number of devices behind '*'"},
    {"gpu:2:3", "'gpu:2:3' has no number of devices behind ':'"},
    {"*2", "'*2' names no device before '*'"},
    {":2", "':2' names no device before ':'"},
    {"/gpu:0", "'/gpu:0' asks for no device"},
    {"auto*2", "'auto*2': auto takes no number"},
    {"auto:1", "'auto:1': auto takes no number"},
    {"tpu:8", "'tpu' is no device and no GPU of the catalogue; nearest: "},
    {"t4;t4", "'t4;t4' is no device and no GPU of the catalogue; nearest: t4"},
    {"gpu:257", "'gpu:257' asks for more than 256 devices"},
    {"cpu:200,cpu:200", "more than 256 CPUs"},
    {"my{memory=24}", "'my{memory=24}' has 24 bytes of memory: it is bytes without a unit"},
    {"my{memory=24GiB;free=25GiB}", "'my{memory=24GiB;free=25GiB}' has more memory free than it"},
    {"my{memory=inf}", "'my{memory=inf}' describes no GPU"},
    {"my{memory=-1}", "'my{memory=-1}' describes no GPU"},
    {"gpu:x", "'gpu:x' has no number of devices behind ':'"},
    {"t4*", "'t4*' has no number of devices behind '*'"},
    {"gpu:99999999999", "'gpu:99999999999' asks for more than 256 devices"},
    {"gpu:99999999999999999999", "'gpu:99999999999999999999' asks for more than 256 devices"},
    {"a100", "'a100' is no device and no GPU of the catalogue; nearest: a100-40gb, a100-80gb"},
    {"gpu:200,gpu:200", "more than 256 GPUs"},
    {"my_gpu{memory=24GiB}*2,t4", "CPU:0 GPU:0 GPU:1 GPU:2"},
    {"x{memory=8589934592;free=7gb;bandwidth=6e11;fp32=3e13;half=1e14;capability=86;sms=72}",
     "CPU:0 GPU:0"},
    {"my{memory=24GiB", "'my{memory=24GiB' describes no GPU: NAME{memory=24GiB}, and by ';' free"},
    {"my{}", "'my{}' describes no GPU"},
    {"my{memory=0}", "'my{memory=0}' describes no GPU"},
    {"my{memory=24GiB;speed=3}", "'my{memory=24GiB;speed=3}' describes no GPU"},
    {"my{memory=24parsecs}", "'my{memory=24parsecs}' describes no GPU"},
    {"my{memory=nan}", "'my{memory=nan}' describes no GPU"},
    {"my{memory}", "'my{memory}' describes no GPU"},
    {"{memory=1gb}", "'{memory=1gb}' describes no GPU"},
    {"my{memory=1gb}x3", "'my{memory=1gb}x3' has no number of devices behind 'x'"},
};

Test(device, machines_are_read)
{
    SfArena a;
    sf_arena_init(&a);
    for (int i = 0; i < SF_ARRAY_LEN(machines); i++) {
        SfMachine m = {0};
        const char *error = NULL;
        const char *got = "";
        if (sf_machine_parse(&a, machines[i].text, &m, &error) != SF_OK) {
            got = error;
        }
        for (int k = 0; k < m.n; k++) {
            got = sf_arena_printf(&a, "%s%s%s", got, k > 0 ? " " : "",
                                  strstr(m.devices[k].name, "device:") + 7);
        }
        cr_expect(strncmp(got, machines[i].devices, strlen(machines[i].devices)) == 0, "%s: %s",
                  machines[i].text, got);
    }
    sf_arena_free(&a);
}

Test(device, a_described_gpu_has_what_it_says)
{
    SfArena a;
    SfMachine m;
    const char *error;
    sf_arena_init(&a);
    cr_assert(sf_machine_parse(&a, "my_gpu{memory=24GiB;free=8GiB;capability=86;half=1e14}", &m,
                               &error) == SF_OK);
    const SfGpu *g = m.devices[1].gpu;
    cr_expect_str_eq(g->title, "my gpu");
    cr_expect(g->capability == 86 && g->half > 9.9e13 && g->fp32 <= 0);
    cr_expect_eq(sf_gpu_memory(g), (int64_t)24 << 30);
    cr_expect_eq(sf_gpu_free(g), (int64_t)8 << 30);
    cr_expect_eq(sf_gpu_free(sf_gpu_find("t4")), (int64_t)16 << 30);
    sf_arena_free(&a);
}

Test(device, the_catalogue_has_one_gpu_of_a_name)
{
    cr_expect_geq(sf_gpu_count(), 30);
    for (int i = 0; i < sf_gpu_count(); i++) {
        const SfGpu *g = sf_gpu_at(i);
        cr_expect_eq(sf_gpu_find(g->name), g, "%s", g->name);
        cr_expect(g->memory_gib >= 6 && g->bandwidth > 1e11 && g->half >= g->fp32 && g->sms > 0 &&
                      g->capability >= 37,
                  "%s", g->name);
        cr_expect_eq(strcspn(g->name, ",:* "), strlen(g->name), "%s", g->name);
    }
    cr_expect_null(sf_gpu_at(-1));
    cr_expect_eq(sf_gpu_memory(sf_gpu_find("t4")), (int64_t)16 << 30);
}

/* placement */
typedef struct Placing {
    Kit k;
    SfArena arena;
    SfMachine machine;
    int16_t devices[64];
    SfPlaceError error;
} Placing;

static void place_open(Placing *p, const char *machine)
{
    const char *error;
    memset(p, 0, sizeof *p);
    kit_open(&p->k, SF_VERSION(1, 15));
    sf_arena_init(&p->arena);
    cr_assert(sf_machine_parse(&p->arena, machine, &p->machine, &error) == SF_OK);
}

static SfStatus place(Placing *p, bool soft)
{
    return sf_graph_place(p->k.g, &p->machine, soft, &p->arena, p->devices, &p->error);
}

static void place_close(Placing *p)
{
    sf_arena_free(&p->arena);
    kit_close(&p->k);
}

Test(place, constants_go_where_they_are_read)
{
    Placing p;
    place_open(&p, "cpu:3");
    const SfTensor x = kit_const_f(&p.k, "x", "[2]");
    p.k.b.device = "/device:CPU:2";
    const SfTensor y = OP(&p.k, "Relu", "y", x);
    p.k.b.device = "";
    const SfTensor z = OP(&p.k, "Relu", "z", y);
    cr_assert(place(&p, false) == SF_OK);
    cr_expect_eq(p.devices[x.node->id], 2);
    cr_expect_eq(p.devices[y.node->id], 2);
    cr_expect_eq(p.devices[z.node->id], 0);
    place_close(&p);
}

Test(place, users_of_a_reference_follow_it)
{
    Placing p;
    SfTensor ref;
    place_open(&p, "cpu:3");
    p.k.b.device = "/device:CPU:1";
    ref = kit_variable(&p.k, "v", SF_DT_FLOAT, "[2]");
    p.k.b.device = "/device:CPU:2";
    const SfTensor value = kit_const_f(&p.k, "value", "[2]");
    const SfTensor sum = OP(&p.k, "AssignAdd", "sum", ref, value);
    cr_assert(place(&p, false) == SF_OK);
    cr_expect_eq(p.devices[ref.node->id], 1);
    cr_expect_eq(p.devices[sum.node->id], 1);
    cr_expect_eq(p.devices[value.node->id], 2);
    place_close(&p);
}

Test(place, softly_what_is_not_there_is_elsewhere)
{
    Placing p;
    place_open(&p, "cpu");
    p.k.b.device = "/device:GPU:0";
    p.k.b.device_location = 77;
    const SfTensor x = OP(&p.k, "Relu", "x", kit_const_f(&p.k, "c", "[2]"));
    cr_assert(place(&p, true) == SF_OK);
    cr_expect_eq(p.devices[x.node->id], 0);
    cr_assert(place(&p, false) == SF_REPORTED);
    cr_expect_eq(p.error.node, x.node, "constants are placed last");
    cr_expect_eq(p.error.location, 77);
    cr_expect(strstr(p.error.message, "was explicitly assigned to /device:GPU:0 but available"));
    place_close(&p);
}

Test(place, colocated_ops_need_one_device)
{
    Placing p;
    place_open(&p, "cpu:3");
    p.k.b.device = "/device:CPU:1";
    const SfTensor a = OP(&p.k, "Relu", "a", kit_const_f(&p.k, "c", "[2]"));
    p.k.b.device = "/device:CPU:2";
    SfNode *with[] = {a.node};
    p.k.b.colocation = with;
    p.k.b.ncolocation = 1;
    const SfTensor b = OP(&p.k, "Relu", "b", a);
    cr_assert(place(&p, false) == SF_REPORTED);
    cr_expect_str_eq(
        p.error.message,
        "Cannot colocate nodes {{colocation_node b}} and {{colocation_node a}}: Cannot "
        "merge devices with incompatible ids: '/device:CPU:2' and '/device:CPU:1'");
    cr_assert(place(&p, true) == SF_OK);
    cr_expect_eq(p.devices[b.node->id], p.devices[a.node->id]);
    place_close(&p);
}

/* kernels */
static const SfKernelRow kernel_rows[] = {
    {"MatMul", "T:e", "T:6", "T:e", "T:6"}, /* half and int32 are no bits of a GPU's */
    {"StringJoin", "*", "", "*", ""},
};

Test(place, an_op_without_a_kernel_there_goes_elsewhere_or_nowhere)
{
    Placing p;
    place_open(&p, "cpu,gpu");
    sf_kernels_register(kernel_rows, SF_ARRAY_LEN(kernel_rows));
    const SfTensor a = kit_placeholder(&p.k, "a", SF_DT_FLOAT, "[2,2]");
    const SfTensor i = kit_placeholder(&p.k, "i", SF_DT_INT32, "[2,2]");
    const SfTensor f = OP(&p.k, "MatMul", "f", a, a);
    const SfTensor n = OP(&p.k, "MatMul", "n", i, i);
    cr_assert(place(&p, false) == SF_OK);
    cr_expect_eq(p.devices[f.node->id], 1, "a GPU comes before a CPU");
    cr_expect_eq(p.devices[n.node->id], 0);
    p.k.b.device = "/device:GPU:0";
    (void)OP(&p.k, "MatMul", "wrong", i, i);
    cr_assert(place(&p, false) == SF_REPORTED);
    cr_expect(strstr(p.error.message, "because no supported kernel for GPU devices is available"));
    cr_assert(place(&p, true) == SF_OK);
    sf_kernels_register(NULL, 0);
    place_close(&p);
}
