/* libFuzzer target: the grammars. Op signatures, shapes, .pbtxt, AttrValues. */
#include "tests/fuzz/fuzz.h"

#include "core/graphdef/attr_value.h"
#include "core/graphdef/pb_text.h"
#include "tests/c/domain/domain.h"

/* The text up to the next NUL, in `arena`. */
static const char *next_text(SfArena *arena, SfFuzz *f)
{
    const uint8_t *end = f->n ? memchr(f->p, 0, f->n) : NULL;
    const size_t n = end ? (size_t)(end - f->p) : f->n;
    const char *text = sf_arena_strndup(arena, (const char *)f->p, n);
    f->p += n + (end != NULL);
    f->n -= n + (end != NULL);
    return text;
}

static void parse_signature(SfArena *arena, SfFuzz *f)
{
    const char *error = NULL;
    SfOpDef def = {.name = "Fuzzed"};
    def.inputs = next_text(arena, f);
    def.outputs = next_text(arena, f);
    def.attrs = next_text(arena, f);
    if (!sf_op_parse(&def, arena, &error) && (!error || !*error)) {
        abort(); /* refused without a reason */
    }
}

static void parse_shape(SfArena *arena, SfFuzz *f)
{
    char text[64];
    SfSymbolScope *scope = sf_symbol_scope_new();
    const SfShape *s = sf_shape_parse(next_text(arena, f), scope, NULL);
    if (s) {
        (void)sf_shape_format(s, true, text, sizeof text);
        (void)sf_shape_format(s, false, text, sizeof text);
    }
    sf_symbol_scope_free(scope);
}

/* What is read as text is a message of our own making, and must be one. */
static void parse_text(SfFuzz *f)
{
    char error[100];
    SfBytes out;
    SfArena arena;
    SfModelPart *parts;
    const SfModelKind kind = (SfModelKind)sf_fuzz_pick(f, 3);
    const int status =
        sf_pbtext_read((SfSpan){(const char *)f->p, f->n}, kind, &out, error, sizeof error);
    if (status == 0 && strncmp(error, "line ", 5) != 0) {
        abort(); /* refused without a reason */
    }
    sf_arena_init(&arena);
    if (status == 1 && sf_model_parts(&arena, (SfSpan){out.p, out.n}, kind, &parts) < 0) {
        abort();
    }
    sf_arena_free(&arena);
    sf_free(out.p);
}

static void decode_attr(SfArena *arena, SfFuzz *f)
{
    static const SfAttrType types[] = {SF_ATTR_INT, SF_ATTR_LIST + SF_ATTR_INT, SF_ATTR_TENSOR,
                                       SF_ATTR_LIST + SF_ATTR_TYPE};
    SfDecoder d = {arena, 100000};
    SfAttr a;
    const SfAttrType want = types[sf_fuzz_pick(f, 4)];
    const SfSpan bytes = {(const char *)f->p, f->n};
    if (sf_attr_decode(&d, bytes, want, &a) == SF_DECODED && a.type == SF_ATTR_TENSOR &&
        a.u.tensor.value && sf_value_shape(a.u.tensor.value) != a.u.tensor.shape) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SfFuzz f = {data, size};
    SfArena arena;
    sf_fuzz_start();
    sf_arena_init(&arena);
    switch (sf_fuzz_pick(&f, 4)) {
    case 0:
        parse_signature(&arena, &f);
        break;
    case 1:
        parse_shape(&arena, &f);
        break;
    case 2:
        parse_text(&f);
        break;
    default:
        decode_attr(&arena, &f);
        break;
    }
    sf_arena_free(&arena);
    return 0;
}
