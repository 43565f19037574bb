/* Queues and tables whose owner is known: what handles tell, while a graph is built and in runs.
 * Source: TensorFlow 1.15. */
#include "tests/c/apis/net.h"

#include <string.h>

#define STARTS(text, prefix) cr_expect(strncmp((text), (prefix), strlen(prefix)) == 0, "%s", (text))

Test(queue_run, declared_shapes_come_out)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor q = NET0(&n, "FIFOQueueV2", "component_types=[float,int32],shapes=[[2],[]]");
    (void)NET(&n, "QueueDequeueV2", "component_types=[float,int32]", q);
    cr_expect_str_eq(net_shape(&n, n.outs[0]), "[2]");
    cr_expect_str_eq(net_shape(&n, n.outs[1]), "[]");
    (void)NET(&n, "QueueDequeueManyV2", "component_types=[float,int32]", q,
              net_int(&n, "int32", 3));
    cr_expect_str_eq(net_shape(&n, n.outs[0]), "[3,2]");
    cr_expect_str_eq(net_shape(&n, n.outs[1]), "[3]");
    const SfTensor up =
        NET(&n, "QueueDequeueUpToV2", "component_types=[float,int32]", q, net_int(&n, "int32", 3));
    cr_expect_str_eq(net_shape(&n, up), "[?,2]");
    cr_expect_str_eq(net_run(&n, up, NULL, NULL), "[3,2]");
    net_close(&n);
}

Test(queue_run, what_does_not_fit_is_refused_when_it_is_put_in)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor q = NET0(&n, "FIFOQueueV2", "component_types=[float],shapes=[[2]]");
    const SfTensor x = net_placeholder(&n, "float", "?");
    const SfTensor one = NET(&n, "QueueEnqueueV2", "", q, x);
    const SfTensor many = NET(&n, "QueueEnqueueManyV2", "", q, x);
    cr_expect_str_eq(net_run(&n, one, &x, "[2]"), "ran");
    STARTS(net_run(&n, one, &x, "[3]"),
           "Shape mismatch in tuple component 0. Expected [2], got [3]");
    cr_expect_str_eq(net_code(&n), "SF129");
    cr_expect_str_eq(net_run(&n, many, &x, "[5,2]"), "ran");
    STARTS(net_run(&n, many, &x, "[5,3]"),
           "Shape mismatch in tuple component 0. Expected [5,2], got [5,3]");
    const SfTensor padded =
        NET0(&n, "PaddingFIFOQueueV2", "component_types=[float],shapes=[[?,3]]");
    const SfTensor put = NET(&n, "QueueEnqueueV2", "", padded, x);
    cr_expect_str_eq(net_run(&n, put, &x, "[7,3]"), "ran");
    STARTS(net_run(&n, put, &x, "[4,2]"),
           "Shape mismatch in tuple component 0. Expected [?,3], got [4,2]");
    const SfTensor scalars = NET0(&n, "FIFOQueueV2", "component_types=[float],shapes=[?]");
    const SfTensor a_scalar = NET(&n, "QueueEnqueueV2", "", scalars, x);
    cr_expect_str_eq(net_run(&n, a_scalar, &x, "[]"), "ran");
    STARTS(net_run(&n, a_scalar, &x, "[5]"),
           "Shape mismatch in tuple component 0. Expected [], got [5]");
    net_close(&n);
}

Test(queue_run, a_queue_without_shapes_gives_what_it_was_given)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor q = NET0(&n, "RandomShuffleQueueV2", "component_types=[float]");
    const SfTensor x = net_placeholder(&n, "float", "?");
    const SfTensor put = NET(&n, "QueueEnqueueV2", "", q, x);
    const SfTensor take = NET(&n, "QueueDequeueV2", "component_types=[float]", q);
    const SfTensor many =
        NET(&n, "QueueDequeueManyV2", "component_types=[float]", q, net_int(&n, "int32", 2));
    cr_expect_str_eq(net_shape(&n, take), "<unknown>");
    (void)net_run(&n, put, &x, "[2,3]");
    cr_expect_str_eq(net_run(&n, take, NULL, NULL), "[2,3]");
    (void)net_run(&n, put, &x, "[4,3]");
    cr_expect_str_eq(net_run(&n, take, NULL, NULL), "[?,3]", "either");
    STARTS(net_run(&n, many, NULL, NULL),
           "RandomShuffleQueue's DequeueMany and DequeueUpTo require the components to have "
           "specified shapes.");
    net_close(&n);
}

Test(queue_run, priorities_come_first)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor q = NET0(&n, "PriorityQueueV2", "component_types=[float],shapes=[[3]]");
    (void)NET(&n, "QueueDequeueV2", "component_types=[int64,float]", q);
    cr_expect_str_eq(net_shape(&n, n.outs[0]), "[]");
    cr_expect_str_eq(net_shape(&n, n.outs[1]), "[3]");
    const SfTensor x = net_placeholder(&n, "float", "?");
    const SfTensor put = NET(&n, "QueueEnqueueV2", "", q, net_int(&n, "int64", 0), x);
    STARTS(net_run(&n, put, &x, "[4]"),
           "Shape mismatch in tuple component 1. Expected [3], got [4]");
    net_close(&n);
}

/* tables */

Test(lookup_run, values_have_the_shape_of_keys)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor t = NET0(&n, "MutableHashTableV2", "key_dtype=int64,value_dtype=float");
    const SfTensor rows = NET0(&n, "MutableHashTableOfTensorsV2",
                               "key_dtype=int64,value_dtype=float,value_shape=[3]");
    const SfTensor keys = net_placeholder(&n, "int64", "[4,2]");
    const SfTensor zero = net_placeholder(&n, "float", "?");
    cr_expect_str_eq(net_shape(&n, NET(&n, "LookupTableFindV2", "", t, keys, zero)), "[4,2]");
    cr_expect_str_eq(net_shape(&n, NET(&n, "LookupTableFindV2", "", rows, keys, zero)), "[4,2,3]");
    (void)NET(&n, "LookupTableExportV2", "Tkeys=int64,Tvalues=float", rows);
    cr_expect_str_eq(net_shape(&n, n.outs[1]), "[?,3]");
    const SfTensor wrong = net_placeholder(&n, "int32", "[4]");
    STARTS(net_refused(&n, "LookupTableFindV2", "", (const SfTensor[]){t, wrong, zero}, 3),
           "Trying to read value with wrong dtype. Expected int64 got int32");
    net_close(&n);
}

Test(lookup_run, dense_tables_have_keys_of_a_shape)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor empty = net_placeholder(&n, "int64", "[2]");
    const SfTensor t =
        NET(&n, "MutableDenseHashTableV2", "value_dtype=float,value_shape=[3]", empty, empty);
    const SfTensor zero = net_placeholder(&n, "float", "[3]");
    const SfTensor keys = net_placeholder(&n, "int64", "[4,2]");
    cr_expect_str_eq(net_shape(&n, NET(&n, "LookupTableFindV2", "", t, keys, zero)), "[4,3]");
    const SfTensor scalar = net_placeholder(&n, "int64", "[]");
    STARTS(net_refused(&n, "LookupTableFindV2", "", (const SfTensor[]){t, scalar, zero}, 3),
           "Expected keys to have suffix [2] but saw shape: []");
    net_close(&n);
}

Test(lookup_run, a_table_must_be_filled_first)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor t =
        NET0(&n, "HashTableV2", "key_dtype=int64,value_dtype=float,shared_name=words");
    const SfTensor keys = net_placeholder(&n, "int64", "[4]");
    const SfTensor values = NET(&n, "Cast", "DstT=float", keys);
    const SfTensor zero = NET(&n, "Cast", "DstT=float", net_int(&n, "int64", 0));
    const SfTensor fill = NET(&n, "InitializeTableV2", "", t, keys, values);
    const SfTensor find = NET(&n, "LookupTableFindV2", "", t, keys, zero);
    STARTS(net_run(&n, find, &keys, "[4]"), "Table not initialized.");
    cr_expect_str_eq(net_code(&n), "SF302");
    cr_expect_str_eq(net_run(&n, fill, &keys, "[4]"), "ran");
    cr_expect_str_eq(net_run(&n, find, &keys, "[4]"), "[4]");
    net_close(&n);
}

Test(lookup_run, a_table_that_can_change_is_always_there)
{
    Net n;
    net_open(&n, SF_VERSION(1, 15));
    const SfTensor t = NET0(&n, "MutableHashTableV2", "key_dtype=int64,value_dtype=float");
    const SfTensor x = net_placeholder(&n, "float", "?");
    const SfTensor find = NET(&n, "LookupTableFindV2", "", t, NET(&n, "Cast", "DstT=int64", x), x);
    cr_expect_str_eq(net_run(&n, find, &x, "[]"), "[]");
    STARTS(net_run(&n, find, &x, "[2]"), "Expected shape [] for default value, got [2]");
    const SfTensor put = NET(&n, "LookupTableInsertV2", "", t, NET(&n, "Cast", "DstT=int64", x), x);
    cr_expect_str_eq(net_run(&n, put, &x, "[5]"), "ran");
    net_close(&n);
}
