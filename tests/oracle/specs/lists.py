"""Tensor arrays, tensor lists, tensor maps, stacks of state that hold tensors."""
from rawspec import op, out, t, v


def elements(r, low=0, high=2):
    return r.shape(low, high)


# --- tensor arrays --------------------------------------------------------------------------------
def array(r, shape, size, identical=None, dynamic=False):
    return out("TensorArrayV3", size=v("int32", size), dtype="float32",
               element_shape=r.choice([None, shape]), dynamic_size=dynamic, clear_after_read=False,
               identical_element_shapes=r.flag() if identical is None else identical)


def written(r, made, shape, size):
    """All elements, and the calls that write them."""
    flow = made.output(1)
    calls = []
    for i in range(size):
        flow = out("TensorArrayWriteV3", handle=made, index=v("int32", i), value=t("float32", shape),
                   flow_in=flow)
        calls.append(flow)
    return flow, calls


@op("TensorArrayV3")
def tensor_array(r, name):
    return dict(size=v("int32", r.randint(0, 4)), dtype="float32", element_shape=r.choice([None, r.shape()]),
                dynamic_size=r.flag(), identical_element_shapes=r.flag())


@op("TensorArrayWriteV3")
def write(r, name):
    size, shape = r.randint(1, 4), elements(r)
    made = array(r, shape, size)
    return dict(handle=made, index=v("int32", r.randrange(size)), value=t("float32", shape),
                flow_in=made.output(1))


@op("TensorArrayReadV3")
def read(r, name):
    size, shape = r.randint(1, 3), elements(r)
    made = array(r, shape, size)
    flow, calls = written(r, made, shape, size)
    return dict(handle=made, index=v("int32", r.randrange(size)), flow_in=flow, dtype="float32", do=calls)


@op("TensorArrayGatherV3")
def gather(r, name):
    size, shape = r.randint(1, 3), elements(r)
    made = array(r, shape, size)
    flow, calls = written(r, made, shape, size)
    indices = [r.randrange(size) for _ in range(r.randint(1, 3))]
    return dict(handle=made, indices=v("int32", indices), flow_in=flow, dtype="float32",
                element_shape=r.choice([None, shape]), do=calls)


@op("TensorArrayScatterV3")
def scatter(r, name):
    size, shape = r.randint(1, 4), elements(r)
    made = array(r, shape, size)
    n = r.randint(1, size)
    return dict(handle=made, indices=v("int32", r.sample(range(size), n)), value=t("float32", [n] + shape),
                flow_in=made.output(1))


@op("TensorArrayConcatV3")
def concat(r, name):
    size, shape = r.randint(1, 3), [max(1, r.dim())] + elements(r, 0, 1)
    made = array(r, shape, size)
    flow, calls = written(r, made, shape, size)
    return dict(handle=made, flow_in=flow, dtype="float32",
                element_shape_except0=r.choice([None, shape[1:]]), do=calls)


@op("TensorArraySplitV3")
def split(r, name):
    lengths = [r.randint(1, 3) for _ in range(r.randint(1, 3))]
    shape = elements(r, 0, 1)
    made = out("TensorArrayV3", size=v("int32", len(lengths)), dtype="float32")
    return dict(handle=made, value=t("float32", [sum(lengths)] + shape), lengths=v("int64", lengths),
                flow_in=made.output(1))


@op("TensorArraySizeV3")
def size_of(r, name):
    made = array(r, [], r.randint(0, 3))
    return dict(handle=made, flow_in=made.output(1))


@op("TensorArrayCloseV3")
def close(r, name):
    return dict(handle=array(r, [], 2))


@op("TensorArrayGradV3", "TensorArrayGradWithShape")
def gradient(r, name):
    made = array(r, [2], 2)
    flow, calls = written(r, made, [2], 2)
    args = dict(handle=made, flow_in=flow, source="gradients%d" % r.randrange(10 ** 9), do=calls)
    return args if name == "TensorArrayGradV3" else dict(args, shape_to_prepend=v("int32", [3]))


# --- tensor lists ---------------------------------------------------------------------------------
def shape_value(r, shape):
    return v(r.choice(["int32", "int64"]), r.choice([shape, [-1] * len(shape)]), [len(shape)])


def shape32(r, shape):
    return v("int32", r.choice([shape, [-1] * len(shape)]), [len(shape)])


def listed(r, shape, n):
    """A list of n elements of `shape`."""
    if r.flag():
        return out("TensorListFromTensor", tensor=t("float32", [n] + shape), element_shape=shape_value(r, shape))
    made = out("TensorListReserve", element_shape=shape_value(r, shape), num_elements=v("int32", n),
               element_dtype="float32")
    for i in range(n):
        made = out("TensorListSetItem", input_handle=made, index=v("int32", i), item=t("float32", shape))
    return made


@op("EmptyTensorList")
def empty(r, name):
    return dict(element_shape=shape_value(r, elements(r)), max_num_elements=v("int32", r.choice([-1, 0, 3])),
                element_dtype="float32")


@op("TensorListReserve")
def reserve(r, name):
    return dict(element_shape=shape_value(r, elements(r)), num_elements=v("int32", r.randint(0, 3)),
                element_dtype="float32")


@op("TensorListFromTensor")
def from_tensor(r, name):
    shape = elements(r)
    return dict(tensor=t("float32", [r.randint(0, 3)] + shape), element_shape=shape_value(r, shape))


@op("TensorListSetItem")
def set_item(r, name):
    shape, n = elements(r), r.randint(1, 3)
    return dict(input_handle=listed(r, shape, n), index=v("int32", r.randrange(n)), item=t("float32", shape),
                resize_if_index_out_of_bounds=r.flag())


@op("TensorListGetItem")
def get_item(r, name):
    shape, n = elements(r), r.randint(1, 3)
    return dict(input_handle=listed(r, shape, n), index=v("int32", r.randrange(n)),
                element_shape=shape32(r, shape), element_dtype="float32")


@op("TensorListStack")
def stack(r, name):
    shape, n = elements(r), r.randint(1, 3)
    return dict(input_handle=listed(r, shape, n), element_shape=shape32(r, shape), element_dtype="float32",
                num_elements=r.choice([-1, n]))


@op("TensorListGather")
def list_gather(r, name):
    shape, n = elements(r), r.randint(1, 3)
    indices = [r.randrange(n) for _ in range(r.randint(1, 3))]
    return dict(input_handle=listed(r, shape, n), indices=v("int32", indices), element_shape=shape32(r, shape),
                element_dtype="float32")


@op("TensorListPushBack")
def push(r, name):
    shape = elements(r)
    return dict(input_handle=listed(r, shape, 2), tensor=t("float32", shape))


@op("TensorListPopBack")
def pop(r, name):
    shape = elements(r)
    return dict(input_handle=listed(r, shape, 2), element_shape=shape32(r, shape), element_dtype="float32")


@op("TensorListLength")
def length(r, name):
    return dict(input_handle=listed(r, elements(r), r.randint(1, 3)))


@op("TensorListElementShape")
def element_shape(r, name):
    return dict(input_handle=listed(r, elements(r), 2), shape_type=r.choice(["int32", "int64"]))


@op("TensorListScatter", "TensorListScatterV2", "TensorListScatterIntoExistingList")
def list_scatter(r, name):
    shape, n = elements(r), r.randint(1, 3)
    args = dict(tensor=t("float32", [n] + shape), indices=v("int32", r.sample(range(n), n)))
    if name == "TensorListScatterIntoExistingList":
        return dict(args, input_handle=listed(r, shape, n))
    args["element_shape"] = shape_value(r, shape)
    return dict(args, num_elements=v("int32", r.choice([-1, n, n + 1]))) if name.endswith("V2") else args


@op("TensorListConcat", "TensorListConcatV2")
def list_concat(r, name):
    shape, n = [max(1, r.dim())] + elements(r, 0, 1), r.randint(1, 3)
    args = dict(input_handle=listed(r, shape, n), element_dtype="float32")
    if name == "TensorListConcat":
        return dict(args, element_shape=r.choice([None, shape, [None] + shape[1:]]))
    return dict(args, element_shape=v("int32", [-1] + shape[1:]), leading_dims=v("int64", []))


@op("TensorListSplit")
def list_split(r, name):
    lengths = [r.randint(1, 3) for _ in range(r.randint(1, 3))]
    shape = elements(r, 0, 1)
    return dict(tensor=t("float32", [sum(lengths)] + shape), element_shape=v("int32", [-1] + shape),
                lengths=v("int64", lengths))


@op("TensorListResize")
def resize(r, name):
    return dict(input_handle=listed(r, elements(r), 2), size=v("int32", r.randint(0, 4)))


@op("TensorListConcatLists")
def concat_lists(r, name):
    shape = elements(r)
    return dict(input_a=listed(r, shape, 2), input_b=listed(r, shape, 1), element_dtype="float32")


# --- maps -----------------------------------------------------------------------------------------
def mapped(r, n=1):
    made = out("EmptyTensorMap")
    for i in range(n):
        made = out("TensorMapInsert", input_handle=made, key=v("float32", float(i)), value=t("float32", [2]))
    return made


@op("TensorMapInsert")
def insert(r, name):
    return dict(input_handle=mapped(r), key=v("float32", 5.0), value=t("float32", r.shape()))


@op("TensorMapErase", "TensorMapLookup")
def lookup(r, name):
    return dict(input_handle=mapped(r), key=v("float32", 0.0), value_dtype="float32")


@op("TensorMapHasKey")
def has_key(r, name):
    return dict(input_handle=mapped(r), key=v("float32", 0.0))


@op("TensorMapSize")
def size(r, name):
    return dict(input_handle=mapped(r, r.randint(0, 2)))


@op("TensorMapStackKeys")
def stack_keys(r, name):
    return dict(input_handle=mapped(r, 2), key_dtype="float32")


@op("CompositeTensorVariantFromComponents")
def encode(r, name):
    return dict(components=[t("float32", r.shape()), t("int32", r.shape())], metadata="")


@op("CompositeTensorVariantToComponents")
def decode(r, name):
    made = out("CompositeTensorVariantFromComponents", components=[t("float32", r.shape()),
                                                                   t("int32", r.shape())], metadata="")
    return dict(encoded=made, metadata="", Tcomponents=["float32", "int32"])
