/* Small graphs of the real ops, run in a session: for what only a run shows (state, queues,
 * tables). Owner: the test owns its Net; attrs given by text live in its arena. */
#ifndef SF_TESTS_APIS_NET_H
#define SF_TESTS_APIS_NET_H

#include <criterion/criterion.h>

#include "apis/apis.h"
#include "core/graph/graph.h"
#include "core/session/session.h"

typedef struct Net {
    SfGraph *g;
    SfSession *s;
    SfSink sink;
    SfBuilder b;
    SfArena arena;
    SfTensor outs[16]; /* of the op made last */
    char text[512];    /* of the run that was last */
} Net;

void net_open(Net *n, int version);
void net_close(Net *n);

/* One op; output 0 (its node in .node; a tensor without shape when the op has no output). Fails the
 * test when it is refused. attrs: "shape=[2,?],dtype=float,validate_shape=false": as in rows, with
 * lists only of types and of shapes. */
SfTensor net_op(Net *n, const char *op, const char *attrs, const SfTensor *in, int nin);
#define NET(n, op, attrs, ...)                                                                     \
    net_op((n), (op), (attrs), (const SfTensor[]){__VA_ARGS__},                                    \
           (int)(sizeof((const SfTensor[]){__VA_ARGS__}) / sizeof(SfTensor)))
#define NET0(n, op, attrs) net_op((n), (op), (attrs), NULL, 0)
/* The op must be refused: the message. */
const char *net_refused(Net *n, const char *op, const char *attrs, const SfTensor *in, int nin);

SfTensor net_placeholder(Net *n, const char *dtype, const char *shape);
SfTensor net_int(Net *n, const char *dtype, int64_t i); /* a scalar constant */

/* Runs one fetch (a target when the node has no outputs): "[2,3]", "[]=3" (a known integer), or the
 * message of the finding. `feed` may be NULL. */
const char *net_run(Net *n, SfTensor fetch, const SfTensor *feed, const char *feed_shape);
/* The code of the newest finding, "" when there is none. */
const char *net_code(const Net *n);
const char *net_shape(Net *n, SfTensor t); /* static */

#endif
