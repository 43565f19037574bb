/* Kernels per device. See kernels.h. */
#include "core/device/kernels.h"

#include <stdlib.h>
#include <string.h>

static const SfKernelRow *table;
static int table_size;

void sf_kernels_register(const SfKernelRow *rows, int n)
{
    table = rows;
    table_size = n;
}

static int by_name(const void *key, const void *row)
{
    return strcmp(key, ((const SfKernelRow *)row)->op);
}

const SfKernelRow *sf_kernels_find(const SfOpSig *sig)
{
    return table_size == 0
               ? NULL
               : bsearch(sig->def->name, table, (size_t)table_size, sizeof *table, by_name);
}

static bool type_allowed(SfDtype t, uint64_t mask)
{
    return mask >> (sf_dtype_base(t) & 63) & 1;
}

static bool attr_allowed(const SfAttr *a, uint64_t mask)
{
    if (!a) {
        return true;
    }
    if (a->type == SF_ATTR_TYPE) {
        return type_allowed(a->u.type, mask);
    }
    for (int i = 0; a->type == (SF_ATTR_LIST | SF_ATTR_TYPE) && i < a->u.list.n; i++) {
        if (!type_allowed(sf_attr_element(a, i).u.type, mask)) {
            return false;
        }
    }
    return true;
}

static bool text_allows(const SfNode *n, const char *text)
{
    if (*text == '\0' || *text == '*') {
        return *text == '*';
    }
    while (*text != '\0') {
        char name[48];
        const size_t length = strcspn(text, ":");
        char *end;
        if (length >= sizeof name || text[length] == '\0') {
            return true;
        }
        memcpy(name, text, length);
        name[length] = '\0';
        const uint64_t mask = strtoull(text + length + 1, &end, 16);
        if (!attr_allowed(sf_node_attr(n, name), mask)) {
            return false;
        }
        text = end + (*end == ' ');
    }
    return true;
}

unsigned sf_kernels_of(const SfNode *n, const SfKernelRow *row)
{
    const bool old = sf_graph_version(n->graph) < SF_VERSION(2, 0);
    const char *cpu = !row ? NULL : old ? row->cpu1 : row->cpu2;
    const char *gpu = !row ? NULL : old ? row->gpu1 : row->gpu2;
    if (!cpu || !gpu) {
        return SF_ON_CPU | SF_ON_GPU;
    }
    return (text_allows(n, cpu) ? SF_ON_CPU : 0u) | (text_allows(n, gpu) ? SF_ON_GPU : 0u);
}
