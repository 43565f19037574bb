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

/* Bytes that go from one device to another in a step, as far as shapes are known: each output once
 * for each device that reads it. */
typedef struct SfCopy {
    const SfNode *from;
    int output;
    int16_t source, target; /* numbers of devices */
} SfCopy;

/* Calls `each` for every such copy among the nodes of the graph. */
SfStatus sf_graph_copies(const SfGraph *g, const int16_t *devices, int ndevices, SfArena *arena,
                         void (*each)(void *owner, const SfCopy *copy), void *owner);

#endif
