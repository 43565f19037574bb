/* Compiled, never run: a dim printed as a number is an error of the compiler (core/op/diag.h).
 * CTest compiles it once as it stands, which must fail, and once with SF_RIGHT. */
#include "core/op/diag.h"

SfDiagArg sf_printed(SfDim d);

SfDiagArg sf_printed(SfDim d)
{
#ifdef SF_RIGHT
    return sf_dim_is_known(d) ? SF_INT_ARG((int64_t)d - 1) : SF_DIM_ARG(d);
#else
    return SF_INT_ARG(d - 1);
#endif
}
