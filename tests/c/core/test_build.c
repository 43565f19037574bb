/* sf_build: arity, dtypes, attrs, in TensorFlow's message (printed by 1.8, 1.15 and 2.21). */
#include "tests/c/core/kit.h"

#include <stdlib.h>

/* The tensors that rows name by a letter: f float matrix, i int vector, s string, b bool, v float
 * reference. */
static SfTensor operand(Kit *k, char c)
{
    switch (c) {
    case 'f':
        return kit_placeholder(k, NULL, SF_DT_FLOAT, "[1,1]");
    case 'd':
        return kit_placeholder(k, NULL, SF_DT_DOUBLE, "[1,1]");
    case 'i':
        return kit_placeholder(k, NULL, SF_DT_INT32, "[1]");
    case 's':
        return kit_placeholder(k, NULL, SF_DT_STRING, "[1]");
    case 'b':
        return kit_placeholder(k, NULL, SF_DT_BOOL, "[1]");
    default:
        return kit_variable(k, NULL, SF_DT_FLOAT, "[1,1]");
    }
}

typedef struct Row {
    const char *op, *inputs, *message; /* NULL: accepted */
    SfErrorClass class_;
} Row;

static void check(int version, const Row *rows, int n)
{
    Kit k;
    kit_open(&k, version);
    for (int r = 0; r < n; r++) {
        SfTensor in[8];
        const int nin = (int)strlen(rows[r].inputs);
        for (int i = 0; i < nin; i++) {
            in[i] = operand(&k, rows[r].inputs[i]);
        }
        const char *message = kit_refused(&k, rows[r].op, NULL, in, nin, NULL, 0);
        const char *want = rows[r].message ? rows[r].message : "(accepted)";
        cr_expect_str_eq(message, want, "%s(%s)\n  is   %s\n  want %s", rows[r].op, rows[r].inputs,
                         message, want);
        if (rows[r].message && k.sink.last) {
            cr_expect_eq(sf_diag_info(k.sink.last->code)->class_, rows[r].class_);
        }
    }
    kit_close(&k);
}

static const Row dtypes[] = {
    {"MatMul", "ff", NULL, 0},
    {"MatMul", "fv", NULL, 0},
    {"MatMul", "fi",
     "Input 'b' of 'MatMul' Op has type int32 that does not match type float32 of argument 'a'.",
     SF_ERR_TYPE},
    {"MatMul", "dv",
     "Input 'b' of 'MatMul' Op has type float32_ref that does not match type float64 of argument "
     "'a'.",
     SF_ERR_TYPE},
    {"MatMul", "ss",
     "Value passed to parameter 'a' has DataType string not in list of allowed values: bfloat16, "
     "float16, float32, float64, int32, int64",
     SF_ERR_TYPE},
    {"LogicalAnd", "ff",
     "Input 'x' of 'LogicalAnd' Op has type float32 that does not match expected type of bool.",
     SF_ERR_TYPE},
    {"Assign", "vf", NULL, 0},
    {"Assign", "ff",
     "'Assign' Op requires that input 'ref' be a mutable tensor (e.g.: a tf.Variable)",
     SF_ERR_TYPE},
    {"Assign", "vi",
     "Input 'value' of 'Assign' Op has type int32 that does not match type float32 of argument "
     "'ref'.",
     SF_ERR_TYPE},
    {"AddN", "ff", NULL, 0},
    {"AddN", "fi",
     "Tensors in list passed to 'inputs' of 'AddN' Op have types [float32, int32] that don't all "
     "match.",
     SF_ERR_TYPE},
    {"AddN", "", "List argument 'inputs' to 'AddN' Op with length 0 shorter than minimum length 1.",
     SF_ERR_VALUE},
    {"AddN", "ss",
     "Value passed to parameter 'inputs' has DataType string not in list of allowed values: "
     "float32, float64, int32",
     SF_ERR_TYPE},
    {"ConcatV2", "ffi", NULL, 0},
    {"ConcatV2", "fi",
     "List argument 'values' to 'ConcatV2' Op with length 1 shorter than minimum length 2.",
     SF_ERR_VALUE},
    {"ConcatV2", "fff",
     "Value passed to parameter 'axis' has DataType float32 not in list of allowed values: int32, "
     "int64",
     SF_ERR_TYPE},
    {"IdentityN", "fis", NULL, 0},
    {"IdentityN", "", "Attr 'T' of 'IdentityN' Op passed list of length 0 less than minimum 1.",
     SF_ERR_VALUE},
    {"Relu", "", "No argument for input features", SF_ERR_TYPE},
    {"MatMul", "f", "No argument for input b", SF_ERR_TYPE},
    {"Relu", "ff", "Relu takes 1 inputs but 2 were given", SF_ERR_TYPE},
};

Test(build, dtypes_and_arity)
{
    check(SF_VERSION(1, 15), dtypes, SF_ARRAY_LEN(dtypes));
    check(SF_VERSION(2, 21), dtypes, SF_ARRAY_LEN(dtypes));
}

static const char *refused_lists(Kit *k, const char *op, const char *inputs, const int *sizes)
{
    SfTensor in[8], outs[8];
    int nout;
    const int nin = (int)strlen(inputs);
    for (int i = 0; i < nin; i++) {
        in[i] = operand(k, inputs[i]);
    }
    sf_sink_clear(&k->sink);
    return sf_build(&k->b, sf_op_find(op), NULL, in, nin, sizes, NULL, 0, outs, 8, &nout) == SF_OK
               ? "(accepted)"
               : k->sink.last->message;
}

Test(build, several_lists)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    cr_expect_str_eq(refused_lists(&k, "DynamicStitch", "iiff", (const int[]){2, 2}), "(accepted)");
    cr_expect_str_eq(
        refused_lists(&k, "DynamicStitch", "iff", (const int[]){1, 2}),
        "List argument 'data' to 'dynamic_stitch' Op with length 2 must match length 1 "
        "of argument 'indices'.");
    cr_expect_str_eq(refused_lists(&k, "DynamicStitch", "ff", (const int[]){1, 1}),
                     "Tensors in list passed to 'indices' of 'DynamicStitch' Op have types "
                     "[float32] that do not match expected type int32.");
    cr_expect_str_eq(refused_lists(&k, "Switchboard", "fifi", (const int[]){2, 2}), "(accepted)");
    cr_expect_str_eq(refused_lists(&k, "Switchboard", "fiff", (const int[]){2, 2}),
                     "Input 'y' of 'Switchboard' Op has type list of float32, float32 that does "
                     "not match type list float32, int32 of argument 'x'.");
    cr_expect_neq(strcmp(refused_lists(&k, "Switchboard", "ff", (const int[]){2, 2}), "(accepted)"),
                  0);
    cr_expect_neq(
        strcmp(refused_lists(&k, "Switchboard", "ff", (const int[]){-1, 3}), "(accepted)"), 0);
    kit_close(&k);
}

Test(build, attrs)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor f = operand(&k, 'f');
    const SfTensor ff[] = {f, f};
    SfAttrArg a[3];
    cr_expect_str_eq(kit_refused(&k, "Cast", NULL, &f, 1, NULL, 0), "No argument for attr DstT");
    a[0] = kit_type("DstT", SF_DT_INT32);
    a[1] = kit_int("Truncate", 1);
    cr_expect_str_eq(kit_refused(&k, "Cast", NULL, &f, 1, a, 2),
                     "Expected bool for argument 'Truncate' not 1.");
    a[1] = kit_int("truncate", 1);
    cr_expect_str_eq(kit_refused(&k, "Cast", NULL, &f, 1, a, 2),
                     "apply_op() got unexpected keyword arguments: truncate");
    a[1] = kit_int("_class", 1);
    cr_expect_str_eq(kit_refused(&k, "Cast", NULL, &f, 1, a, 2), "(accepted)");
    a[0] = kit_int("num", -1);
    cr_expect_str_eq(kit_refused(&k, "Unpack", NULL, &f, 1, a, 1),
                     "Attr 'num' of 'Unpack' Op passed -1 less than minimum 0.");
    a[0] = kit_string("num", "a");
    cr_expect_str_eq(kit_refused(&k, "Unpack", NULL, &f, 1, a, 1),
                     "Expected int for argument 'num' not 'a'.");
    a[0] = kit_bool("num", true); /* int(True) */
    cr_expect_str_eq(kit_refused(&k, "Unpack", NULL, &f, 1, a, 1), "(accepted)");
    static const int64_t ones[] = {1, 1, 1, 1};
    a[0] = (SfAttrArg){"strides", {.type = SF_ATTR_LIST + SF_ATTR_INT, .set = true}};
    a[0].value.u.list.n = 4;
    a[0].value.u.list.u.i = ones;
    a[1] = kit_string("padding", "FOO");
    cr_expect_str_eq(kit_refused(&k, "Conv2D", NULL, ff, 2, a, 2),
                     "Attr 'padding' of 'Conv2D' Op passed string 'FOO' not in: \"SAME\", "
                     "\"VALID\".");
    a[1] = kit_string("padding", "SAME");
    cr_expect_str_eq(kit_refused(&k, "Conv2D", NULL, ff, 2, a, 2), "(accepted)");
    const SfNode *conv = sf_graph_node(k.g, sf_graph_size(k.g) - 1);
    cr_expect_neq(sf_node_attr(conv, "strides")->u.list.u.i, ones, "lists are copied");
    cr_expect_eq(sf_node_attr(conv, "strides")->u.list.u.i[3], 1);
    a[0] = kit_int("strides", 1);
    cr_expect_str_eq(kit_refused(&k, "Conv2D", NULL, ff, 2, a, 2),
                     "Expected list for attr strides");
    k.b.version = SF_VERSION(2, 21);
    cr_expect_str_eq(kit_refused(&k, "Conv2D", NULL, ff, 2, a, 2),
                     "Expected list for attr strides, obtained int instead.");
    cr_expect_str_eq(kit_refused(&k, "Cast", NULL, &f, 1, NULL, 0),
                     "No argument found for attr DstT for Cast");
    kit_close(&k);
}

Test(build, spelled_out_attrs_must_agree)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor f = operand(&k, 'f');
    const SfTensor ff[] = {f, f};
    SfAttrArg a = kit_type("T", SF_DT_FLOAT);
    cr_expect_str_eq(kit_refused(&k, "MatMul", NULL, ff, 2, &a, 1), "(accepted)");
    a = kit_type("T", SF_DT_INT32);
    cr_expect_str_eq(kit_refused(&k, "MatMul", NULL, ff, 2, &a, 1),
                     "Input 'a' of 'MatMul' Op has type float32 that does not match type int32 of "
                     "argument 'T'.");
    a = kit_int("N", 3);
    cr_expect_str_eq(kit_refused(&k, "AddN", NULL, ff, 2, &a, 1),
                     "List argument 'inputs' to 'add_n' Op with length 2 must match length 3 of "
                     "argument 'N'.");
    kit_close(&k);
}

Test(build, outputs)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor f = operand(&k, 'f');
    SfAttrArg num = kit_int("num", 1000);
    SfTensor outs[2];
    int nout = 0;
    cr_assert(sf_build(&k.b, sf_op_find("Unpack"), NULL, &f, 1, NULL, &num, 1, outs, 2, &nout) ==
              SF_OK);
    cr_expect_eq(nout, 1000);
    cr_expect_eq(outs[1].index, 1);
    cr_expect_eq(outs[1].dtype, SF_DT_FLOAT);
    cr_expect_eq(outs[0].node->outputs[999].index, 999);
    num = kit_int("num", 1000000000000);
    cr_expect_eq(sf_build(&k.b, sf_op_find("Unpack"), NULL, &f, 1, NULL, &num, 1, outs, 2, &nout),
                 SF_REPORTED, "absurd sizes allocate nothing");
    const SfTensor three[] = {f, operand(&k, 'i'), operand(&k, 's')};
    const SfTensor n = kit_op(&k, "IdentityN", NULL, three, 3, NULL, 0);
    cr_expect_eq(kit_out(n, 2).dtype, SF_DT_STRING);
    const SfTensor v = operand(&k, 'v');
    cr_expect_eq(v.dtype, SF_DT_REF + SF_DT_FLOAT);
    cr_expect_eq(v.state, v.node);
    const SfTensor id = OP(&k, "Identity", NULL, v);
    cr_expect_eq(id.dtype, SF_DT_FLOAT);
    kit_close(&k);
}

Test(build, inference_errors_add_no_node)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor ab[] = {kit_placeholder(&k, "a", SF_DT_FLOAT, "[2,3]"),
                           kit_placeholder(&k, "b", SF_DT_FLOAT, "[4,5]")};
    cr_expect_str_eq(kit_refused(&k, "MatMul", "m", ab, 2, NULL, 0),
                     "Dimensions must be equal, but are 3 and 4 for 'm' (op: 'MatMul') with input "
                     "shapes: [2,3], [4,5].");
    cr_expect_null(sf_graph_find(k.g, "m"));
    cr_expect_str_eq(OP(&k, "Relu", "m", ab[0]).node->name, "m_1", "the name stays used");
    kit_close(&k);
}

Test(build, eager)
{
    Kit k;
    kit_open(&k, SF_VERSION(2, 21));
    const SfTensor f = operand(&k, 'f'), i = operand(&k, 'i'), s = operand(&k, 's');
    SfTensor e[] = {f, f};
    e[0].node = e[1].node = NULL;
    const int size = sf_graph_size(k.g);
    k.b.graph = NULL;
    const SfTensor m = kit_op(&k, "MatMul", NULL, e, 2, NULL, 0);
    cr_expect_null(m.node);
    cr_expect_eq(m.shape, kit_shape("[1,1]"));
    static const struct {
        const char *op;
        int n;
        char in[4];
        const char *message;
    } rows[] = {
        {"MatMul", 2, "fi",
         "cannot compute MatMul as input #1(zero-based) was expected to be a float tensor but is a "
         "int32 tensor [Op:MatMul] name: "},
        {"AddN", 2, "fi",
         "cannot compute AddN as input #1(zero-based) was expected to be a float tensor but is a "
         "int32 tensor [Op:AddN] name: "},
        {"MatMul", 2, "ss",
         "Value for attr 'T' of string is not in the list of allowed values: bfloat16, half, "
         "float, double, int32, int64\n\t; NodeDef: {{node MatMul}}; Op<name=MatMul; "
         "signature=a:T, b:T -> "
         "product:T; attr=transpose_a:bool,default=false; attr=transpose_b:bool,default=false; "
         "attr=T:type,allowed=[DT_BFLOAT16, DT_HALF, DT_FLOAT, DT_DOUBLE, DT_INT32, DT_INT64]> "
         "[Op:MatMul] name: "},
        {"ConcatV2", 2, "fi",
         "Value for attr 'N' of 1 must be at least minimum 2\n\t; NodeDef: {{node ConcatV2}}; "
         "Op<name=ConcatV2; signature=values:N*T, axis:Tidx -> output:T; attr=N:int,min=2; "
         "attr=T:type; attr=Tidx:type,default=DT_INT32,allowed=[DT_INT32, DT_INT64]> "
         "[Op:ConcatV2] name: "},
        {"IdentityN", 0, "",
         "Length for attr 'T' of 0 must be at least minimum 1\n\t; NodeDef: {{node IdentityN}}; "
         "Op<name=IdentityN; signature=input: -> output:; attr=T:list(type),min=1> "
         "[Op:IdentityN] name: "},
    };
    for (int r = 0; r < SF_ARRAY_LEN(rows); r++) {
        SfTensor in[2], outs[4];
        int nout;
        for (int n = 0; n < rows[r].n; n++) {
            in[n] = rows[r].in[n] == 'f' ? f : rows[r].in[n] == 'i' ? i : s;
            in[n].node = NULL;
        }
        sf_sink_clear(&k.sink);
        cr_expect_eq(sf_build(&k.b, sf_op_find(rows[r].op), NULL, in, rows[r].n, NULL, NULL, 0,
                              outs, 4, &nout),
                     SF_REPORTED);
        cr_expect_str_eq(k.sink.last->message, rows[r].message, "%s", k.sink.last->message);
        cr_expect_eq(sf_diag_info(k.sink.last->code)->class_, SF_ERR_INVALID_ARGUMENT);
        cr_expect_eq(k.sink.last->phase, SF_PHASE_EAGER);
    }
    cr_expect_eq(sf_graph_size(k.g), size);
    kit_close(&k);
}

static SfAttrArg list_of(const char *name, SfAttrType element, int n, const void *items)
{
    SfAttrArg a = {name, {.type = (SfAttrType)(SF_ATTR_LIST + element), .set = true}};
    a.value.u.list.n = n;
    a.value.u.list.u.i = items;
    return a;
}

/* Calls of one op that differ in a dtype, in an attr, or in nothing: each is bound by itself or as the one
 * before, and nobody sees which. */
static void alternate(Kit *k)
{
    static const char *const word[] = {"f", "f", "i", "i", "f", "d", "d", "f"};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < SF_ARRAY_LEN(word); i++) {
            const SfTensor x = operand(k, word[i][0]);
            const SfTensor sum = OP(k, "Add", NULL, x, x);
            cr_expect_eq(sum.dtype, x.dtype, "%d", i);
            const SfDtype to = i % 3 == 0 ? SF_DT_DOUBLE : SF_DT_INT64;
            const SfAttrArg attrs[] = {kit_type("DstT", to)};
            cr_expect_eq(kit_op(k, "Cast", NULL, &x, 1, attrs, 1).dtype, to, "%d", i);
            const SfAttrArg flags[] = {kit_bool("transpose_a", i % 2 == 0),
                                       kit_bool("transpose_b", i > 3)};
            if (word[i][0] == 'f') {
                const SfTensor in[] = {x, x};
                const SfNode *n = kit_op(k, "MatMul", NULL, in, 2, flags, 2).node;
                cr_expect_eq(sf_node_attr(n, "transpose_a")->u.b, i % 2 == 0, "%d", i);
                cr_expect_eq(sf_node_attr(n, "transpose_b")->u.b, i > 3, "%d", i);
            }
        }
    }
}

Test(build, as_the_call_before)
{
    static const Row rows[] = {
        {"Relu", "f", NULL, 0},
        {"Relu", "s",
         "Value passed to parameter 'features' has DataType string not in list of allowed values: "
         "float32, float64, int32, float16",
         SF_ERR_TYPE},
        {"Relu", "f", NULL, 0},
    };
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    alternate(&k);
    SfNode *first = OP(&k, "Relu", NULL, operand(&k, 'f')).node;
    SfNode *second = OP(&k, "Relu", NULL, operand(&k, 'f')).node;
    SfNode *other = OP(&k, "Relu", NULL, operand(&k, 'd')).node;
    cr_expect_eq(first->attrs, second->attrs, "nodes share what they are bound to");
    cr_expect_neq(first->attrs, other->attrs);
    cr_expect_eq(sf_node_attr(first, "T")->u.type, SF_DT_FLOAT);
    cr_expect_eq(sf_node_attr(other, "T")->u.type, SF_DT_DOUBLE);
    kit_close(&k);
    check(SF_VERSION(1, 15), rows, SF_ARRAY_LEN(rows));
    kit_open(&k, SF_VERSION(2, 15));
    SfTensor eager[2];
    const SfDtype both[] = {SF_DT_FLOAT, SF_DT_DOUBLE};
    k.b.graph = NULL;
    for (int i = 0; i < 6; i++) {
        const SfTensor x = {.shape = kit_shape("[2]"), .dtype = both[i / 2 % 2]};
        eager[i % 2] = OP(&k, "Relu", NULL, x);
        cr_expect_eq(eager[i % 2].dtype, x.dtype);
    }
    kit_close(&k);
}

/* Attrs that binding does not judge may differ from call to call; what is given is overwritten after
 * each call, so that a node which only points to it is found. */
Test(build, attrs_that_differ_from_the_call_before)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    int64_t i[3];
    const SfString *s[1];
    enum { GIVEN = 6, STEPS = 200 };
    srand(5);
    for (int step = 0; step < STEPS; step++) {
        const int n = rand() % 3;
        const bool yes = rand() % 2;
        const char *const texts[] = {"x", "y"};
        for (int at = 0; at < SF_ARRAY_LEN(i); at++) {
            i[at] = rand() % 2;
        }
        const char *const text = texts[rand() % 2];
        const char *const shape = rand() % 2 ? "[3]" : "[?,4]";
        s[0] = sf_elem_string(text, 1).u.s;
        const int64_t want[] = {i[0], i[1], i[2]};
        SfAttrArg all[GIVEN] = {
            list_of("li", SF_ATTR_INT, n, i), list_of("ls", SF_ATTR_STRING, 1, s),
            kit_int("i", 7 + want[0]),        kit_bool("b", yes),
            kit_shape_attr("p", shape),       kit_type("t", SF_DT_INT32)};
        const bool no_shape = rand() % 8 == 0;
        if (no_shape) {
            all[4].value.u.shape = NULL;
        }
        const SfNode *node = kit_op(&k, "Kinds", NULL, NULL, 0, all, GIVEN).node;
        memset(i, 0x7f, sizeof i);
        s[0] = NULL;
        const SfAttr *li = sf_node_attr(node, "li");
        cr_assert_eq(li->u.list.n, n);
        cr_assert(n == 0 || memcmp(li->u.list.u.i, want, sizeof *want * (size_t)n) == 0, "%d",
                  step);
        cr_assert_str_eq(sf_node_attr(node, "ls")->u.list.u.s[0]->bytes, text, "%d", step);
        cr_assert_eq(sf_node_attr(node, "i")->u.i, 7 + want[0], "%d", step);
        cr_assert_eq(sf_node_attr(node, "b")->u.b, yes, "%d", step);
        cr_assert_eq(sf_node_attr(node, "p")->u.shape,
                     no_shape ? sf_shape_unknown() : kit_shape(shape), "%d", step);
        cr_assert(sf_node_attr(node, "p")->set);
        cr_assert_eq(sf_node_attr(node, "t")->u.type, SF_DT_INT32);
    }
    const SfString *bad[] = {sf_elem_string("z", 1).u.s};
    const SfAttrArg one = list_of("ls", SF_ATTR_STRING, 1, bad);
    cr_expect_str_eq(kit_refused(&k, "Kinds", NULL, NULL, 0, &one, 1),
                     "Attr 'ls' of 'Kinds' Op passed string 'z' not in: \"x\", \"y\".");
    cr_expect_null(sf_graph_verify(k.g));
    kit_close(&k);
}

/* A constant after a constant: another content, the same dtype. */
Test(build, constants_that_differ)
{
    for (int eager = 0; eager < 2; eager++) {
        Kit k;
        kit_open(&k, SF_VERSION(2, 15));
        SfGraph *g = k.b.graph;
        k.b.graph = eager ? NULL : g;
        for (int step = 0; step < 12; step++) {
            const int64_t content = step / 3 % 2 ? 5 : step;
            const SfTensor t = kit_const(&k, NULL, content);
            int64_t got = -1;
            cr_assert(kit_int_of(t, &got));
            cr_expect_eq(got, content);
            if (!eager) {
                const SfAttr *a = sf_node_attr(t.node, "value");
                cr_expect(sf_value_as_int(a->u.tensor.value, &got));
                cr_expect_eq(got, content);
            }
        }
        k.b.graph = g;
        kit_close(&k);
    }
}

Test(build, attrs_of_every_kind)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const int64_t i[] = {1, 2};
    const double f[] = {1, 2};
    const bool b[] = {true, false};
    const SfString *s[] = {sf_elem_string("x", 1).u.s, sf_elem_string("y", 1).u.s};
    const SfString *bad_s[] = {sf_elem_string("z", 1).u.s};
    const SfDtype t[] = {SF_DT_FLOAT, SF_DT_INT32};
    const SfDtype bad_t[] = {SF_DT_STRING};
    const SfShape *p[] = {kit_shape("[2]"), kit_shape("?")};
    SfAttrArg fn = {"fn", {.type = SF_ATTR_FUNC, .set = true, .u = {.func = "body"}}};
    SfAttrArg fl = {"f", {.type = SF_ATTR_FLOAT, .set = true, .u = {.f = 0.5}}};
    SfAttrArg all[] = {
        list_of("li", SF_ATTR_INT, 2, i),
        list_of("lf", SF_ATTR_FLOAT, 2, f),
        list_of("lb", SF_ATTR_BOOL, 2, b),
        list_of("ls", SF_ATTR_STRING, 2, s),
        list_of("lt", SF_ATTR_TYPE, 2, t),
        list_of("lp", SF_ATTR_SHAPE, 2, p),
        kit_int("i", 7),
        fl,
        kit_bool("b", true),
        kit_string("s", "b"),
        kit_type("t", SF_DT_INT32),
        kit_shape_attr("p", "[3]"),
        fn,
    };
    const int n = SF_ARRAY_LEN(all);
    const SfNode *a = kit_op(&k, "Kinds", NULL, NULL, 0, all, n).node;
    const SfNode *same = kit_op(&k, "Kinds", NULL, NULL, 0, all, n).node;
    cr_expect_eq(a->attrs, same->attrs, "equal attrs are shared, lists included");
    cr_expect_eq(sf_node_attr(a, "lb")->u.list.u.b[1], false);
    cr_expect_eq(sf_node_attr(a, "lp")->u.list.u.shape[1], sf_shape_unknown());
    cr_expect_str_eq(sf_node_attr(a, "ls")->u.list.u.s[1]->bytes, "y");
    cr_expect_str_eq(sf_node_attr(a, "fn")->u.func, "body");
    for (int skip = 0; skip < n; skip++) { /* every attr makes a difference */
        SfAttrArg fewer[SF_ARRAY_LEN(all)];
        memcpy(fewer, all, sizeof all);
        fewer[skip] = all[n - 1];
        if (skip < n - 1) {
            const SfNode *other = kit_op(&k, "Kinds", NULL, NULL, 0, fewer, n).node;
            cr_expect_neq(other->attrs, a->attrs, "without %s", all[skip].name);
        }
    }
    static const struct {
        const char *name;
        SfAttr value;
        const char *message;
    } rows[] = {
        {"f", {.type = SF_ATTR_INT, .set = true, .u = {.i = 3}}, "(accepted)"},
        {"f", {.type = SF_ATTR_BOOL, .set = true, .u = {.b = true}}, "(accepted)"},
        {"i", {.type = SF_ATTR_FLOAT, .set = true, .u = {.f = 3.7}}, "(accepted)"},
        {"i",
         {.type = SF_ATTR_FLOAT, .set = true, .u = {.f = 1e300}},
         "Expected int for argument 'i' not 1.0000000000000001e+300."},
        {"b",
         {.type = SF_ATTR_FLOAT, .set = true, .u = {.f = 0.5}},
         "Expected bool for argument 'b' not 0.5."},
        {"s",
         {.type = SF_ATTR_BOOL, .set = true, .u = {.b = true}},
         "Expected string for argument 's' not True."},
        {"t",
         {.type = SF_ATTR_INT, .set = true, .u = {.i = 3}},
         "Expected DataType for argument 't' not 3."},
        {"i",
         {.type = SF_ATTR_TYPE, .set = true, .u = {.type = SF_DT_FLOAT}},
         "Expected int for argument 'i' not tf.float32."},
        {"i",
         {.type = SF_ATTR_LIST + SF_ATTR_INT, .set = true},
         "Expected int for argument 'i' not []."},
        {"p", {.type = SF_ATTR_SHAPE, .set = true}, "(accepted)"},
        {"lf", {.type = SF_ATTR_LIST + SF_ATTR_INT, .set = true}, "(accepted)"},
    };
    for (int r = 0; r < SF_ARRAY_LEN(rows); r++) {
        const SfAttrArg one = {rows[r].name, rows[r].value};
        cr_expect_str_eq(kit_refused(&k, "Kinds", NULL, NULL, 0, &one, 1), rows[r].message);
    }
    SfAttrArg one = list_of("ls", SF_ATTR_STRING, 1, bad_s);
    cr_expect_str_eq(kit_refused(&k, "Kinds", NULL, NULL, 0, &one, 1),
                     "Attr 'ls' of 'Kinds' Op passed string 'z' not in: \"x\", \"y\".");
    one = list_of("lt", SF_ATTR_TYPE, 1, bad_t);
    cr_expect_str_eq(kit_refused(&k, "Kinds", NULL, NULL, 0, &one, 1),
                     "Value passed to parameter 'lt' has DataType string not in list of allowed "
                     "values: float32, int32");
    one = list_of("lf", SF_ATTR_INT, 2, i);
    cr_expect_neq(strcmp(kit_refused(&k, "Kinds", NULL, NULL, 0, &one, 1), "(accepted)"), 0);
    kit_close(&k);
}

Test(build, many_attrs_and_empty_lists)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor f = operand(&k, 'f'), i = operand(&k, 'i');
    const SfAttrArg a13 = kit_int("a13", 13);
    const SfTensor wide = kit_op(&k, "Wide", NULL, &f, 1, &a13, 1);
    cr_expect_eq(sf_node_attr(wide.node, "a13")->u.i, 13);
    cr_expect_eq(sf_node_attr(wide.node, "a25")->u.i, 25);
    cr_expect_eq(wide.dtype, SF_DT_FLOAT);
    cr_expect_eq(kit_op(&k, "Maybe", NULL, NULL, 0, NULL, 0).dtype, SF_DT_INT32);
    cr_expect_eq(kit_op(&k, "Maybe", NULL, &f, 1, NULL, 0).dtype, SF_DT_FLOAT);
    cr_expect_str_eq(kit_refused(&k, "Some", NULL, NULL, 0, NULL, 0),
                     "Don't know how to infer type variable from empty input list passed to input "
                     "'x' of 'Some' Op.");
    const SfTensor fi[] = {f, i};
    cr_expect_str_eq(kit_refused(&k, "After", NULL, fi, 2, NULL, 0),
                     "Tensors in list passed to 'x' of 'After' Op have types [int32] that do not "
                     "match type float32 inferred from earlier arguments.");
    kit_close(&k);
}

Test(build, eager_outputs_that_do_not_fit)
{
    Kit k;
    kit_open(&k, SF_VERSION(2, 21));
    SfTensor f = operand(&k, 'f');
    f.node = NULL;
    k.b.graph = NULL;
    const SfAttrArg num = kit_int("num", 100);
    SfTensor outs[3];
    int nout = 0;
    cr_assert(sf_build(&k.b, sf_op_find("Unpack"), NULL, &f, 1, NULL, &num, 1, outs, 3, &nout) ==
              SF_OK);
    cr_expect_eq(nout, 100);
    cr_expect_eq(outs[2].index, 0); /* no trace */
    kit_close(&k);
}
