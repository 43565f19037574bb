/* An import that the user ends, at every look that it takes: while the file is scanned and while nodes
 * are made. */
#include <stdio.h>

#include "tests/c/apis/net.h"

#include "core/base/interrupt.h"
#include "core/graphdef/graphdef.h"

enum { NODES = 3000, NODE_SIZE = 32 };

static int looks_left;

static bool stop_later(void)
{
    return looks_left-- == 0;
}

/* A GraphDef of NoOps, each behind the one after it. */
static SfSpan graph_of_no_ops(char *bytes)
{
    size_t n = 0;
    for (int i = 0; i < NODES; i++) {
        char node[NODE_SIZE];
        const int size = snprintf(node, sizeof node, "\n\005n%04d\022\004NoOp\032\006^n%04d", i,
                                  i + 1 < NODES ? i + 1 : i);
        const int used = i + 1 < NODES ? size : size - 8; /* the last one needs nothing */
        bytes[n++] = '\n';
        bytes[n++] = (char)used;
        memcpy(bytes + n, node, (size_t)used);
        n += (size_t)used;
    }
    return (SfSpan){bytes, n};
}

Test(interrupt, an_import)
{
    static char bytes[NODES * NODE_SIZE];
    const SfSpan file = graph_of_no_ops(bytes);
    SfStatus status = SF_INTERRUPTED;
    int looks = 0, before_any_node = 0;
    for (; status == SF_INTERRUPTED && looks < 1000; looks++) {
        Net n;
        net_open(&n, SF_VERSION(1, 15));
        const SfImportOptions o = {.graph = n.g, .sink = &n.sink};
        SfImport *im = sf_import_new(&o);
        looks_left = looks;
        sf_interrupt_set_check(stop_later);
        status = sf_import_graph(im, file);
        sf_interrupt_set_check(NULL);
        cr_expect_null(sf_import_error(im));
        cr_expect_null(n.sink.first);
        cr_expect_null(sf_graph_verify(n.g));
        before_any_node += status == SF_INTERRUPTED && sf_graph_size(n.g) == 0;
        cr_expect(status == SF_INTERRUPTED || sf_graph_size(n.g) == NODES);
        sf_import_free(im);
        net_close(&n);
    }
    cr_expect_eq(status, SF_OK);
    cr_expect_geq(before_any_node, 6 * NODES / 512, "%d", before_any_node);
    cr_expect_gt(looks, before_any_node + 1);
}
