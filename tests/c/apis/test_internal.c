/* Rows of the ops that are ours. */
#include "tests/c/support/op_rows.h"

static const SfOpCase gradient[] = {
    ROW("", "[n,3] ( [] )", "[n,3]"),
    ROW("", "? ( [2] [3]:double )", "?"),
    ROW("", "[2]:double ( )", "[2]:double"),
};
SF_OP_TEST(SfGradient, gradient)

static const SfOpCase unknown[] = {
    ROW("Tout=[float,int32]", "( [2] [3]:int64 )", "? ?:int32"),
    ROW("Tout=[float,int32]", "( [?] [3]:int64 )", "? ?"),
    ROW("Tout=[float,int32]", "( ? ?:int64 )", "? ?"),
    ROW("Tout=[float,int32],shapes=[[2,?]]", "( )", "[2,?] ?:int32"),
    ROW("Tout=[]", "( [2] )", ""),
};
SF_OP_TEST(SfUnknown, unknown)
