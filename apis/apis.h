/* The tables of all families (apis/ops, one file each) and namespaces (apis/tf, one file each).
 * Adding a family: its file, and one line in families.def or namespaces.def.
 * Owner: const data. */
#ifndef SF_APIS_APIS_H
#define SF_APIS_APIS_H

#include "apis/api.h"

#define SF_OPS(family) extern const SfOpTable sf_ops_##family;
#include "apis/families.def"
#undef SF_OPS

/* The name of the op table that an op is in, "" for one that a test registered. O(number of
 * ops). */
const char *sf_apis_family(const SfOpSig *sig);

#define SF_NAMESPACE(name) extern const SfApiTable sf_api_##name;
#include "apis/namespaces.def"
#undef SF_NAMESPACE

#endif
