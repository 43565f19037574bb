/* One import from start to end. See graphdef.h. */
#include "core/graphdef/import_impl.h"
#include "lattice/intern.h"

enum { G_LIBRARY = 2, G_VERSIONS = 4, V_PRODUCER = 1 };

SfImport *sf_import_new(const SfImportOptions *o)
{
    SfImport *im = sf_calloc(1, sizeof *im);
    if (!im) {
        return NULL;
    }
    im->o = *o;
    sf_arena_init(&im->arena);
    sf_arena_init(&im->scratch);
    im->decoder.arena = &im->scratch;
    return im;
}

void sf_import_free(SfImport *im)
{
    if (!im) {
        return;
    }
    for (SfProgram *p = im->programs; p; p = p->next) {
        sf_program_free(p);
    }
    for (int32_t i = 0; i < im->nbodies; i++) {
        sf_graph_free(im->bodies[i]);
    }
    sf_free(im->bodies);
    sf_free(im->calls);
    sf_free(im->made);
    sf_free(im->ops);
    sf_free(im->functions);
    sf_index_free(&im->ops_by_name);
    sf_index_free(&im->functions_by_name);
    sf_arena_free(&im->arena);
    sf_arena_free(&im->scratch);
    sf_free(im);
}

static SfStatus read_versions(SfImport *im, SfSpan bytes)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    while (sf_wire_next(&w, &f)) {
        if (f.number == V_PRODUCER && f.type == SF_WIRE_VARINT) {
            im->producer = (int)(f.value & 0xffffff);
        }
    }
    return w.bad ? sf_import_fail(im, "not a GraphDef: its versions are malformed") : SF_OK;
}

static SfStatus read_around_nodes(SfImport *im, SfSpan bytes)
{
    SfWire w = sf_wire(bytes);
    SfWireField f;
    while (sf_wire_next(&w, &f)) {
        if (f.number == G_LIBRARY && f.type == SF_WIRE_BYTES) {
            SF_TRY(sf_import_library(im, f.bytes));
        } else if (f.number == G_VERSIONS && f.type == SF_WIRE_BYTES) {
            SF_TRY(read_versions(im, f.bytes));
        }
    }
    return w.bad ? sf_import_fail(
                       im, "not a GraphDef: the bytes are no protobuf message, or end too early")
                 : SF_OK;
}

SfStatus sf_import_graph(SfImport *im, SfSpan bytes)
{
    const int64_t size = (int64_t)bytes.n;
    im->outputs_left = (1 << 20) + size / 4;
    im->body_nodes_left = (1 << 18) + size;
    im->decoder.elements_left = (1 << 20) + size;
    im->unknown = sf_op_unmodelled();
    if (!im->unknown) {
        return sf_import_fail(im, "the op SfUnknown is not registered: nothing can be imported");
    }
    SF_TRY(read_around_nodes(im, bytes));
    SF_TRY(sf_program_scan(im, bytes, NULL, &im->main));
    const size_t prefix = im->o.prefix ? strlen(im->o.prefix) : 0;
    im->made = sf_calloc((size_t)im->main->n + 1, sizeof(SfNode *));
    const char *slashed = prefix ? sf_arena_printf(&im->arena, "%s/", im->o.prefix) : "";
    SF_TRY_ALLOC(im->made && slashed);
    SfBody body = {.im = im, .program = im->main, .prefix = slashed, .made = im->made};
    body.b = (SfBuilder){.graph = im->o.graph,
                         .sink = im->o.sink,
                         .version = sf_graph_version(im->o.graph),
                         .location = im->o.location,
                         .device = ""};
    return sf_body_build(&body);
}

const char *sf_import_error(const SfImport *im)
{
    return im->error;
}

int sf_import_count(const SfImport *im)
{
    return im->main ? im->main->n : 0;
}

int64_t sf_import_body_count(const SfImport *im)
{
    return im->body_nodes;
}

const SfImportCall *sf_import_calls(const SfImport *im, int *n)
{
    *n = im->ncalls;
    return im->calls;
}

int sf_import_producer(const SfImport *im)
{
    return im->producer;
}
