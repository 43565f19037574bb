/* The two lists: op families and user-facing namespaces. Nothing else registers anything. */
#include "apis/apis.h"

#include "apis/kernels.h"

static const SfOpTable *const op_tables[] = {
#define SF_OPS(family) &sf_ops_##family,
#include "apis/families.def"
#undef SF_OPS
};

static const SfApiTable *const api_tables[] = {
#define SF_NAMESPACE(name) &sf_api_##name,
#include "apis/namespaces.def"
#undef SF_NAMESPACE
};

SfStatus sf_apis_init(void)
{
    sf_apis_init_kernels();
    sf_apis_init_backward();
    for (int i = 0; i < SF_ARRAY_LEN(op_tables); i++) {
        SF_TRY(sf_ops_register(op_tables[i]));
    }
    return SF_OK;
}

const char *sf_apis_family(const SfOpSig *sig)
{
    for (int i = 0; i < SF_ARRAY_LEN(op_tables); i++) {
        for (int k = 0; k < op_tables[i]->count; k++) {
            if (&op_tables[i]->ops[k] == sig->def) {
                return op_tables[i]->name;
            }
        }
    }
    return "";
}

int sf_api_table_count(void)
{
    return SF_ARRAY_LEN(api_tables);
}

const SfApiTable *sf_api_table_at(int i)
{
    return i < 0 || i >= SF_ARRAY_LEN(api_tables) ? NULL : api_tables[i];
}
