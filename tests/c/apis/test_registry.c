/* The list of families as a whole. */
#include <criterion/criterion.h>
#include <string.h>

#include "apis/apis.h"
#include "core/op/infer.h"

#define SF_OPS(family) extern const SfOpTable sf_ops_##family;
#include "apis/families.def"
#undef SF_OPS

static const SfOpTable *const tables[] = {
#define SF_OPS(family) &sf_ops_##family,
#include "apis/families.def"
#undef SF_OPS
};

/* The first of two rows would win, and nobody would notice that the other is never used. */
Test(registry, no_op_is_defined_twice)
{
    cr_assert(sf_apis_init() == SF_OK);
    for (int i = 0; i < SF_ARRAY_LEN(tables); i++) {
        for (int k = 0; k < tables[i]->count; k++) {
            const SfOpDef *def = &tables[i]->ops[k];
            const SfOpSig *sig = sf_op_find(def->name);
            cr_expect(sig, "%s does not parse", def->name);
            cr_expect(!sig || sig->def == def, "%s is defined again in %s", def->name,
                      tables[i]->name);
        }
    }
}

/* Items of a part of SfOpDef.shapes, up to its end or the arrow; what they name are int attrs. */
static int count_items(const SfOpSig *sig, const char *at, bool outputs)
{
    int n = 0;
    for (; *at && *at != '-'; at += strcspn(at, " "), at += strspn(at, " "), n++) {
        cr_expect(strchr(outputs ? "[?={" : "[?><", *at), "%s: item at %s", sig->def->name, at);
        for (const char *p = at; *p && *p != ' '; p++) {
            const size_t length = strspn(p, "abcdefghijklmnopqrstuvwxyz_");
            char name[64] = "";
            if (length > 1) {
                memcpy(name, p, length < sizeof name ? length : 0);
                const int i = sf_op_attr_index(sig, name);
                cr_expect(outputs && i >= 0 &&
                              sig->attrs[i].type == (*at == '{' ? SF_ATTR_SHAPE : SF_ATTR_INT),
                          "%s: %s", sig->def->name, name);
                p += length - 1;
            }
        }
    }
    return n;
}

/* What a row says of its shapes is never judged when it is read. */
Test(registry, shapes_of_rows_are_well_formed)
{
    int found = 0;
    cr_assert(sf_apis_init() == SF_OK);
    for (int i = 0; i < sf_op_count(); i++) {
        const SfOpSig *sig = sf_op_at(i);
        if (!sig->def->shapes) {
            cr_expect(sig->def->infer != sf_infer_shapes, "%s has no shapes", sig->def->name);
            continue;
        }
        const char *arrow = strstr(sig->def->shapes, "->");
        cr_expect(sig->def->infer == sf_infer_shapes && arrow, "%s", sig->def->name);
        if (arrow) {
            const int in = count_items(sig, sig->def->shapes, false),
                      out = count_items(sig, arrow + 2 + strspn(arrow + 2, " "), true);
            cr_expect(in <= sig->nin && out <= sig->nout && (out > 0 || sig->nout == 0), "%s: %s",
                      sig->def->name, sig->def->shapes);
        }
        found++;
    }
    cr_expect(found > 0);
}
