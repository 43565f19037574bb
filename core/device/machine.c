/* The devices of a machine. See machine.h. */
#include "core/device/machine.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Parsing {
    SfArena *arena;
    const char *error;
    int ncpus;
    const SfGpu *gpus[SF_MACHINE_MAX]; /* NULL: of no model */
    int ngpus;
} Parsing;

static SfStatus refuse(Parsing *p, const char *error)
{
    p->error = error;
    return error ? SF_REPORTED : SF_NOMEM;
}

/* "4", all of it; -1: no number, or too large. */
static int read_count(const char *text)
{
    char *end;
    const long n = strtol(text, &end, 10);
    return *text < '0' || *text > '9' || *end != '\0' || n > SF_MACHINE_MAX ? -1 : (int)n;
}

static SfStatus add_gpus(Parsing *p, const SfGpu *gpu, int n)
{
    if (p->ngpus + n > SF_MACHINE_MAX) {
        return refuse(p, sf_arena_printf(p->arena, "more than %d GPUs", (int)SF_MACHINE_MAX));
    }
    while (n-- > 0) {
        p->gpus[p->ngpus++] = gpu;
    }
    return SF_OK;
}

/* "gpu:2", "cpu", "t4", "a100-80gb*4". */
static SfStatus read_item(Parsing *p, const char *item)
{
    const size_t length = strcspn(item, ":*");
    const char *word = sf_arena_strndup(p->arena, item, length);
    if (!word) {
        return SF_NOMEM;
    }
    const int count = item[length] == '\0' ? 1 : read_count(item + length + 1);
    if (count < 0) {
        return refuse(p, sf_arena_printf(p->arena, "'%s' has no number of devices behind '%c'",
                                         item, item[length]));
    }
    if (strcasecmp(word, "cpu") == 0) {
        p->ncpus = count > 0 ? count : 1;
        return SF_OK;
    }
    const SfGpu *gpu = strcasecmp(word, "gpu") == 0 ? NULL : sf_gpu_find(word);
    if (!gpu && strcasecmp(word, "gpu") != 0) {
        const char *nearest = sf_gpu_nearest(p->arena, word);
        return !nearest
                   ? SF_NOMEM
                   : refuse(p, sf_arena_printf(p->arena,
                                               "'%s' is no device and no GPU of the catalogue; "
                                               "nearest: %s",
                                               word, nearest));
    }
    return add_gpus(p, gpu, count);
}

static SfStatus add_device(SfArena *arena, SfDevice *d, unsigned kind, int index, const SfGpu *gpu)
{
    const char *name = sf_arena_printf(arena, "/job:localhost/replica:0/task:0/device:%s:%d",
                                       kind == SF_ON_CPU ? "CPU" : "GPU", index);
    if (!name) {
        return SF_NOMEM;
    }
    *d = (SfDevice){
        kind, index, name, sf_device_name_parse(name), gpu, gpu ? sf_gpu_memory(gpu) : 0};
    return SF_OK;
}

static SfStatus make_devices(const Parsing *p, SfMachine *out)
{
    const int n = p->ncpus + p->ngpus;
    SfDevice *devices = sf_arena_alloc(p->arena, (size_t)n * sizeof *devices);
    if (!devices) {
        return SF_NOMEM;
    }
    for (int i = 0; i < n; i++) {
        const int gpu = i - p->ncpus;
        SF_TRY(gpu < 0 ? add_device(p->arena, &devices[i], SF_ON_CPU, i, NULL)
                       : add_device(p->arena, &devices[i], SF_ON_GPU, gpu, p->gpus[gpu]));
    }
    *out = (SfMachine){devices, n, p->ngpus};
    return SF_OK;
}

SfStatus sf_machine_parse(SfArena *arena, const char *text, SfMachine *out, const char **error)
{
    Parsing p = {.arena = arena, .ncpus = 1};
    SfStatus status = SF_OK;
    bool any = false;
    while (status == SF_OK && *text != '\0') {
        const size_t length = strcspn(text, ", ");
        const char *item = sf_arena_strndup(arena, text, length);
        status = !item ? SF_NOMEM : length > 0 ? read_item(&p, item) : SF_OK;
        any = any || length > 0;
        text += length + (text[length] != '\0');
    }
    if (status == SF_OK && !any) {
        status = refuse(&p, "no device is named");
    }
    *error = p.error;
    return status == SF_OK ? make_devices(&p, out) : status;
}
