/* Hazards of operands. See range.h. */
#include "core/op/range.h"

#include <math.h>

const char *sf_condition_name(SfCondition condition)
{
    static const char *const names[] = {
        [SF_CONDITION_NONE] = "",
        [SF_CONDITION_ZERO] = "zero",
        [SF_CONDITION_NEGATIVE] = "negative",
        [SF_CONDITION_NONPOSITIVE] = "nonpositive",
        [SF_CONDITION_OVERFLOW] = "overflow",
        [SF_CONDITION_OUT_OF_UNIT_INTERVAL] = "out_of_unit_interval",
        [SF_CONDITION_AT_UNIT_BOUNDARY] = "at_unit_boundary",
        [SF_CONDITION_POLE] = "pole",
        [SF_CONDITION_SINGULAR] = "singular",
    };
    return names[condition];
}

static bool overflows(const SfHazard *h, SfInterval x, SfDtype t)
{
    const double most = sf_dtype_largest(t);
    return fabs(h->grows(x.hi)) > most || fabs(h->grows(x.lo)) > most;
}

bool sf_hazard_is_near(const SfHazard *h, const SfRange *c)
{
    if (h->input >= c->node->nin || (h->applies && !h->applies(c))) {
        return false;
    }
    const SfDtype t = sf_dtype_base(c->node->inputs[h->input].dtype);
    SfInterval x = c->in[h->input];
    if (sf_interval_is_empty(x) || !sf_dtype_is_floating(t)) {
        return false;
    }
    if (h->edge != 0) {
        x = sf_interval_add(x, sf_interval_exact(h->edge), t);
    }
    switch (h->condition) {
    case SF_CONDITION_ZERO:
        return sf_interval_has_zero(x);
    case SF_CONDITION_NEGATIVE:
        return x.lo < 0;
    case SF_CONDITION_NONPOSITIVE:
    case SF_CONDITION_POLE:
        return x.lo < 0 || sf_interval_has_zero(x);
    case SF_CONDITION_OVERFLOW:
        return overflows(h, x, t);
    case SF_CONDITION_OUT_OF_UNIT_INTERVAL:
        return x.lo < -1 || x.hi > 1;
    case SF_CONDITION_AT_UNIT_BOUNDARY:
        return x.lo <= -1 || x.hi >= 1;
    case SF_CONDITION_SINGULAR:
        return true;
    case SF_CONDITION_NONE:
        break;
    }
    return false;
}
