"""Raw ops of cross entropies and CTC."""
from rawspec import op, t, v


@op("SoftmaxCrossEntropyWithLogits")
def xent(r, name):
    batch, classes = r.dim(), r.dim()
    one = r.random()
    features = [1 if one < 0.15 else batch, classes]
    labels = [1 if 0.15 <= one < 0.3 else batch, classes if one < 0.8 else 1]
    return dict(features=t("float32", features), labels=t("float32", labels))


@op("SparseSoftmaxCrossEntropyWithLogits")
def sparse_xent(r, name):
    batch, classes = r.dim(), r.dim()
    labels = v(r.choice(("int32", "int64")), [r.randrange(classes) for _ in range(batch)])
    return dict(features=t("float32", [batch, classes]), labels=labels)


@op("CTCLoss", "CTCLossV2")
def ctc_loss(r, name):
    time, batch, classes = r.choice((4, 5, 6)), r.dim(), r.choice((3, 4, 5))
    lengths = [r.choice((1, 2)) for _ in range(batch)]
    indices = [[b, i] for b, n in enumerate(lengths) for i in range(n)]
    low = 1 if name == "CTCLossV2" else 0
    values = [low + (i % (classes - 1)) for i in range(len(indices))]
    dtype = r.choice(("float32", "float64")) if name == "CTCLoss" else "float32"
    return dict(inputs=t(dtype, [time, batch, classes]), labels_indices=v("int64", indices),
                labels_values=v("int32", values), sequence_length=v("int32", [time] * batch),
                preprocess_collapse_repeated=r.flag(), ctc_merge_repeated=r.flag(),
                ignore_longer_outputs_than_inputs=True)


@op("CTCGreedyDecoder", "CTCBeamSearchDecoder")
def ctc_decoder(r, name):
    time, batch, classes = r.choice((4, 5, 6)), r.dim(), r.choice((3, 4, 5))
    args = dict(inputs=t("float32", [time, batch, classes]),
                sequence_length=v("int32", [r.randint(1, time) for _ in range(batch)]), merge_repeated=r.flag())
    if name == "CTCBeamSearchDecoder":
        top = r.choice((1, 2))
        args.update(beam_width=top + r.choice((0, 2)), top_paths=top)
    return args
