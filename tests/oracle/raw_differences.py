"""Raw ops that differ from TensorFlow 2.21 on purpose, or where TensorFlow is at odds with itself.

(op, part of the verdict and its reason, part of a message or of an answer) -> why. "" fits anything; "*"
every op. Where words cannot tell, the value is (why, which cases): a function of the case's arguments. What
never matches in a long run is reported: remove it.
"""


def given(**attrs):
    """The cases that are given all of these."""
    return lambda args: all(args.get(name) == value for name, value in attrs.items())


def _strides_channels(args):
    """Poolings with a stride along the channels: of an attr, or of the input of a V2."""
    strides = args["strides"]["value"] if isinstance(args["strides"], dict) else args["strides"]
    return strides[1 if args.get("data_format") == "NCHW" else 3] != 1


DIFFERENCES = {
    # What construction declares, and the kernel, which passes on whatever it gets, does not enforce.
    ("LoopCond", "wrong the run gives", ""): "declared by construction only",
    ("PlaceholderWithDefault", "wrong the run gives", ""): "declared by construction only",
    # Its kernel asks for an input, reshuffle, that the op has not: it has never run.
    ("AnonymousRandomSeedGenerator", "missed", "Unknown input name: reshuffle"): "cannot run at all",
    # 2.21 compares a queue without shapes with itself, and finds it another; 1.15 takes it.
    ("PriorityQueueV2", "missed", "has component shapes [] but requested component shapes were [[]]"):
        "a mistake of one version",
    # With a filter of too few axes the kernel computes with what is behind it, and leaves something empty.
    ("Conv", "false in eager mode", "The filter must be rank 4 or 5 but got 4"): "TensorFlow does not look",
    # With the name of the node it finds the table of the case before.
    ("MutableHashTableOfTensorsV2", "false", "is not fully defined"):
        ("it made the table before", given(use_node_name_sharing=True)),
    # Of no rows its kernel makes indices of two axes, though its shape function says one.
    ("RaggedFillEmptyRows", "wrong", "int64[0, 1]"): "of no rows, at odds with itself",
    # Negative batch_dims count as such while the axis is not known; the run counts them from the end.
    ("GatherV2", "wrong not TensorFlow's", ""):
        ("at odds with itself", lambda args: args.get("batch_dims", 0) < 0),
    ("ApproxTopK", "missed of graph construction", "Invalid recall target"): "the run takes any",
    # Where an input is a list of references of one dtype, TensorFlow stumbles over its own message.
    ("SdcaShrinkL1", "TypeError instead of AttributeError", "has no attribute 'name'"): "the error it means",
    # With gated_grpc the kernel gives nothing where nobody listens.
    ("DebugIdentity", "less", ""): ("may be empty", given(gated_grpc=True)),
    ("DebugIdentityV3", "less", ""): ("may be empty", given(gated_grpc=True)),
    # Array ops and quantisers. What construction refuses only for not knowing it yet, we leave to the run:
    # where we know less than TensorFlow, refusing would be a false alarm.
    ("ParallelConcat", "missed of graph construction", "fully defined"): "unknown shapes wait",
    ("SpaceToBatchND", "missed of graph construction", "must have rank 1"): "an unknown rank may be 1",
    ("BatchToSpaceND", "missed of graph construction", "must have rank 1"): "an unknown rank may be 1",
    ("SpaceToBatchND", "missed of graph construction", "must have known size"): "waits for the run",
    ("BatchToSpaceND", "missed of graph construction", "must have known size"): "waits for the run",
    ("Dequantize", "missed of graph construction", "dimension(-1)"): "waits for the run",
    # With sizes but no axis known, TensorFlow's SplitV takes the last axis, which may be wrong.
    ("SplitV", "less", ""): "its axis is a guess",
    ("SplitV", "missed of graph construction", "can't split axis of size"): "its axis is a guess",
    ("SplitV", "missed of graph construction", "Split size at index"): "its axis is a guess",
    # Memory is pinned or not by device; no shape tells.
    ("CheckPinned", "missed", "not pinned"): "whether memory is pinned is not followed",
    # The shape function says a scalar, the kernel gives one element.
    ("DebugNanCount", "wrong not TensorFlow's", "int64[] |"): "follows the kernel",
    # Without vectors their place is empty in a run of these two, which gives a scalar.
    ("Eig", "wrong not TensorFlow's", "[0]"): ("follows the kernel", given(compute_v=False)),
    ("SelfAdjointEigV2", "wrong not TensorFlow's", "[0]"): ("follows the kernel", given(compute_v=False)),
    # Formats and sizes that a decoder or a sampler finds in content.
    ("ExtractVolumePatches", "wrong not TensorFlow's", "[?, ?, ?, ?, ?] |"): "the run keeps the rank",
    ("ExtractVolumePatches", "wrong not TensorFlow's", "[?, ?, ?, 0] |"): "the run keeps the rank",
    # The server asks the kernel that TensorFlow has without oneDNN; by default oneDNN's refuses, as we do.
    ("DepthwiseConv2dNative", "false in eager mode", "dilations field must specify 4"): "as oneDNN's kernel",
    # None for the attr shape is "not given" to our raw ops.
    ("EnsureShape", "", "attr shape"): "None is taken for missing",
    ("EnsureShape", "missed of graph construction", "Shape must be rank -1"):
        "an unknown rank is none that the tensor must have: the run goes through",
    # The size of an encoded image is not followed.
    ("DecodeAndCropJpeg", "missed", "Invalid JPEG data or crop window"): "an image's size is its content",
    # As for ReadVariableOp below.
    ("ResourceSparseApplyProximalGradientDescent", "false", "var and grad must match in dimension"):
        "the eager assignment changes the shape",
    ("ParallelConcat", "", "attr shape"): "None is taken for missing",
    # An argument of the wrong dtype: in eager mode TensorFlow's fast path says InvalidArgumentError, as we do; now
    # and then (an empty list, a shape that is None) it takes the slow one, whose Python says ValueError.
    ("*", "InvalidArgumentError instead of ValueError", "Tensor conversion requested dtype"): "the slow path",
    # The shape function takes batch and depth of the image, the kernel those of the gradient.
    ("ResizeBilinearGrad", "less", ""): "the batch is the gradient's",
    ("ResizeBicubicGrad", "less", ""): "the batch is the gradient's",
    ("ScaleAndTranslateGrad", "less", ""): "the batch is the gradient's",
    ("RecvTPUEmbeddingActivations", "missed of graph", "Malformed tpu_embedding_config"):
        "the configuration, a serialised message, is not read",
    ("RecvTPUEmbeddingActivations", "missed of graph", "num outputs != size of output shapes"): "the same",
    ("CollectiveAssignGroupV2", "missed", "reserved group_key"): "keys of groups are not looked at",
    ("CollectiveAssignGroupV2", "missed", "is not found in group_assignment"): "groups are not looked into",
    ("CollectiveAssignGroupV2", "missed", "is within [0, number of devices)"): "groups are not looked into",
    ("CollectiveGather", "missed", "must be >= 0"): "a negative number of devices",
    # An eager assignment may give a variable another shape than the declared one; construction refuses that
    # assignment, and so the shape it says is the declared one: TensorFlow's answer in a graph, and ours.
    ("ReadVariableOp", "wrong the run gives", ""): "the eager assignment changes the shape",
    ("ResourceGather", "wrong the run gives", ""): "the eager assignment changes the shape",
    ("ResourceGatherNd", "wrong the run gives", ""): "the eager assignment changes the shape",
    ("ResourceApplyProximalGradientDescent", "false deferred", "do not have the same shape"):
        "the eager assignment changes the shape",
    ("ResourceSparseApplyProximalGradientDescent", "false deferred", "do not have the same shape"):
        "the eager assignment changes the shape",
    # Protocol buffers in attrs are not read.
    ("*", "missed", "Could not parse the 'metadata' attribute"): "metadata is not read",
    ("*", "missed", "Error parsing `metadata`"): "metadata is not read",
    # The kernel gives what was compressed, whatever is declared; construction, and we, the declared.
    ("UncompressElement", "wrong the run gives", ""): "the kernel does not look at output_shapes",
    ("UncompressElement", "wrong in eager mode", ""): "the kernel does not look at output_shapes",
    # A handle is a vector of two strings in a graph, a scalar when run eagerly.
    ("TensorArrayV3", "wrong the run gives", "resource[]"): "handles differ between graph and eager mode",
    ("TensorArrayGradV3", "wrong the run gives", "resource[]"): "handles differ between graph and eager mode",
    ("TensorArrayGradWithShape", "wrong the run gives", "resource[]"):
        "handles differ between graph and eager mode",
    # Of arrays and lists the shape that all elements have is followed, not each element.
    ("TensorArrayGatherV3", "missed", "has inconsistent shapes"): "each element's own shape",
    ("TensorArrayGatherV3", "missed", "does not match the Tensor at index"): "each element's own shape",
    ("TensorListStack", "missed", "PartialTensorShape: Incompatible"): "each element's own shape",
    ("TensorListGather", "missed", "PartialTensorShape: Incompatible"): "each element's own shape",
    ("TensorListGetItem", "less in eager mode", ""): "each element's own shape",
    ("TensorListPopBack", "missed", "Trying to read an uninitialized tensor"): "which elements were set",
    # Given no element_shape, the kernel of this superseded op takes elements for uninitialised ones.
    ("TensorListConcat", "missed", "list with only uninitialized tensors"): "now and then, by its own mistake",
    # An assignment made the variable's batch axes fewer than the indices': the kernel reads on past the
    # variable, or aborts.
    ("ResourceGather", "false in eager mode", "Dimensions must be equal"): "no run to rely on",
    ("VariableShape", "wrong the run gives", ""): "the eager assignment changes the shape",
    # Construction says [2] of these handles, which are scalars: "with input shapes: [2]" is in its messages.
    ("ResourceConditionalAccumulator", "wrong the run gives", "resource[]"): "the handle is [2] in construction",
    ("StackV2", "wrong the run gives", "resource[]"): "the handle is [2] in construction",
    # What a session holds from case to case, under one shared name.
    ("PaddingFIFOQueueV2", "missed", "Shared queue 'x'"): "a queue of that name is there already",
    ("PriorityQueueV2", "missed", "Shared queue 'x'"): "a queue of that name is there already",
    ("Iterator", "missed", "does not match: expected"): "an iterator of that name is there already",
    ("IteratorV2", "missed", "does not match: expected"): "an iterator of that name is there already",
    ("Iterator", "missed", "Data type mismatch at component"): "an iterator of that name is there already",
    ("IteratorV2", "missed", "Data type mismatch at component"): "an iterator of that name is there already",
    ("MultiDeviceIterator", "missed", "at component"): "an iterator of that name is there already",
    ("MultiDeviceIterator", "missed", "does not match: expected"): "an iterator of that name is there already",
    ("UnbatchGrad", "missed", "Two runs with the same batch key"): "batches of the calls before",
    ("IteratorFromStringHandle", "missed", "Number of components does not match"): "what a string's iterator gives is not followed",
    ("IteratorFromStringHandleV2", "missed", "Number of components does not match"): "the same",
    ("IteratorFromStringHandle", "missed", "mismatch at component"): "what a string's iterator gives is not followed",
    ("IteratorFromStringHandleV2", "missed", "mismatch at component"): "what a string's iterator gives is not followed",
    # What a data set, an iterator or an optional holds is not kept beside its handle.
    ("MakeIterator", "missed", "does not match: expected"): "elements of a data set are not followed",
    ("MakeIterator", "missed", "mismatch at component"): "elements of a data set are not followed",
    ("MakeIterator", "missed", "Incompatible shapes at component"): "elements of a data set are not followed",
    ("IteratorGetNext", "missed in eager", "at component"): "elements of a data set are not followed",
    ("IteratorGetNextSync", "missed in eager", "at component"): "elements of a data set are not followed",
    ("IteratorGetNext", "missed in eager", "does not match: expected"): "elements of a data set are not followed",
    ("IteratorGetNextSync", "missed in eager", "does not match: expected"): "elements of a data set are not followed",
    ("IteratorGetNextAsOptional", "missed in eager", "The given optional does not match"): "not followed",
    ("IteratorGetNextAsOptional", "missed in eager", "The given optional has"): "not followed",
    ("OptionalGetValue", "missed", "The given optional"): "what an optional holds is not followed",
    ("DatasetToSingleElement", "missed", "at component"): "elements of a data set are not followed",
    ("DatasetToSingleElement", "missed", "Dataset was empty"): "elements of a data set are not followed",
    ("DatasetToSingleElement", "missed", "had more than one element"): "elements of a data set are not followed",
    ("ConcatenateDataset", "missed", "have different output_types"): "elements of a data set are not followed",
    ("PaddedBatchDataset", "missed", "input dataset's component"): "elements of a data set are not followed",
    ("PaddedBatchDatasetV2", "missed", "input dataset's component"): "elements of a data set are not followed",
    ("IteratorFromStringHandle", "missed", "Incompatible shapes at component"): "what a string's iterator gives is not followed",
    ("IteratorFromStringHandleV2", "missed", "Incompatible shapes at component"): "what a string's iterator gives is not followed",
    # In eager mode the side that is dead is an empty vector.
    ("Switch", "wrong", "[0]"): "a dead output",
    # Stacks are known by the graph.
    ("StackPopV2", "missed in eager", "Type mismatch"): "what a stack holds is not followed in eager mode",
    ("StackPushV2", "missed in eager", "Must have type"): "what a stack holds is not followed in eager mode",
    # Its shape function reads lists from wrong places when there are several groups; nothing can run it.
    ("BoostedTreesUpdateEnsembleV2", "missed of graph", "num_groups=2"): "only what is surely looked at is",
    ("SdcaOptimizer", "missed", "indices out of valid range"): "content of the features",
    ("SdcaOptimizerV2", "missed", "indices out of valid range"): "content of the features",
    ("SparseTensorToCSRSparseMatrix", "missed of graph", "Shape must be rank -"): "an unknown rank is no error",
    # What is not known yet is no error.
    ("CSRSparseMatrixComponents", "missed of graph", "index must be a scalar"): "an unknown rank is no error",
    ("SparseMatrixMul", "missed of graph", "unknown rank"): "an unknown rank is no error",
    ("DenseCountSparseOutput", "less", ""): "weights of unknown size may be none",
    ("DenseCountSparseOutput", "missed of graph", "must be equal rank"): "weights of unknown size may be none",
    ("RaggedTensorToTensor", "missed of graph", "with unknown static value"): "an unknown scalar is no error",
    ("TPUPartitionedInput", "missed of graph", "of rank -1 tensor"): "an unknown rank is no error",
    ("SparseMatrixSparseCholesky", "missed", "factorization failed"): "content of a matrix",
    # A known -2 in a shape: TensorFlow takes it for unknown as long as another element is.
    ("SparseMatrixZeros", "false in graph", "Invalid value in tensor used for shape"): "inevitable when it runs",
    # TensorFlow refuses what it does not know yet; what we don't know stays unknown.
    ("SparseMatrixZeros", "missed of graph", "known rank"): "an unknown rank is no error",
    ("SparseMatrixSparseCholesky", "missed of graph", "unknown rank"): "an unknown rank is no error",
    ("DenseToCSRSparseMatrix", "missed of graph", "Invalid rank of dense: -1"): "an unknown rank is no error",
    ("DenseToCSRSparseMatrix", "missed of graph", "its rank is not 2: -1"): "an unknown rank is no error",
    ("DenseToCSRSparseMatrix", "missed of graph", "must match rank of dense; saw: -1"): "an unknown dim is no error",
    ("SparseTensorToCSRSparseMatrix", "missed of graph", "known rank"): "an unknown rank is no error",
    ("SparseMatrixMul", "missed of graph", "b must be a scalar or shaped"): "an unknown dim is no error",
    ("Substr", "missed of graph", "pos and len shapes must match"): "an unknown dim is no error",
    # Of one proto the kernel makes scalars of splits; construction says vectors, and so it is where the run refuses.
    ("ParseSequenceExampleV2", "wrong not TensorFlow's", ""): "follows the kernel",
    # What is in a serialised Example is not read.
    ("ParseExample", "missed", "Data types don't match"): "Examples are not read",
    ("ParseExampleV2", "missed", "Data types don't match"): "Examples are not read",
    ("ParseSingleExample", "missed", "Data types don't match"): "Examples are not read",
    ("ParseSequenceExample", "missed", "Data types don't match"): "Examples are not read",
    ("ParseSequenceExampleV2", "missed", "Data types don't match"): "Examples are not read",
    ("ParseSingleSequenceExample", "missed", "Data types don't match"): "Examples are not read",
    ("ParseExample", "missed", "is required but could not be found"): "Examples are not read",
    ("ParseExampleV2", "missed", "is required but could not be found"): "Examples are not read",
    ("ParseSingleExample", "missed", "is required but could not be found"): "Examples are not read",
    ("ParseSequenceExample", "missed", "is required but could not be found"): "Examples are not read",
    ("ParseSequenceExampleV2", "missed", "is required but could not be found"): "Examples are not read",
    ("ParseSingleSequenceExample", "missed", "is required but could not be found"): "Examples are not read",
    # Its shape function reads past its own lists; the run goes through.
    ("ParseSingleSequenceExample", "missed of graph", "vector::_M_range_check"): "no error of the call's",
    # What is in a file is not read: here, what a checkpoint or a vocabulary holds.
    ("RestoreV2", "missed in eager", "does not match the shape stored in checkpoint"): "files are not read",
    ("RestoreV2", "missed in eager", "does not equal original dtype"): "files are not read",
    ("RestoreV2", "missed in eager", "shape_and_slice spec does not match the shape in the save file"): "files are not read",
    ("RestoreSlice", "missed in eager", "shape_and_slice spec does not match the shape in the save file"): "files are not read",
    ("RestoreSlice", "missed in eager", "Expected to restore a tensor of type"): "files are not read",
    ("Restore", "missed in eager", "Expected to restore a tensor of type"): "files are not read",
    ("RestoreSlice", "InternalError instead of InvalidArgumentError", "Expected to restore a tensor of type"):
        "files are not read: of two mistakes, the file's is seen first",
    # Given another element_shape than the list's of unknown size, both believe it; the kernel looks at what was set.
    ("TensorListGetItem", "wrong the run gives", ""): "both say it in construction",
    ("MergeV2Checkpoints", "missed in eager", "did not exist"): "files are not read",
    ("MergeV2Checkpoints", "missed in eager", "Duplicate tensor keyed by"): "files are not read",
    ("GenerateVocabRemapping", "missed in eager", "lookup table size must be larger"): "files are not read",
    ("GenerateVocabRemapping", "missed in eager", "Invalid vocab_size in text"): "files are not read",
    ("LoadAndRemapMatrix", "missed in eager", "instead of expected shape of rank 2"): "files are not read",
    ("LoadAndRemapMatrix", "missed in eager", "instead of being equal to num_cols"): "files are not read",
    ("ImmutableConst", "missed", "Cannot parse tensor from proto"): "files are not read",
    # Which names ICU knows is not listed here.
    ("*", "missed", "Could not create converter for input encoding: x"): "the names of encodings are ICU's",
    # The kernel looks into a serialized tensor; its dtype is not followed.
    ("DeserializeSparse", "missed", "SparseTensor["): "what was serialized is not followed",
    ("DeserializeManySparse", "missed", "SparseTensor["): "what was serialized is not followed",
    ("TakeManySparseFromTensorsMap", "missed", "SparseTensor["): "what a map holds is not followed",
    ("TakeManySparseFromTensorsMap", "missed", "Unable to find SparseTensor"): "what a map holds is not followed",
    ("RaggedTensorToVariantGradient", "wrong the run gives", ""): "the given shape is believed, as construction does",
    ("RaggedTensorToVariantGradient", "wrong in eager mode", ""): "the given shape is believed, as construction does",
    # Math. TensorFlow claims a rank that the kernel's one False for shapes that don't broadcast refutes.
    ("Equal", "less", ""): ("shapes that don't broadcast give a scalar", given(incompatible_shape_error=False)),
    ("NotEqual", "less", ""): ("shapes that don't broadcast give a scalar", given(incompatible_shape_error=False)),
    # Its shape functions take what they don't know (-1) for a number, and refuse it.
    ("ApproxTopK", "missed of graph construction", "but was -1"): "an unknown dim is no error",
    ("ApproxTopK", "missed of graph construction", "Invalid reduction dimension"): "an unknown rank is no error",
    ("RandomIndexShuffle", "missed of graph construction", "-1]"): "an unknown dim is no error",
    ("MatrixDiagV2", "false in graph construction", "must be at least rank 2"): "TensorFlow dies in the run",
    ("MatrixDiagV2", "missed of graph construction", "num_diags = -1"): "an unknown dim is no error",
    ("MatrixDiagV3", "missed of graph construction", "num_diags = -1"): "an unknown dim is no error",
    ("MatrixDiagV2", "missed of graph construction", "min_num_rows = -1"): "an unknown dim is no error",
    ("MatrixDiagV3", "missed of graph construction", "min_num_rows = -1"): "an unknown dim is no error",
    # For a band it merges the wrong axes when the matrix is known in part: what runs is refused.
    ("MatrixSetDiagV2", "missed of graph construction", "must be equal"): "the kernel takes it",
    ("MatrixSetDiagV3", "missed of graph construction", "must be equal"): "the kernel takes it",
    # It reads an unknown k or num_cols as if it were the default.
    ("MatrixDiagV2", "less", ""): "a size that is fed may be larger",
    ("MatrixDiagV3", "less", ""): "a size that is fed may be larger",
    ("MatrixSetDiagV2", "less", ""): "an unknown k may be a band, of another rank",
    ("MatrixSetDiagV3", "less", ""): "an unknown k may be a band, of another rank",
    # Without aggregation the number of candidates is XLA's; the CPU kernel gives k.
    ("ApproxTopK", "less", ""): ("as many as the device likes", given(aggregate_to_topk=False)),
    # The shape of the input, which is not what the transform gives when lengths differ or are halved.
    ("FFTND", "less", ""): "the transformed axes have the lengths that are asked for",
    ("IFFTND", "less", ""): "the transformed axes have the lengths that are asked for",
    ("RFFTND", "less", ""): "half of the last axis is left",
    ("IRFFTND", "less", ""): "the last axis is doubled",
    # Its eager fast path gives this op up and converts arguments by another way.
    ("HistogramFixedWidth", "wrong", "Tensor conversion requested"): "the slow path's words and class",
}


# Neural network ops.
DIFFERENCES |= {
    ("*", "missed", "CPU implementations do not yet support dilation"): "the GPU does",
    ("*", "missed", "CPU implementation does not yet support dilation"): "the GPU does",
    # Where the run of a bent case fails for another reason, nothing but the kernel's other runs tells who is right.
    ("FractionalMaxPool", "wrong not TensorFlow's", ""): "a sequence has one number more than the axis, as its kernel gives",
    ("FractionalAvgPool", "wrong not TensorFlow's", ""): "the same",
    ("ScaleAndTranslateGrad", "wrong not TensorFlow's", ""): "batch and channels are the gradient's, as its kernel gives",
    ("QuantizeV2", "wrong not TensorFlow's", ""): "its kernel gives scalar limits for an axis of size 1",
    ("QuantizeV2", "less", ""): "the same, of an axis of unknown size",
    ("LSTMBlockCellGrad", "wrong not TensorFlow's", ""): "gradients of wci, wcf and wco have their shapes, as its kernel gives",
    # It forgets to compare an empty axis of its first operand with a size of 1; its shape function does not.
    ("Einsum", "false in eager", "Expected dimension 0 at axis"): "no run of a program rests on it",
    ("Einsum", "wrong the run gives", ""): "both say it in construction",
    ("TensorListScatter", "missed of graph construction", "with unknown static value"): "an unknown scalar is no error",
    ("TensorMapStackKeys", "missed", "Keys must all have the same shape"): "what a map holds is not followed",
    ("TensorArrayConcatV3", "missed in eager", "(excepting dimension 0) shape"): "each element's own shape",
    ("SparseTensorToCSRSparseMatrix", "missed", "Expected shape dimensions to be non-negative"): "what it makes of a negative size is left to the run",
    ("SparseTensorToCSRSparseMatrix", "missed of graph", "Invalid value in tensor used for shape"): "the same",
    # Construction divides the channels by their stride, in ours as in TensorFlow; no kernel reads that stride.
    ("MaxPool", "wrong the run gives", ""): ("both say it in construction", _strides_channels),
    ("MaxPoolV2", "wrong the run gives", ""): ("both say it in construction", _strides_channels),
    ("MaxPoolWithArgmax", "wrong the run gives", ""): ("both say it in construction", _strides_channels),
    ("QuantizedMaxPool", "wrong the run gives", ""): ("both say it in construction", _strides_channels),
    ("QuantizedAvgPool", "wrong the run gives", ""): ("both say it in construction", _strides_channels),
    ("MaxPool", "missed of graph", "VECT_C dimension must be 4 or 32, but is -1"): "an unknown dim is no error",
    # The plain kernel and oneDNN's find out, each in its way, and not every time, where windows leave the input.
    ("AvgPoolGrad", "missed", "index * stride"): "windows beyond the input, seen as they slide",
    ("AvgPoolGrad", "missed", "but computation requested would use element"): "windows beyond the input",
    ("AvgPoolGrad", "missed", "Expected first dimension of orig_input and diff_dst"): "only oneDNN looks",
    # The plain kernels don't get to the filter when there is nothing to compute.
    ("Conv2D", "missed", "filter must not have zero elements"): "only oneDNN looks",
    ("DepthwiseConv2dNative", "missed", "filter must not have zero elements"): "only oneDNN looks",
    ("Conv3D", "missed", "must match last dimension of input"): "only the CPU has no groups",
    ("Conv2DBackpropFilter", "missed", "filter_size does not have enough"): "only the CPU has no groups",
    ("CTCBeamSearchDecoder", "missed", "Less leaves"): "depends on how many paths there are",
    ("CTCLoss", "missed", "label SparseTensor is not valid"): "content of a sparse tensor",
    ("CTCLoss", "missed", "All labels must be nonnegative integers"): "content of a sparse tensor",
    ("CTCLoss", "missed", "Labels length is zero in batch"): "content of a sparse tensor",
    ("CTCLoss", "missed", "Saw a non-null label"): "content of a sparse tensor",
    ("Conv3D", "wrong not TensorFlow's", "supports dilated rates of 1"): "its shape function swaps the dilations of rows and columns",
    ("Conv3D", "wrong not TensorFlow's", "only supports the NHWC tensor format"): "the same",
    ("Conv3D", "missed of graph", "Negative dimension size"): "the same",
    ("Conv", "missed in eager mode", "Computed output size would be negative"):
        "without a batch its kernel takes the padding of another axis",
    ("Conv", "wrong in eager mode", ""):
        ("the kernel leaves an empty result with the one batch axis that it computes with; of three axes it "
         "pads the last two as others",
         lambda args: args.get("batch_dims", 1) != 1 or (
             args["padding"] == "EXPLICIT" and len(args["input"]["shape"]) == 5)),
    ("FusedPadConv2D", "missed", "Shape must be rank -1"): "paddings of unknown rank may fit",
    ("FusedResizeAndPadConv2D", "missed", "Shape must be rank -1"): "the same",
    ("FusedResizeAndPadConv2D", "missed", "Dimension size overflow"):
        "deferred, we say what is wrong with the size",
    ("FusedPadConv2D", "false in eager mode", "input must be 4-dimensional"):
        "the kernel reads past the input",
    ("AvgPool3DGrad", "missed", "index * stride"): "windows beyond the input, seen as they slide",
    ("FractionalAvgPoolGrad", "missed", "must not be negative"): "content of a pooling sequence",
    ("FractionalMaxPoolGrad", "missed", "tensor_out_dup is not the same"): "content of a pooling sequence",
    ("SoftmaxCrossEntropyWithLogits", "less", ""): "[?,k] and [1,k]: a run may broadcast",
    ("SoftmaxCrossEntropyWithLogits", "missed", "rank is unknown"): "of unknown rank it may fit",
    ("Mfcc", "missed", "Mfcc initialization failed"): "frequencies against the number of channels",
}


def explained(result):
    """The key of the entry that explains this failure, or None."""
    verdict = result["verdict"] + " " + result["why"]
    text = result["text"]
    for key in DIFFERENCES:
        op, part, words = key
        if op in ("*", result["op"]) and part in verdict and words in text:
            why = DIFFERENCES[key]
            if isinstance(why, str) or why[1](result["case"]["args"]):
                return key
    return None
