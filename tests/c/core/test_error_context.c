/* The tails of messages, in the formats of TensorFlow 1.8, 1.12, 1.15, 2.9 and 2.21, and what the
 * accessors of the context give. The texts were taken from the real ones. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/graph/graph.h"

/* Reads all that can be read, then refuses. */
static SfStatus infer_all(SfInfer *c)
{
    const int64_t *ints;
    const SfDtype *types;
    const SfShape *const *shapes;
    int start;
    cr_expect(sf_attr_ints(c, "strides", &ints) == 2 && ints[1] == 2);
    cr_expect(sf_attr_types(c, "Tout", &types) == 2 && types[0] == SF_DT_INT64);
    cr_expect(sf_attr_shapes(c, "shapes", &shapes) == 1 && shapes[0] == sf_shape_scalar());
    cr_expect_str_eq(sf_attr_string(c, "label"), "x");
    cr_expect(sf_attr_float(c, "rate") == 0.1 && sf_attr_int(c, "n") == -3);
    cr_expect(sf_attr_type(c, "T") == SF_DT_FLOAT && sf_attr_shape(c, "shape"));
    cr_expect(!sf_attr_bool(c, "flag") && !sf_attr(c, "flag")->set);
    cr_expect(sf_input_count(c) == 2 && sf_input_range(c, "b", &start) == 1 && start == 1);
    cr_expect(sf_output_count(c) == 2 && sf_output_range(c, "out", &start) == 2 && start == 0);
    cr_expect(sf_output_dtype(c, 1) == SF_DT_STRING);
    cr_expect(sf_input_dim(c, 0, -1) == 3 && sf_input_dtype(c, 0) == SF_DT_FLOAT);
    cr_expect(sf_input(c, 9) == sf_shape_unknown() && sf_input_dtype(c, 9) == SF_DT_INVALID);
    cr_expect(!sf_input_value(c, 9) && !sf_input_state_node(c, 9));
    cr_expect(sf_output(c, 0) == sf_shape_unknown());
    cr_expect_str_eq(sf_op_type(c), "TailAll");
    cr_expect(sf_op_sig(c)->nin == 2 && sf_version(c) > 0);
    (void)sf_input_value(c, 1);
    return sf_fail_with(c, SF_DIAG_OP_SHAPE, SF_INPUT(1), SF_INPUT(1), "Refused");
}

static const SfOpDef all_op[] = {
    SF_OP(TailAll, .inputs = "a: T, b: int32", .outputs = "out: Tout",
          .attrs = "n: int = -3, rate: float = 0.1, flag: bool = false, label: string = 'x', "
                   "T: type, shape: shape = [2,?], value: tensor, f: func, "
                   "strides: list(int) = [1,2], rates: list(float) = [0.5], "
                   "flags: list(bool) = [true,false], labels: list(string) = ['a','b'], "
                   "Tout: list(type) = [int64, string], shapes: list(shape) = [[]], "
                   "fs: list(func) = []",
          .infer = infer_all),
};
static const SfOpTable table = {all_op, 1, "tail"};

#define ATTRS                                                                                      \
    "T=DT_FLOAT, Tout=[DT_INT64, DT_STRING], f=body, flag=false, flags=[true, false], "            \
    "fs=[], label=\"x\", labels=[\"a\", \"b\"], n=-3, rate=0.1, rates=[0.5], shape=[2,?], "        \
    "shapes=[[]], strides=[1, 2], value=Tensor<type: int32 shape: [2] values: 1 2>"
#define DEVICE "_device=\"/job:localhost/replica:0/task:0/device:CPU:0\""

typedef struct Fixture {
    SfArena scratch;
    SfSink sink;
    SfNode producer, control, node;
    SfNode *controls[1];
    SfNodeContext context;
    SfAttr attrs[16];
    SfTensor inputs[2], outs[2];
    SfInferArgs args;
} Fixture;

static void set_attr(Fixture *f, const char *name, SfAttr value)
{
    const int i = sf_op_attr_index(f->args.sig, name);
    cr_assert(i >= 0);
    value.set = true;
    value.type = f->args.sig->attrs[i].type;
    f->attrs[i] = value;
}

static void fixture(Fixture *f)
{
    const SfElem elems[] = {sf_elem_int(1), sf_elem_int(2)};
    cr_assert(sf_ops_register(&table) == SF_OK);
    memset(f, 0, sizeof(*f));
    f->producer.name = "split";
    f->producer.location = 77;
    f->control.name = "init";
    f->controls[0] = &f->control;
    f->node.name = "scope/all";
    f->context = (SfNodeContext){.control = {1, f->controls}, .device = ""};
    f->node.context = &f->context;
    f->args = (SfInferArgs){.sig = sf_op_find("TailAll"),
                            .attrs = f->attrs,
                            .inputs = f->inputs,
                            .nin = 2,
                            .outs = f->outs,
                            .nout = 2,
                            .node = &f->node,
                            .name = "scope/all",
                            .location = 5,
                            .sink = &f->sink,
                            .scratch = &f->scratch};
    cr_assert(f->args.sig);
    f->outs[0].dtype = SF_DT_INT64;
    f->outs[1].dtype = SF_DT_STRING;
    f->inputs[0] = (SfTensor){
        .shape = sf_shape_matrix(2, 3), .dtype = SF_DT_FLOAT, .node = &f->producer, .index = 1};
    f->inputs[1] = (SfTensor){.shape = sf_shape_vector(2),
                              .value = sf_value_make(SF_DT_INT32, sf_shape_vector(2), elems),
                              .dtype = SF_DT_INT32,
                              .node = &f->producer};
    SfAttr a = {.type = SF_ATTR_TYPE};
    a.u.type = SF_DT_FLOAT;
    set_attr(f, "T", a);
    a.u.func = "body";
    set_attr(f, "f", a);
    a.u.tensor.dtype = SF_DT_INT32;
    a.u.tensor.shape = sf_shape_vector(2);
    a.u.tensor.value = f->inputs[1].value;
    set_attr(f, "value", a);
}

static void expect(SfPhase phase, int version, const char *name, const char *message)
{
    Fixture f;
    fixture(&f);
    f.args.phase = phase;
    f.args.version = version;
    f.args.name = name;
    cr_expect(sf_infer_run(&f.args) == SF_REPORTED);
    cr_assert(f.sink.first);
    const SfDiag *d = f.sink.first;
    cr_expect_str_eq(d->message, message);
    cr_expect(d->location == 5 && d->operands[0].location == 77 && d->nplaces == 1);
    cr_expect((!d->node_name) == (phase == SF_PHASE_EAGER));
    sf_sink_free(&f.sink);
    sf_arena_free(&f.scratch);
}

Test(tail, construction)
{
    expect(SF_PHASE_BUILD, SF_VERSION(1, 15), "scope/all",
           "Refused for 'scope/all' (op: 'TailAll') with input shapes: [2,3], [2] and with "
           "computed input tensors: input[1] = <1 2>.");
    expect(SF_PHASE_BUILD, SF_VERSION(2, 21), "scope/all",
           "Refused for '{{node scope/all}} = TailAll[" ATTRS
           "](split:1, split)' with input shapes: [2,3], [2] and with computed input tensors: "
           "input[1] = <1 2>.");
}

Test(tail, run)
{
    expect(SF_PHASE_RUN, SF_VERSION(1, 8), "scope/all",
           "Refused\n\t [[Node: scope/all = TailAll[" ATTRS ", " DEVICE
           "](split:1, split, ^init)]]");
    expect(SF_PHASE_RUN, SF_VERSION(1, 12), "scope/all",
           "Refused\n\t [[{{node scope/all}} = TailAll[" ATTRS ", " DEVICE
           "](split:1, split, ^init)]]");
    expect(SF_PHASE_RUN, SF_VERSION(1, 15), "scope/all", "Refused\n\t [[{{node scope/all}}]]");
}

Test(tail, eager)
{
    expect(SF_PHASE_EAGER, SF_VERSION(2, 21), NULL,
           "{{function_node __wrapped__TailAll_Tout_2_device_/job:localhost/replica:0/task:0/"
           "device:CPU:0}} Refused [Op:TailAll] name: ");
    expect(SF_PHASE_EAGER, SF_VERSION(2, 21), "mine",
           "{{function_node __wrapped__TailAll_Tout_2_device_/job:localhost/replica:0/task:0/"
           "device:CPU:0}} Refused [Op:TailAll] name: mine");
    expect(SF_PHASE_EAGER, SF_VERSION(2, 3), NULL, "Refused [Op:TailAll]");
    expect(SF_PHASE_EAGER, SF_VERSION(2, 3), "mine", "Refused [Op:TailAll] name: mine");
}

Test(tail, api_calls_have_none)
{
    expect(SF_PHASE_API, SF_VERSION(2, 21), "scope/all", "Refused");
}
