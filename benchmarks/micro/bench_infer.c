/* One inference of each of the hundred most used ops, with inputs as in a training script: the batch
 * unknown, the rest known. Usage: bench_infer [TIMES [OP]]
 * Prints nanoseconds an op and their mean; under valgrind --tool=callgrind each op's instructions
 * are dumped by its name, which benchmarks/instructions.py compares with the committed counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apis/apis.h"
#include "lattice/intern.h"
#include "tests/c/support/op_row.h"

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_ZERO_STATS
#define CALLGRIND_ZERO_STATS          ((void)0)
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

/* The notation is that of tests/c/support/op_rows.h; the name tells two uses of one op apart. */
static const struct Case {
    const char *op, *attrs, *inputs;
} cases[] = {
    {"Placeholder", "dtype=float, shape=[?,784]", ""},
    {"Const", "value={1,2}:int32, dtype=int32", ""},
    {"VariableV2", "shape=[784,10], dtype=float", ""},
    {"VarHandleOp", "shape=[784,10], dtype=float", ""},
    {"ReadVariableOp", "dtype=float", "&[784,10]"},
    {"AssignVariableOp", "dtype=float", "&[784,10] [784,10]"},
    {"Assign", "", "&[784,10] [784,10]"},
    {"Identity", "", "[n,784]"},
    {"IdentityN", "", "( [n,784] [n] )"},
    {"StopGradient", "", "[n,784]"},
    {"NoOp", "", ""},
    {"MatMul", "", "[n,784] [784,10]"},
    {"BatchMatMulV2", "", "[n,8,64,32] [n,8,32,64]"},
    {"Einsum", "N=2, equation='bij,bjk->bik'", "[n,8,64] [n,64,8]"},
    {"BiasAdd", "", "[n,10] [10]"},
    {"Add", "", "[n,10] [10]"},
    {"AddV2", "", "[n,10] [10]"},
    {"AddN", "N=2", "( [n,10] [n,10] )"},
    {"Sub", "", "[n,10] [n,10]"},
    {"Mul", "", "[n,10] []"},
    {"RealDiv", "", "[n,10] []"},
    {"FloorDiv", "", "[n]:int32 []:int32"},
    {"FloorMod", "", "[n]:int32 []:int32"},
    {"Pow", "", "[n,10] []"},
    {"Maximum", "", "[n,10] []"},
    {"Minimum", "", "[n,10] []"},
    {"SquaredDifference", "", "[n,10] [n,1]"},
    {"Neg", "", "[n,10]"},
    {"Abs", "", "[n,10]"},
    {"Sqrt", "", "[n,10]"},
    {"Rsqrt", "", "[10]"},
    {"Square", "", "[n,10]"},
    {"Exp", "", "[n,10]"},
    {"Log", "", "[n,10]"},
    {"Tanh", "", "[n,10]"},
    {"Sigmoid", "", "[n,10]"},
    {"Relu", "", "[n,10]"},
    {"Elu", "", "[n,10]"},
    {"LeakyRelu", "", "[n,10]"},
    {"Softmax", "", "[n,10]"},
    {"LogSoftmax", "", "[n,10]"},
    {"Softplus", "", "[n,10]"},
    {"Erf", "", "[n,10]"},
    {"Sin", "", "[n,10]"},
    {"Sign", "", "[n,10]"},
    {"Round", "", "[n,10]"},
    {"Equal", "", "[n]:int64 [n]:int64"},
    {"Greater", "", "[n,10] []"},
    {"Less", "", "[n,10] []"},
    {"LogicalAnd", "", "[n] [n]"},
    {"LogicalNot", "", "[n]"},
    {"SelectV2", "", "[n,1] [n,10] [n,10]"},
    {"Cast", "DstT=float", "[n]:bool"},
    {"Sum", "", "[n,10] {1}:int32"},
    {"Mean", "", "[n,10] {0,1}:int32"},
    {"Max", "", "[n,10] {1}:int32"},
    {"Prod", "", "[n,10] {1}:int32"},
    {"All", "", "[n] {0}:int32"},
    {"ArgMax", "", "[n,10] 1:int32"},
    {"TopKV2", "", "[n,10] 3"},
    {"Shape", "", "[n,28,28,1]"},
    {"Size", "", "[n,28,28,1]"},
    {"Rank", "", "[n,28,28,1]"},
    {"Reshape", "", "[n,28,28,1] {-1,784}:int32"},
    {"Squeeze", "squeeze_dims=[1]", "[n,1,10]"},
    {"ExpandDims", "", "[n,10] 1:int32"},
    {"Transpose", "", "[n,8,64] {0,2,1}:int32"},
    {"ConcatV2", "N=2", "( [n,10] [n,20] ) 1:int32"},
    {"Pack", "N=3", "( [n,10] [n,10] [n,10] )"},
    {"Unpack", "num=5, axis=1", "[n,5,10]"},
    {"Split", "num_split=4", "1 [n,64]"},
    {"SplitV", "num_split=2", "[n,64] {16,48}:int32 1"},
    {"Slice", "", "[n,10] {0,2}:int32 {-1,4}:int32"},
    {"StridedSlice", "shrink_axis_mask=1", "[n,10] {0}:int32 {1}:int32 {1}:int32"},
    {"GatherV2", "", "[10000,64] [n,20]:int32 0:int32"},
    {"GatherNd", "", "[n,20,64] [n,2]:int32"},
    {"ScatterNd", "", "[n,1]:int32 [n,8] {100,8}:int32"},
    {"Tile", "", "[n,10] {1,3}:int32"},
    {"Pad", "", "[n,28,28,1] {{0,0},{2,2},{2,2},{0,0}}:int32"},
    {"Fill", "", "{32,10}:int32 []"},
    {"ZerosLike", "", "[n,10]"},
    {"OnesLike", "", "[n,10]"},
    {"Range", "", "0 10 1"},
    {"OneHot", "", "[n]:int32 10 [] []"},
    {"Where", "", "[n]:bool"},
    {"BroadcastTo", "", "[1,10] {32,10}:int32"},
    {"UnsortedSegmentSum", "", "[n,10] [n]:int32 5"},
    {"RandomUniform", "dtype=float", "{32,10}:int32"},
    {"RandomStandardNormal", "dtype=float", "{32,10}:int32"},
    {"TruncatedNormal", "dtype=float", "{784,10}:int32"},
    {"Conv2D", "strides=[1,1,1,1], padding=SAME", "[n,28,28,1] [5,5,1,32]"},
    {"DepthwiseConv2dNative", "strides=[1,1,1,1], padding=VALID", "[n,28,28,8] [3,3,8,2]"},
    {"Conv2DBackpropInput", "strides=[1,2,2,1], padding=SAME",
     "{32,28,28,16}:int32 [5,5,16,32] [32,14,14,32]"},
    {"MaxPool", "ksize=[1,2,2,1], strides=[1,2,2,1], padding=SAME", "[n,28,28,32]"},
    {"AvgPool", "ksize=[1,2,2,1], strides=[1,2,2,1], padding=VALID", "[n,28,28,32]"},
    {"FusedBatchNormV3", "", "[n,28,28,32] [32] [32] [0] [0]"},
    {"L2Loss", "", "[784,10]"},
    {"SoftmaxCrossEntropyWithLogits", "", "[n,10] [n,10]"},
    {"SparseSoftmaxCrossEntropyWithLogits", "", "[n,10] [n]:int64"},
    {"ResizeBilinear", "", "[n,28,28,3] {56,56}"},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds an inference; ends the program when the row is wrong, which would make the number
 * worthless. */
static double measure(const struct Case *c, long times)
{
    SfRow row;
    SfSink sink;
    sf_sink_init(&sink);
    const SfOpSig *sig = sf_op_find(c->op);
    if (!sig || !sf_row_parse(&row, sig, c->attrs, c->inputs) ||
        sf_row_infer(&row, &sink) != SF_OK || sink.count > 0) {
        fprintf(stderr, "%s: %s\n", c->op,
                !sig           ? "no such op"
                : row.error[0] ? row.error
                : sink.last    ? sink.last->message
                               : "no memory");
        exit(1);
    }
    CALLGRIND_ZERO_STATS;
    const double start = now();
    for (long i = 0; i < times; i++) {
        (void)sf_row_infer(&row, &sink);
    }
    const double spent = (now() - start) / (double)times;
    CALLGRIND_DUMP_STATS_AT(c->op);
    sf_row_free(&row);
    sf_sink_free(&sink);
    return spent;
}

int main(int argc, char **argv)
{
    const long times = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
    if (times < 1 || sf_apis_init() != SF_OK) {
        fprintf(stderr, "usage: bench_infer [TIMES >= 1 [OP]]\n");
        return 2;
    }
    double sum = 0;
    for (int i = 0; i < SF_ARRAY_LEN(cases); i++) {
        if (argc > 2 && strcmp(argv[2], cases[i].op) != 0) {
            continue;
        }
        const double spent = measure(&cases[i], times);
        printf("%-36s %8.1f ns\n", cases[i].op, spent);
        sum += spent;
    }
    printf("%-36s %8.1f ns\n", "mean", sum / SF_ARRAY_LEN(cases));
    sf_intern_reset();
    return 0;
}
