/* What is not modelled: how far its traces reach, and this layer without the op that stands for it. */
#include "tests/c/core/kit.h"

#include "core/graphdef/graphdef.h"

Test(unmodelled, without_its_op_no_memory_is_missing)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    SfTensor out;
    int nout = 0;
    cr_expect_eq(sf_build_unmodelled(&k.b, sf_op_find("Relu"), NULL, &x, 1, &out, 1, &nout),
                 SF_REPORTED);
    cr_assert(k.sink.first);
    cr_expect_str_eq(k.sink.first->message, "the op SfUnknown is not registered");
    const SfImportOptions o = {.graph = k.g, .sink = &k.sink};
    SfImport *im = sf_import_new(&o);
    cr_expect_eq(sf_import_graph(im, (SfSpan){"", 0}), SF_REPORTED);
    cr_expect(strstr(sf_import_error(im), "the op SfUnknown is not registered"));
    sf_import_free(im);
    kit_close(&k);
}
