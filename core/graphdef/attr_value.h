/* AttrValue, TensorProto and TensorShapeProto of a GraphDef as SfAttr, SfValue and SfShape.
 * Invariant: whatever the bytes hold, a decoded attr is one that the rest of core may be given:
 * dtypes are dtypes, dims are known or unknown, never bottom, strings and values are interned.
 * Owner: arrays live in the decoder's arena, strings and values in the interner.
 * Source: tensorflow/core/framework/{attr_value,tensor,tensor_shape}.proto, Tensor::FromProto. */
#ifndef SF_CORE_ATTR_VALUE_H
#define SF_CORE_ATTR_VALUE_H

#include "core/op/op.h"
#include "core/graphdef/wire.h"

typedef enum SfDecoded {
    SF_DECODED,
    SF_DECODED_STRANGE, /* well-formed, but of a kind that is not known here: no finding */
    SF_DECODED_BAD,     /* the bytes are no such message */
    SF_DECODED_NOMEM
} SfDecoded;

typedef struct SfDecoder {
    SfArena *arena;
    /* Elements of constants that may still be kept: a few bytes can claim thousands. */
    int64_t elements_left;
} SfDecoder;

/* `want` is what the signature declares: it decides what an empty list is a list of. The kind
 * that the bytes hold is kept when it is another one; sf_build checks it. */
SfDecoded sf_attr_decode(SfDecoder *d, SfSpan bytes, SfAttrType want, SfAttr *out);
SfDecoded sf_shape_decode(SfSpan bytes, const SfShape **out);
SfDecoded sf_tensor_decode(SfDecoder *d, SfSpan bytes, SfAttr *out);
/* The dtype by its number in types.proto, SF_DT_INVALID when it is none of ours. */
SfDtype sf_dtype_decode(uint64_t number);

#endif
