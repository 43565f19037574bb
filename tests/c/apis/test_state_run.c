/* Variables over several runs: what a session keeps, and what it may forget.
 * Source: TensorFlow 1.15; Verma and Su 2020, figure 8. */
#include "tests/c/apis/net.h"

#include <string.h>

#define STARTS(text, prefix) cr_expect(strncmp((text), (prefix), strlen(prefix)) == 0, "%s", (text))

static SfTensor read(Net *n, SfTensor ref)
{
    return NET(n, "Identity", "", ref);
}

Test(state_run, a_variable_is_not_there_before_it_is_assigned)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor v = NET0(&n, "VariableV2", "shape=[2,3],dtype=float");
    const SfTensor value = read(&n, v);
    const SfTensor there = NET(&n, "IsVariableInitialized", "", v);
    cr_expect_str_eq(net_run(&n, there, NULL, NULL), "[]=0");
    STARTS(net_run(&n, value, NULL, NULL), "Attempting to use uninitialized value VariableV2");
    cr_expect_str_eq(net_code(&n), "SF302");
    const SfTensor x = net_placeholder(&n, "float", "[2,3]");
    const SfTensor init = NET(&n, "Assign", "", v, x);
    cr_expect_str_eq(net_run(&n, init, &x, "[2,3]"), "[2,3]");
    cr_expect_str_eq(net_run(&n, there, NULL, NULL), "[]=1");
    cr_expect_str_eq(net_run(&n, value, NULL, NULL), "[2,3]");
    net_close(&n);
}

Test(state_run, global_step_counts)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor v = NET0(&n, "VariableV2", "shape=[],dtype=int64");
    const SfTensor init = NET(&n, "Assign", "", v, net_int(&n, "int64", 0));
    const SfTensor next = NET(&n, "AssignAdd", "", v, net_int(&n, "int64", 1));
    const SfTensor value = read(&n, v);
    STARTS(net_run(&n, next, NULL, NULL), "Attempting to use uninitialized value");
    cr_expect_str_eq(net_run(&n, init, NULL, NULL), "[]=0");
    cr_expect_str_eq(net_run(&n, next, NULL, NULL), "[]=1");
    cr_expect_str_eq(net_run(&n, next, NULL, NULL), "[]=2");
    cr_expect_str_eq(net_run(&n, next, NULL, NULL), "[]=3");
    cr_expect_str_eq(net_run(&n, value, NULL, NULL), "[]=3");
    const SfTensor back = NET(&n, "AssignSub", "", v, net_int(&n, "int64", 5));
    cr_expect_str_eq(net_run(&n, back, NULL, NULL), "[]=-2");
    net_close(&n);
}

Test(state_run, a_step_of_training_is_remembered)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor w = NET0(&n, "VariableV2", "shape=[2,3],dtype=float");
    const SfTensor x = net_placeholder(&n, "float", "[2,3]");
    const SfTensor step = NET0(&n, "VariableV2", "shape=[],dtype=int64");
    const SfTensor lr = net_placeholder(&n, "float", "[]");
    cr_expect_str_eq(net_run(&n, NET(&n, "Assign", "", w, x), &x, "[2,3]"), "[2,3]");
    cr_expect_str_eq(net_run(&n, NET(&n, "Assign", "", step, net_int(&n, "int64", 0)), NULL, NULL),
                     "[]=0");
    const SfTensor alpha = NET(&n, "PlaceholderWithDefault", "shape=[]", lr);
    const SfTensor descend = NET(&n, "ApplyGradientDescent", "", w, alpha, x);
    n.b.control = (SfNode *const[]){descend.node};
    n.b.ncontrol = 1;
    const SfTensor train = NET(&n, "AssignAdd", "", step, net_int(&n, "int64", 1));
    n.b.ncontrol = 0;
    const SfFeed feeds[] = {{x, sf_shape_matrix(2, 3), NULL}, {lr, sf_shape_scalar(), NULL}};
    SfTensor result;
    int64_t at;
    for (int i = 1; i <= 5; i++) {
        cr_assert(sf_session_run(n.s, &train, 1, NULL, 0, feeds, 2, &n.sink, &result) == SF_OK);
        cr_expect(sf_value_as_int(result.value, &at) && at == i, "step %d", i);
    }
    const SfSessionStats stats = sf_session_stats(n.s);
    cr_expect(stats.memo_hits >= 3, "%llu hits", (unsigned long long)stats.memo_hits);
    net_close(&n);
}

Test(state_run, an_assignment_may_change_the_shape)
{
    Net n; /* figure 8: the consumer fails only after the second assignment */
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor v = NET0(&n, "VariableV2", "shape=?,dtype=float");
    const SfTensor x = net_placeholder(&n, "float", "?");
    const SfTensor set = NET(&n, "Assign", "validate_shape=false", v, x);
    const SfTensor w = net_placeholder(&n, "float", "[3,4]");
    const SfTensor zeros = NET(&n, "ZerosLike", "", read(&n, v));
    const SfTensor y = NET(&n, "MatMul", "", zeros, w);
    cr_expect_str_eq(net_shape(&n, zeros), "<unknown>");
    cr_expect_str_eq(net_run(&n, set, &x, "[2,3]"), "[2,3]");
    cr_expect_str_eq(net_run(&n, y, &w, "[3,4]"), "[2,4]");
    cr_expect_str_eq(net_run(&n, set, &x, "[2,5]"), "[2,5]");
    cr_expect_str_eq(net_run(&n, zeros, NULL, NULL), "[2,5]");
    STARTS(net_run(&n, y, &w, "[3,4]"), "Matrix size-incompatible: In[0]: [2,5], In[1]: [3,4]");
    cr_expect_str_eq(net_run(&n, set, &x, "[7,3]"), "[7,3]");
    cr_expect_str_eq(net_run(&n, y, &w, "[3,4]"), "[7,4]");
    net_close(&n);
}

Test(state_run, the_kernel_compares_with_what_is_there)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor v = NET0(&n, "VariableV2", "shape=?,dtype=float");
    const SfTensor x = net_placeholder(&n, "float", "?");
    const SfTensor set = NET(&n, "Assign", "validate_shape=false", v, x);
    const SfTensor checked = NET(&n, "Assign", "", v, x);
    const SfTensor add = NET(&n, "AssignAdd", "", v, x);
    STARTS(net_run(&n, checked, &x, "[2]"),
           "Assign requires shapes of both tensors to match. lhs shape= [] rhs shape= [2]");
    cr_expect_str_eq(net_code(&n), "SF125");
    cr_expect_str_eq(net_run(&n, set, &x, "[2,3]"), "[2,3]");
    cr_expect_str_eq(net_run(&n, checked, &x, "[2,3]"), "[2,3]");
    STARTS(net_run(&n, checked, &x, "[3,3]"),
           "Assign requires shapes of both tensors to match. lhs shape= [2,3] rhs shape= [3,3]");
    cr_expect_str_eq(net_run(&n, add, &x, "[2,3]"), "[2,3]");
    STARTS(net_run(&n, add, &x, "[3,3]"), "Parameters and update must be the same size");
    net_close(&n);
}

Test(state_run, count_up_to_ends)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor v = NET0(&n, "VariableV2", "shape=[],dtype=int32");
    const SfTensor init = NET(&n, "Assign", "", v, net_int(&n, "int32", 0));
    const SfTensor next = NET(&n, "CountUpTo", "limit=2", v);
    (void)net_run(&n, init, NULL, NULL);
    cr_expect_str_eq(net_run(&n, next, NULL, NULL), "[]=0");
    cr_expect_str_eq(net_run(&n, next, NULL, NULL), "[]=1");
    STARTS(net_run(&n, next, NULL, NULL), "Reached limit of 2");
    cr_expect_str_eq(net_code(&n), "SF308");
    net_close(&n);
}

Test(state_run, resource_variables)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor h = NET0(&n, "VarHandleOp", "shape=[],dtype=int32,shared_name=step");
    const SfTensor value = NET(&n, "ReadVariableOp", "dtype=int32", h);
    const SfTensor there = NET(&n, "VarIsInitializedOp", "", h);
    cr_expect_str_eq(net_shape(&n, value), "[]");
    cr_expect_str_eq(net_run(&n, there, NULL, NULL), "[]=0");
    cr_expect_neq(strcmp(net_run(&n, value, NULL, NULL), "[]"), 0);
    cr_expect_str_eq(net_code(&n), "SF302");
    const SfTensor init = NET(&n, "AssignVariableOp", "", h, net_int(&n, "int32", 7));
    const SfTensor add = NET(&n, "AssignAddVariableOp", "", h, net_int(&n, "int32", 2));
    cr_expect_str_eq(net_run(&n, init, NULL, NULL), "ran");
    cr_expect_str_eq(net_run(&n, there, NULL, NULL), "[]=1");
    cr_expect_str_eq(net_run(&n, value, NULL, NULL), "[]=7");
    cr_expect_str_eq(net_run(&n, add, NULL, NULL), "ran");
    cr_expect_str_eq(net_run(&n, add, NULL, NULL), "ran");
    cr_expect_str_eq(net_run(&n, value, NULL, NULL), "[]=11");
    const SfTensor sub = NET(&n, "AssignSubVariableOp", "", h, net_int(&n, "int32", 1));
    cr_expect_str_eq(net_run(&n, sub, NULL, NULL), "ran");
    cr_expect_str_eq(net_run(&n, value, NULL, NULL), "[]=10");
    const SfTensor gone = NET(&n, "DestroyResourceOp", "", h);
    cr_expect_str_eq(net_run(&n, gone, NULL, NULL), "ran");
    cr_expect_neq(strcmp(net_run(&n, value, NULL, NULL), "[]=10"), 0);
    net_close(&n);
}

Test(state_run, a_resource_takes_the_shape_it_is_given)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor h = NET0(&n, "VarHandleOp", "shape=[?,3],dtype=float,shared_name=r");
    const SfTensor x = net_placeholder(&n, "float", "?");
    const SfTensor set = NET(&n, "AssignVariableOp", "", h, x);
    const SfTensor value = NET(&n, "ReadVariableOp", "dtype=float", h);
    const SfTensor shape = NET(&n, "VariableShape", "", h);
    const SfTensor rows = NET(&n, "ResourceGather", "dtype=float", h, net_int(&n, "int32", 4));
    cr_expect_str_eq(net_shape(&n, value), "[?,3]");
    (void)net_run(&n, set, &x, "[5,3]");
    cr_expect_str_eq(net_run(&n, value, NULL, NULL), "[5,3]");
    cr_expect_str_eq(net_run(&n, rows, NULL, NULL), "[3]");
    cr_expect_str_eq(net_run(&n, shape, NULL, NULL), "[2]");
    (void)net_run(&n, set, &x, "[2,3]");
    STARTS(net_run(&n, rows, NULL, NULL), "indices = 4 is not in [0, 2)");
    const SfTensor bad = net_placeholder(&n, "float", "[2,4]");
    STARTS(
        net_refused(&n, "AssignVariableOp", "", (const SfTensor[]){h, bad}, 2),
        "Dimension 1 in both shapes must be equal, but are 3 and 4. Shapes are [?,3] and [2,4].");
    net_close(&n);
}

Test(state_run, a_scatter_forgets_the_content)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor v = NET0(&n, "VariableV2", "shape=[1],dtype=int32");
    const SfTensor one =
        NET(&n, "ExpandDims", "", net_int(&n, "int32", 1), net_int(&n, "int32", 0));
    (void)net_run(&n, NET(&n, "Assign", "", v, one), NULL, NULL);
    const SfTensor value = read(&n, v);
    cr_expect_str_eq(net_run(&n, value, NULL, NULL), "[1]=1");
    const SfTensor zero = net_int(&n, "int32", 0);
    const SfTensor put = NET(&n, "ScatterUpdate", "", v, zero, net_int(&n, "int32", 9));
    cr_expect_str_eq(net_run(&n, put, NULL, NULL), "[1]");
    cr_expect_str_eq(net_run(&n, value, NULL, NULL), "[1]");
    net_close(&n);
}
