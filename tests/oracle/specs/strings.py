"""Raw ops of strings, and of text parsed into numbers."""
from rawspec import op, t, v

WORDS = ["a", "Bc", " d e ", "", "x1", "42", "-7", "3.5", "été"]


def words(r, shape, some=WORDS):
    return r.choice(some) if not shape else [words(r, shape[1:], some) for _ in range(shape[0])]


def strings(r, shape=None, some=WORDS):
    shape = r.shape(0, 2) if shape is None else shape
    return v("string", words(r, shape, some), shape) if r.flag() else t("string", shape)


@op("StringJoin")
def join(r, name):
    shape = r.shape(0, 2)
    return dict(inputs=[strings(r, shape if r.random() < 0.8 else []) for _ in range(r.randint(1, 3))],
                separator=r.choice(["", ", "]))


@op("ReduceJoin")
def reduce_join(r, name):
    shape = r.shape(1, 3)
    axes = r.sample(range(len(shape)), r.randint(0, len(shape)))
    axes = [a - len(shape) if r.flag() else a for a in axes]
    return dict(inputs=strings(r, shape), reduction_indices=v("int32", axes, [len(axes)]), keep_dims=r.flag(),
                separator=r.choice(["", "-"]))


@op("UnsortedSegmentJoin")
def segment_join(r, name):
    ids, inner, n = r.shape(1, 2), r.shape(0, 1), r.randint(1, 4)
    return dict(inputs=strings(r, ids + inner), segment_ids=t("int32", ids, low=0, high=n),
                num_segments=v("int32", n), separator="")


@op("StringFormat")
def format_(r, name):
    n = r.randint(0, 3)
    return dict(inputs=[t("int32", r.shape(0, 2)) for _ in range(n)], template="{}" * n + "!", placeholder="{}",
                summarize=3)


@op("AsString")
def as_string(r, name):
    kind = r.choice(["float32", "int64", "bool", "string", "complex64"])
    args = dict(precision=r.randint(0, 3)) if kind == "float32" and r.flag() else {}
    return dict(input=v("int32", [[1, -20], [300, 0]]) if not args and r.flag() else t(kind, r.shape(0, 3)),
                width=r.choice([-1, 5]), fill=r.choice(["", "0", "-"]), **args)


@op("StringLength")
def length(r, name):
    return dict(input=strings(r), unit=r.choice(["BYTE", "UTF8_CHAR"]))


@op("StringLower", "StringUpper")
def case(r, name):
    return dict(input=strings(r, some=WORDS[:-1]), encoding=r.choice(["", "utf-8"]))


@op("StringStrip", "EncodeBase64")
def strip(r, name):
    return dict(input=strings(r, some=WORDS[:-1]))


@op("DecodeBase64")
def decode_base64(r, name):
    return dict(input=v("string", words(r, r.shape(0, 2), ["YWI", "YQ", ""])))


@op("DecodeCompressed")
def decode_compressed(r, name):
    return dict(bytes=strings(r), compression_type="")


@op("RegexReplace")
def regex_replace(r, name):
    return dict(input=strings(r), pattern=v("string", "a+"), rewrite=v("string", "b"), replace_global=r.flag())


@op("RegexFullMatch")
def regex_match(r, name):
    return dict(input=strings(r), pattern=v("string", "a+"))


@op("StaticRegexReplace")
def static_replace(r, name):
    return dict(input=strings(r), pattern="a+", rewrite="b", replace_global=r.flag())


@op("StaticRegexFullMatch")
def static_match(r, name):
    return dict(input=strings(r), pattern="a+")


@op("Substr")
def substr(r, name):
    shape = r.shape(0, 2)
    texts = v("string", words(r, shape, ["abcdef", "ghijkl"]), shape)
    inner = [] if r.flag() else shape

    def numbers(dims, low):
        return [numbers(dims[1:], low) for _ in range(dims[0])] if dims else r.randint(low, 5)
    known = r.flag()
    return dict(input=texts, pos=v("int32", numbers(inner, -5), inner) if known else t("int32", inner, low=0, high=5),
                len=v("int32", numbers(inner, 0), inner) if known else t("int32", inner, low=0, high=5),
                unit=r.choice(["BYTE", "UTF8_CHAR"]))


@op("StringToNumber")
def to_number(r, name):
    shape = r.shape(0, 2)
    kind = r.choice(["float32", "float64", "int32", "int64"])
    some = ["42", " -7 ", "+0"] + ["1.5", "2e3", ".5"] * kind.startswith("float")
    return dict(string_tensor=v("string", words(r, shape, some), shape), out_type=kind)


@op("StringToHashBucket")
def hash_bucket(r, name):
    return dict(string_tensor=strings(r), num_buckets=r.randint(1, 9))


@op("StringToHashBucketFast")
def hash_bucket_fast(r, name):
    return dict(input=strings(r), num_buckets=r.randint(1, 9))


@op("StringToHashBucketStrong")
def hash_bucket_strong(r, name):
    return dict(input=strings(r), num_buckets=r.randint(1, 9), key=[1, 2])


@op("StringSplit")
def split(r, name):
    return dict(input=strings(r, [r.randint(0, 4)]), delimiter=v("string", r.choice(["", " ", ","])), skip_empty=r.flag())


@op("StringSplitV2")
def split_v2(r, name):
    return dict(input=strings(r, [r.randint(0, 4)]), sep=v("string", r.choice(["", " ", ","])), maxsplit=-1)


@op("StringNGrams")
def ngrams(r, name):
    n = r.randint(0, 5)
    rows = [0] + sorted(r.randint(0, n) for _ in range(r.randint(0, 2))) + [n]
    return dict(data=t("string", [n]), data_splits=v("int64", rows), separator=" ", ngram_widths=[1, 2], left_pad="<",
                right_pad=">", pad_width=r.randint(0, 1), preserve_short_sequences=r.flag())


ERRORS = ["replace", "ignore"]


@op("UnicodeTranscode")
def transcode(r, name):
    return dict(input=strings(r), input_encoding="UTF-8", output_encoding=r.choice(["UTF-8", "UTF-16-BE"]),
                errors=r.choice(ERRORS), replacement_char=65533, replace_control_characters=r.flag())


@op("UnicodeScript")
def script(r, name):
    return dict(input=t("int32", r.shape(0, 3), low=1, high=200))


@op("UnicodeEncode")
def encode(r, name):
    n = r.randint(0, 5)
    rows = [0] + sorted(r.randint(0, n) for _ in range(r.randint(0, 2))) + [n]
    return dict(input_values=t("int32", [n], low=32, high=90), input_splits=v("int64", rows),
                output_encoding="UTF-8", errors="replace", replacement_char=65533)


@op("UnicodeDecode", "UnicodeDecodeWithOffsets")
def decode(r, name):
    return dict(input=strings(r, r.shape(0, 2)), input_encoding="UTF-8", errors=r.choice(ERRORS),
                replacement_char=65533, replace_control_characters=r.flag(), Tsplits=r.choice(["int64", "int32"]))


@op("DecodeRaw")
def decode_raw(r, name):
    shape = r.shape(0, 2)
    return dict(bytes=v("string", words(r, shape, ["abcdefgh", "12345678"]), shape),
                out_type=r.choice(["uint8", "int32", "float32", "int64"]), little_endian=r.flag())


@op("DecodePaddedRaw")
def decode_padded(r, name):
    shape = r.shape(1, 2)
    return dict(input_bytes=v("string", words(r, shape, ["abcdefgh", "1234"]), shape),
                fixed_length=v("int32", 8 * r.randint(1, 2)), out_type=r.choice(["uint8", "int32", "float32"]),
                little_endian=True)


@op("DecodeCSV")
def decode_csv(r, name):
    shape = r.shape(0, 2)
    kinds = [r.choice(["float32", "int32", "string"]) for _ in range(2)]
    return dict(records=v("string", words(r, shape, ["1,2", "3,4", '5,"6"']), shape),
                record_defaults=[t(k, r.choice([[1], [0], []])) for k in kinds])
