"""Raw ops that tensors come from, and copies of them."""
from rawspec import op, t, v


@op("Placeholder", "PlaceholderV2")
def placeholder(r, name):
    return dict(dtype=r.choice(("float32", "int32", "string")), shape=r.shape())


@op("PlaceholderWithDefault")
def with_default(r, name):
    s = r.shape()
    return dict(input=t("float32", s), shape=[None if r.random() < 0.4 else d for d in s])


@op("Empty")
def empty(r, name):
    s = r.shape()
    return dict(shape=v("int32", s, [len(s)]), dtype=r.choice(("float32", "int32")), init=r.flag())


@op("DeepCopy")
def deep_copy(r, name):
    return dict(x=t("float32", r.shape()))


@op("GuaranteeConst")
def guarantee(r, name):
    return dict(input=t("float32", r.shape()))


@op("InplaceUpdate", "InplaceAdd", "InplaceSub")
def inplace(r, name):
    s = r.shape(1, 4)
    n = r.randint(1, s[0])
    return dict(x=t("float32", s), i=v("int32", r.sample(range(s[0]), n)), v=t("float32", [n] + s[1:]))
