/* The list of families as a whole. */
#include <criterion/criterion.h>
#include <string.h>

#include "apis/apis.h"

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
