/* The check for interrupts. See interrupt.h. */
#include "core/base/interrupt.h"

#include <stddef.h>

static SfInterruptCheck current;

void sf_interrupt_set_check(SfInterruptCheck check)
{
    current = check;
}

bool sf_interrupt_check(void)
{
    return current && current();
}
