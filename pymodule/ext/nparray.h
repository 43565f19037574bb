/* numpy's C API, for the two files that use it: nparray.c loads it, nparray_out.c shares its
 * table. */
#ifndef SFPY_NPARRAY_H
#define SFPY_NPARRAY_H

#include "pymodule/ext/ext.h"

#define NPY_NO_DEPRECATED_API  NPY_1_7_API_VERSION
#define NPY_TARGET_VERSION     NPY_1_19_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL sfpy_numpy_api
#ifndef SFPY_LOADS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

/* numpy's description of a dtype; new reference. NULL: exception. */
PyArray_Descr *sfpy_np_descr(SfpyState *st, SfDtype t);
/* The type number of the arrays through which contents of a dtype come and go. */
int sfpy_np_wide(SfDtype t);

#endif
