/* On which device TensorFlow 1 puts each node of a graph.
 * Invariant: nothing of the graph changes. Nodes joined by a reference or a resource, and those
 * that are colocated by name, have one device.
 * Owner: the caller's array; texts live in the arena given.
 * Source: core/common_runtime/{placer,colocation_graph}.cc; ours looks into no function. */
#ifndef SF_CORE_PLACE_H
#define SF_CORE_PLACE_H

#include "core/device/machine.h"

typedef struct SfPlaceError {
    const SfNode *node;
    uint32_t location;   /* of the `with tf.device` that asks for it, else of the node */
    const char *message; /* TensorFlow's, without the error context of the op */
} SfPlaceError;

/* devices[id]: the number of the node's device in the machine. `soft`: ConfigProto's
 * allow_soft_placement. SF_REPORTED: *error says what TensorFlow refuses. */
SfStatus sf_graph_place(const SfGraph *g, const SfMachine *m, bool soft, SfArena *arena,
                        int16_t *devices, SfPlaceError *error);

#endif
