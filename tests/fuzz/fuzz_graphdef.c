/* libFuzzer target: graph files. Checked: no crash, and a graph that verifies. */
#include "tests/fuzz/fuzz.h"

#include "core/graphdef/graphdef.h"
#include "core/graphdef/model.h"
#include "core/session/session.h"

enum { RUNS = 1 << 5, FETCHES = 16, FEEDS = 4 };

/* Runs what was made, with the first placeholders fed: loops and branches as the file nests them. A
 * run may be refused, for a reason; its time is libFuzzer's to watch. */
static void run(SfGraph *g, SfSink *sink)
{
    SfTensor fetches[FETCHES], results[FETCHES];
    SfFeed feeds[FEEDS];
    int nfetch = 0, nfeed = 0;
    for (int id = sf_graph_size(g) - 1; id >= 0 && nfetch < FETCHES; id--) {
        const SfNode *n = sf_graph_node(g, id);
        if (n->nout > 0) {
            fetches[nfetch++] = n->outputs[0];
        }
    }
    for (int id = 0; id < sf_graph_size(g) && nfeed < FEEDS; id++) {
        const SfNode *n = sf_graph_node(g, id);
        if (n->nin == 0 && n->nout > 0 && !sf_dtype_is_ref(n->outputs[0].dtype)) {
            feeds[nfeed++] = (SfFeed){.target = n->outputs[0], .shape = n->outputs[0].shape};
        }
    }
    SfSession *s = sf_session_new(g);
    if (!s) {
        abort();
    }
    sf_sink_clear(sink);
    if (sf_session_run(s, fetches, nfetch, NULL, 0, feeds, nfeed, sink, results) == SF_REPORTED &&
        !sink->first) {
        abort(); /* refused without a reason */
    }
    sf_session_free(s);
}

static void check(SfSpan bytes, int version, bool keep_going, bool runs)
{
    SfSink sink;
    SfGraph *g = sf_graph_new(version);
    sf_sink_init(&sink);
    SfTensor x = {0};
    SfBuilder b = {.graph = g, .sink = &sink, .version = version};
    const SfAttrArg dtype = {"dtype",
                             {.type = SF_ATTR_TYPE, .set = true, .u = {.type = SF_DT_FLOAT}}};
    int nout = 0;
    if (!keep_going && sf_build(&b, sf_op_find("Placeholder"), "x", NULL, 0, NULL, &dtype, 1, &x, 1,
                                &nout) != SF_OK) {
        abort();
    }
    const SfImportMap map[] = {{"x", x}, {"y:1", x}, {"^z", x}};
    const SfImportOptions o = {.graph = g,
                               .sink = &sink,
                               .prefix = keep_going ? "" : "import",
                               .keep_going = keep_going,
                               .mark_names = !keep_going,
                               .map = map,
                               .nmap = keep_going ? 0 : 3};
    SfImport *im = sf_import_new(&o);
    if (!im) {
        abort();
    }
    const SfStatus status = sf_import_graph(im, bytes);
    if (status == SF_REPORTED && !sf_import_error(im) && !sink.first) {
        abort(); /* refused without a reason */
    }
    const char *broken = sf_graph_verify(g);
    if (broken) {
        (void)fprintf(stderr, "verify: %s\n", broken);
        abort();
    }
    if (runs) {
        run(g, &sink);
    }
    sf_import_free(im);
    sf_graph_free(g);
    sf_sink_free(&sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SfFuzz f = {data, size};
    SfArena arena;
    SfModelPart *parts;
    sf_fuzz_start();
    const unsigned how = sf_fuzz_byte(&f);
    const int version = how & 4 ? SF_VERSION(1, 15) : SF_VERSION(2, 21);
    const SfSpan bytes = {(const char *)f.p, f.n};
    sf_arena_init(&arena);
    const int n = sf_model_parts(&arena, bytes, (SfModelKind)((how >> 3) % 3), &parts);
    for (int i = 0; i < n && i < 4; i++) {
        check(parts[i].graph, version, how & 1, how & RUNS);
    }
    sf_arena_free(&arena);
    return 0;
}
