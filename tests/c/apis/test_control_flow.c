/* Rows of control flow; expectations asked of TensorFlow 1.8, 1.15 and 2.21. What loops and
 * branches do in a session is tested in tests/c/core. */
#include "tests/c/support/op_rows.h"

#define RUN "@phase=run,"

static const SfOpCase no_op[] = {
    ROW("", "", ""),
};
SF_OPS_TEST(no_op, no_op, "NoOp", "ControlTrigger", "Abort")

static const SfOpCase switch_[] = {
    ROW("", "[2,3] []", "[2,3] [2,3]"),
    ROW("", "[n,?]:int32 ?", "[n,a.1] [n,a.1]"),
    ROW("", "{1,2} true", "{1,2} {1,2}"),
    ROW("@version=2.21", "{1,2} true", "{1,2} {1,2}"),
    ROW("@version=1.8", "{1,2} true", "[2]=? [2]=?"),
    ROW("", "? []", "? ?"),
    ROW("", "! []", "! !"),
    ROW("", "[6] [3]", "SF102 b"),
    ROW(RUN, "[6] [3]", "SF102 b 'The second input must be a scalar, but it has shape [3]'"),
};
SF_OP_TEST(Switch, switch_)

static const SfOpCase ref_switch[] = {
    ROW("", "&[2,3] []", "[2,3] [2,3]"),
    ROW("", "&[?,3] []", "[?,3] [?,3]"),
    ROW("", "? ?", "? ?"),
    ROW("", "&[2,3] [1]", "SF102 b"),
};
SF_OP_TEST(RefSwitch, ref_switch)

static const SfOpCase switch_n[] = {
    ROW("num_outs=3", "[n,3] []", "[n,3] [n,3] [n,3]"),
    ROW("num_outs=3", "[2,3] []", "[2,3] [2,3] [2,3]"),
    ROW("num_outs=1", "? []", "?"),
    ROW("num_outs=2", "[2] [2]", "SF102 b"),
};
SF_OP_TEST(_SwitchN, switch_n)

static const SfOpCase merge[] = {
    ROW("", "( [2,3] [2,3] )", "[2,3] []:int32"),
    ROW("", "( [2,3] [2,4] )", "[2,?] []"),
    ROW("", "( [n,3] [n,3] )", "[n,3] []"),
    ROW("", "( [n,3] [m,3] )", "[?,3] []"),
    ROW("", "( [2,3] [2] )", "? []"),
    ROW("", "( [2] ? )", "? []"),
    ROW("", "( {1,2} {1,2} )", "[2]=? []=?"),
    ROW("@phase=eager", "( {1,2} {1,3} )", "{1,?} []"),
};
SF_OP_TEST(Merge, merge)

static const SfOpCase enter[] = {
    ROW("frame_name='f'", "[2,3]", "?"),
    ROW("frame_name='f'", "?", "?"),
    ROW("frame_name='f',is_constant=true", "[n,3]", "[n,3]"),
    ROW("frame_name='f',is_constant=true", "{2,3}", "{2,3}"),
    ROW("frame_name='f'", "{2,3}", "?"),
    ROW(RUN "frame_name='f'", "{2,3}", "{2,3}"),
};
SF_OP_TEST(Enter, enter)

static const SfOpCase ref_enter[] = {
    ROW("frame_name='f'", "&[2,3]", "[2,3]"),
    ROW("frame_name='f'", "&[?,3]", "[?,3]"),
    ROW("frame_name='f'", "?", "?"),
};
SF_OP_TEST(RefEnter, ref_enter)

static const SfOpCase forward[] = {
    ROW("", "[2,n]", "[2,n]"),
    ROW("", "[2,2]", "[2,2]"),
    ROW("", "?", "?"),
    ROW("", "!", "!"),
    ROW("", "{1,n}", "{?,n}"), /* 1.15 folds exact content only */
    ROW("@version=2.21", "{1,n}", "{1,n}"),
};
SF_OPS_TEST(forward, forward, "Exit", "NextIteration")

static const SfOpCase ref_forward[] = {
    ROW("", "&[2,n]", "[2,n]"),
    ROW("", "?", "?"),
    ROW("", "&[2,2]", "[2,2]"),
};
SF_OPS_TEST(ref_forward, ref_forward, "RefExit", "RefNextIteration")

static const SfOpCase loop_cond[] = {
    ROW("", "[]", "[]"),
    ROW("", "true", "true"),
    ROW("", "?", "[]"),
    ROW("", "[3]", "SF102 a"),
};
SF_OP_TEST(LoopCond, loop_cond)

#define IF "then_branch=f,else_branch=g,"
static const SfOpCase if_[] = {
    ROW(IF "Tout=[float]", "[] ( [2,3] )", "?"),
    ROW(IF "Tout=[float]", "[] ( [?,3] )", "?"),
    ROW(IF "Tout=[float]", "? ( ? )", "?"),
    ROW(IF "Tout=[float,int32],output_shapes=[[3,?],?]", "[] ( [2,3] )", "[3,?] ?:int32"),
    ROW(IF "Tout=[]", "[] ( )", ""),
    ROW(IF "Tout=[float],output_shapes=[[3],[1]]", "[] ( [2,3] )",
        "SF128 @output_shapes '`output_shapes` must be the same length as num outputs (2 vs. 1'"),
};
SF_OPS_TEST(if_, if_, "If", "StatelessIf")

static const SfOpCase while_[] = {
    ROW("cond=f,body=g", "( [2,n] [] )", "[2,?] []"),
    ROW("cond=f,body=g", "( ? ? )", "? ?"),
    ROW("cond=f,body=g,output_shapes=[[3,4]]", "( [2,n] )", "[3,4]"),
    ROW("cond=f,body=g", "( )", ""),
    ROW("cond=f,body=g,output_shapes=[[3],[1]]", "( [2,3] )", "SF128 @output_shapes"),
};
SF_OPS_TEST(while_, while_, "While", "StatelessWhile")

static const SfOpCase called[] = {
    ROW("f=g,Tout=[float,int64]", "( [2,3] )", "? ?:int64"),
    ROW("f=g,Tout=[]", "( )", ""),
};
SF_OPS_TEST(called, called, "PartitionedCall", "StatefulPartitionedCall")

static const SfOpCase symbolic_gradient[] = {
    ROW("f=g,Tout=[float]", "( [2,n] [3] )", "[2,n]"),
    ROW("f=g,Tout=[float]", "( ? ? )", "?"),
    ROW("f=g,Tout=[float]", "( [2,2] [3] )", "[2,2]"),
    ROW("f=g,Tout=[float,float]", "( [2,n] )", "SF128 'len(inputs) < len(outputs)'"),
};
SF_OP_TEST(SymbolicGradient, symbolic_gradient)

static const SfOpCase fake_param[] = {
    ROW("dtype=int32,shape=[2,3]", "", "[2,3]:int32"),
    ROW("dtype=float,shape=?", "", "?"),
};
SF_OP_TEST(FakeParam, fake_param)

static const SfOpCase assert_[] = {
    ROW("", "[] ( [2] )", ""),
    ROW("", "[] ( [?] )", ""),
    ROW("", "? ( ? )", ""),
    ROW("", "false ( [2] )", "deferred SF129 a 'assertion failed: [?]' /"),
    ROW("", "[3] ( [2] )", "deferred SF102 a 'In[0] should be a scalar: [3]' /"),
    ROW(RUN, "true ( [2] )", ""),
    ROW(RUN, "[] ( [2] )", ""),
    ROW(RUN, "[1] ( [2] )", "SF102 a 'In[0] should be a scalar: [1]'"),
    ROW(RUN, "false ( {1,2,3,4} 'hello' {{1.5,2.0},{3.0,4.0}} 3 [2] )",
        "SF129 a 'assertion failed: [1 2 3...] [hello] [[1.5 2][3...]...] [3] [?]'"),
    ROW(RUN "summarize=-1", "false ( {1,2,3,4} )", "SF129 a 'assertion failed: [1 2 3 4]'"),
};
SF_OP_TEST(Assert, assert_)

static const SfOpCase print[] = {
    ROW("", "[2,n] ( [] )", "[2,n]"),
    ROW("", "? ( )", "?"),
    ROW(RUN, "{1,2} ( )", "{1,2}"),
};
SF_OP_TEST(Print, print)

static const SfOpCase print_v2[] = {
    ROW("", "[]", ""),
    ROW("", "?", ""),
    ROW("", "[2]", "SF102 a 'input must be a scalar, but has rank: 1'"),
};
SF_OP_TEST(PrintV2, print_v2)

static const SfOpCase py_func[] = {
    ROW("token='t',Tout=[float,int32]", "( [2] []:int64 )", "? ?:int32"),
    ROW("token='t',Tout=[]", "( )", ""),
};
SF_OPS_TEST(py_func, py_func, "PyFunc", "PyFuncStateless", "EagerPyFunc")

static const SfOpCase ref_merge[] = {
    ROW("", "( [2,3] [2,3] )", "[2,3] []"),
    ROW("", "( [?,3] [2,3] )", "[?,3] []"),
    ROW("", "( ? ? )", "? []"),
};
SF_OP_TEST(RefMerge, ref_merge)

static const SfOpCase case_[] = {
    ROW("Tout=[float],branches=[f]", "[] ( [] )", "?"),
    ROW("Tout=[float],branches=[f]", "[?] ( [] )", "?"),
    ROW("Tout=[float],branches=[f]", "? ( ? )", "?"),
};
SF_OPS_TEST(case__rows, case_, "Case", "StatelessCase")

static const SfOpCase to_bool[] = {
    ROW("", "[2,3]", "[]"),
    ROW("", "[?,3]", "[]"),
    ROW("", "?", "[]"),
};
SF_OP_TEST(ToBool, to_bool)

static const SfOpCase device_index[] = {
    ROW("device_names=['CPU','GPU']", "", "[]"),
};
SF_OP_TEST(DeviceIndex, device_index)

static const SfOpCase timestamp[] = {
    ROW("", "", "[]"),
};
SF_OP_TEST(Timestamp, timestamp)

static const SfOpCase _switch_n[] = {
    ROW("num_outs=3", "[2,3] 0", "[2,3] [2,3] [2,3]"),
    ROW("num_outs=3", "[?,3] []", "[?,3] [?,3] [?,3]"),
    ROW("num_outs=3", "? ?", "? ? ?"),
    ROW("num_outs=3", "[2,3] [2]", "SF102 b"),
};
SF_OP_TEST(_SwitchN, _switch_n)
