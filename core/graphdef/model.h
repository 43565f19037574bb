/* The files around GraphDefs: MetaGraphDef (`.meta`) and SavedModel.
 * Invariant: parts point into the file's bytes; nothing is copied.
 * Source: tensorflow/core/protobuf/{meta_graph,saved_model}.proto. */
#ifndef SF_CORE_MODEL_H
#define SF_CORE_MODEL_H

#include "core/base/arena.h"
#include "core/graphdef/wire.h"

typedef enum SfModelKind { SF_MODEL_GRAPH, SF_MODEL_META, SF_MODEL_SAVED } SfModelKind;

typedef struct SfModelPart {
    SfSpan graph;   /* GraphDef */
    SfSpan version; /* of the TensorFlow that wrote it: "1.15.0"; n 0: not given */
    SfSpan meta;    /* MetaGraphDef; n 0: a plain GraphDef */
    int ntags;
    SfSpan *tags;
} SfModelPart;

/* By what the bytes look like; MetaGraphs and GraphDefs look alike: callers go by the name. */
SfModelKind sf_model_kind_of(SfSpan file);
/* The GraphDefs in a file, in `arena`; -1: the bytes are no such message; -2: no memory. */
int sf_model_parts(SfArena *arena, SfSpan file, SfModelKind kind, SfModelPart **out);

#endif
