"""Raw ops of recurrent kernels."""
from rawspec import op, t, v


def lstm(b, i, c):
    return dict(cs_prev=t("float32", [b, c]), h_prev=t("float32", [b, c]), w=t("float32", [i + c, 4 * c]),
                wci=t("float32", [c]), wcf=t("float32", [c]), wco=t("float32", [c]), b=t("float32", [4 * c]))


@op("LSTMBlockCell", "LSTMBlockCellGrad")
def lstm_cell(r, name):
    b, i, c = r.dim(), r.dim(), r.dim()
    args = dict(x=t("float32", [b, i]), **lstm(b, i, c), use_peephole=r.flag())
    if name == "LSTMBlockCell":
        return dict(**args, forget_bias=1.0, cell_clip=3.0)
    for n in ("i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad"):
        args[n] = t("float32", [b, c])
    return args


@op("BlockLSTM", "BlockLSTMV2", "BlockLSTMGrad", "BlockLSTMGradV2")
def block_lstm(r, name):
    time, b, i, c = r.dim(), r.dim(), r.dim(), r.dim()
    args = dict(seq_len_max=v("int64", r.randint(0, time)), x=t("float32", [time, b, i]), **lstm(b, i, c),
                use_peephole=r.flag())
    if "Grad" in name:
        for n in ("i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad"):
            args[n] = t("float32", [time, b, c])
        return args
    if name == "BlockLSTM":
        args["forget_bias"] = 1.0
    return dict(**args, cell_clip=3.0)


@op("GRUBlockCell", "GRUBlockCellGrad")
def gru(r, name):
    b, i, c = r.dim(), r.dim(), r.dim()
    args = dict(x=t("float32", [b, i]), h_prev=t("float32", [b, c]), w_ru=t("float32", [i + c, 2 * c]),
                w_c=t("float32", [i + c, c]), b_ru=t("float32", [2 * c]), b_c=t("float32", [c]))
    if name.endswith("Grad"):
        for n in ("r", "u", "c", "d_h"):
            args[n] = t("float32", [b, c])
    return args


def modes(r):
    return dict(rnn_mode=r.choice(("lstm", "gru", "rnn_tanh", "rnn_relu")), input_mode="linear_input",
                direction=r.choice(("unidirectional", "bidirectional")), dropout=0.0)


@op("CudnnRNN", "CudnnRNNV2", "CudnnRNNV3", "CudnnRNNBackprop", "CudnnRNNBackpropV2", "CudnnRNNBackpropV3")
def cudnn(r, name):
    time, b, i, c, layers = r.dim(), r.dim(), r.dim(), r.dim(), r.choice((1, 2))
    attrs = modes(r)
    ways = 2 if attrs["direction"] == "bidirectional" else 1
    state = [layers * ways, b, c]
    cell = state if attrs["rnn_mode"] == "lstm" else []
    if name.endswith("V3"):
        cell = state
    args = dict(input=t("float32", [time, b, i]), input_h=t("float32", state), input_c=t("float32", cell),
                params=t("float32", [40]))
    if name.endswith("V3"):
        args["sequence_lengths"] = t("int32", [b], 1, 2)
        attrs["time_major"] = True
    if "Backprop" in name:
        args.update(output=t("float32", [time, b, ways * c]), output_h=t("float32", state),
                    output_c=t("float32", cell), output_backprop=t("float32", [time, b, ways * c]),
                    output_h_backprop=t("float32", state), output_c_backprop=t("float32", cell),
                    reserve_space=t("float32", [3]))
        if not name.endswith("Backprop"):
            args["host_reserved"] = t("int8", [0])
        return dict(**args, **attrs)
    return dict(**args, **attrs, is_training=r.flag())


@op("CudnnRNNParamsSize", "CudnnRNNParamsToCanonical", "CudnnRNNParamsToCanonicalV2", "CudnnRNNCanonicalToParams",
    "CudnnRNNCanonicalToParamsV2")
def cudnn_params(r, name):
    sizes = dict(num_layers=v("int32", 1), num_units=v("int32", r.dim()), input_size=v("int32", r.dim()), **modes(r))
    if name == "CudnnRNNParamsSize":
        return dict(**sizes, T="float32", S=r.choice(("int32", "int64")))
    weights, biases = r.choice((1, 2, 8)), r.choice((1, 2, 8))
    if not name.endswith("V2"):
        biases = weights
    if "CanonicalToParams" in name:
        return dict(**sizes, weights=[t("float32", [r.dim(), r.dim()]) for _ in range(weights)],
                    biases=[t("float32", [r.dim()]) for _ in range(biases)])
    counts = dict(num_params_weights=weights, num_params_biases=biases) if name.endswith("V2") else dict(
        num_params=weights)
    return dict(**sizes, params=t("float32", [40]), **counts)
