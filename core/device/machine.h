/* A machine: the devices that a program would run on, as its user names them.
 * Invariant: the CPUs come first, then the GPUs, each numbered from 0; there is a CPU.
 * Owner: the arena that is given. Source: tensorflow/core/common_runtime/device_set.h. */
#ifndef SF_CORE_MACHINE_H
#define SF_CORE_MACHINE_H

#include "core/device/catalogue.h"
#include "core/device/kernels.h"
#include "core/device/name.h"

typedef struct SfDevice {
    unsigned kind; /* SF_ON_CPU or SF_ON_GPU */
    int index;
    const char *name; /* "/job:localhost/replica:0/task:0/device:GPU:0" */
    SfDeviceName parsed;
    const SfGpu *gpu; /* its model; NULL: a CPU, or any GPU */
    int64_t memory;   /* bytes; 0: not known */
} SfDevice;

typedef struct SfMachine {
    const SfDevice *devices;
    int n, ngpus;
} SfMachine;

enum { SF_MACHINE_MAX = 256 };

/* "cpu,gpu:2": a CPU and two GPUs; "cpu:4": four CPUs; "a100-80gb*4": four of that model;
 * "my_gpu{memory=24GiB;bandwidth=6e11}": one that the catalogue lacks. What is wrong with `text`
 * goes into *error. SF_NOMEM, or SF_REPORTED with *error, or SF_OK. */
SfStatus sf_machine_parse(SfArena *arena, const char *text, SfMachine *out, const char **error);

#endif
