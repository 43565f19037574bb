/* Names of devices: "/job:ps/replica:0/task:1/device:GPU:0", read, merged and compared by field.
 * Invariant: a field that is unset has length 0; texts point into what was parsed.
 * Owner: the caller's text, or the arena that is given.
 * Source: tensorflow/python/framework/device_spec.py, core/util/device_name_utils.h. */
#ifndef SF_CORE_DEVICE_NAME_H
#define SF_CORE_DEVICE_NAME_H

#include <stdbool.h>

#include "core/base/arena.h"

typedef struct SfDevicePart {
    const char *text;
    int n; /* 0: unset */
} SfDevicePart;

typedef struct SfDeviceName {
    SfDevicePart job, replica, task, type, index;
} SfDeviceName;

/* What cannot be read is left out: sf_device_name_error says whether there was such a thing. */
SfDeviceName sf_device_name_parse(const char *text);
/* TensorFlow's message for what `tf.device` refuses, as `version` phrases it, or NULL. In the
 * arena; *nomem when memory ran out. */
const char *sf_device_name_error(SfArena *arena, int version, const char *text, bool *nomem);
/* `device` completed by what `outer` says and it does not, in canonical form. NULL: no memory. */
const char *sf_device_merge(SfArena *arena, const char *device, const char *outer);
/* Canonical text; type without index prints "device:GPU:*". NULL: no memory. */
const char *sf_device_name_text(SfArena *arena, const SfDeviceName *d);

bool sf_device_part_same(SfDevicePart a, SfDevicePart b);
bool sf_device_part_is(SfDevicePart a, const char *text); /* without regard to case */
/* Has it any field but "*"? */
bool sf_device_name_is_set(const SfDeviceName *d);
/* May both be names of one device? */
bool sf_device_names_agree(const SfDeviceName *a, const SfDeviceName *b);
/* What either says; `a` where they disagree. */
SfDeviceName sf_device_names_join(const SfDeviceName *a, const SfDeviceName *b);

#endif
