/* A small TensorFlow for the tests of graphs and sessions: a few ops under their real names, whose
 * transfer functions are as short as the tests allow. The real ones are apis/'s.
 * Owner: the test owns its Kit. */
#ifndef SF_TESTS_CORE_KIT_H
#define SF_TESTS_CORE_KIT_H

#include <criterion/criterion.h>
#include <string.h>

#include "core/graph/eager.h"
#include "core/session/session.h"
#include "lattice/intern.h"

typedef struct Kit {
    SfGraph *g;
    SfSession *s;
    SfSink sink;
    SfBuilder b;
    SfArena arena; /* shapes' symbols and attrs given by a test */
} Kit;

void kit_register(void); /* the ops alone */
void kit_open(Kit *k, int version);
void kit_close(Kit *k);

/* "[2,?]": without names. */
const SfShape *kit_shape(const char *text);
SfAttrArg kit_type(const char *name, SfDtype t);
SfAttrArg kit_int(const char *name, int64_t i);
SfAttrArg kit_bool(const char *name, bool b);
SfAttrArg kit_string(const char *name, const char *s);
SfAttrArg kit_shape_attr(const char *name, const char *text);

/* One op; fails the test when it is refused. `in` may be NULL. Gives output 0 (node in .node). */
SfTensor kit_op(Kit *k, const char *op, const char *name, const SfTensor *in, int nin,
                const SfAttrArg *attrs, int nattrs);
#define OP(k, op, name, ...)                                                                       \
    kit_op((k), (op), (name), (const SfTensor[]){__VA_ARGS__},                                     \
           (int)(sizeof((const SfTensor[]){__VA_ARGS__}) / sizeof(SfTensor)), NULL, 0)
/* The same when it must be refused: the message of the finding. */
const char *kit_refused(Kit *k, const char *op, const char *name, const SfTensor *in, int nin,
                        const SfAttrArg *attrs, int nattrs);

SfTensor kit_placeholder(Kit *k, const char *name, SfDtype t, const char *shape);
SfTensor kit_const(Kit *k, const char *name, int64_t i);           /* int32 scalar */
SfTensor kit_const_f(Kit *k, const char *name, const char *shape); /* float, content unknown */
SfTensor kit_const_bool(Kit *k, const char *name, bool b);
SfTensor kit_variable(Kit *k, const char *name, SfDtype t, const char *shape); /* a ref */
SfTensor kit_out(SfTensor t, int index);                                       /* another output */
void kit_control(Kit *k, SfNode *const *nodes, int n); /* for the ops made next */

/* runs */
SfFeed kit_feed(SfTensor t, const char *shape);
SfFeed kit_feed_int(SfTensor t, int64_t i);
/* Runs one fetch; the text of its shape, or of the finding. */
const char *kit_run(Kit *k, SfTensor fetch, const SfFeed *feeds, int nfeed);
SfStatus kit_run_op(Kit *k, SfNode *op, const SfFeed *feeds, int nfeed);
bool kit_int_of(SfTensor t, int64_t *out);

#endif
