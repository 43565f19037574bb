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

/* Reads "4", all of it; -1: not a number, or too large. */
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

/* "24GiB", "24gb", "6e11": a number of bytes, or of whatever it counts; negative: no number. */
static double read_amount(const char *text, const char *end)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"", 1},          {"gib", 1 << 30}, {"gb", 1 << 30}, {"g", 1 << 30},
                 {"mib", 1 << 20}, {"mb", 1 << 20},  {"m", 1 << 20}};
    char *rest;
    const double amount = strtod(text, &rest);
    for (int i = 0; rest > text && amount >= 0 && amount < 1e18 && i < SF_ARRAY_LEN(units); i++) {
        const size_t n = strlen(units[i].unit);
        if ((size_t)(end - rest) == n && strncasecmp(rest, units[i].unit, n) == 0) {
            return amount * units[i].factor;
        }
    }
    return -1;
}

/* Reads one "memory=24GiB" of a description. */
static bool read_fact(SfGpu *gpu, const char *text, const char *end)
{
    const double gib = 1 << 30;
    const char *equals = memchr(text, '=', (size_t)(end - text));
    const size_t n = equals ? (size_t)(equals - text) : 0;
    const double amount = equals ? read_amount(equals + 1, end) : -1;
    const struct {
        const char *name;
        double *into;
        double unit;
    } facts[] = {{"memory", &gpu->memory_gib, gib},
                 {"free", &gpu->free_gib, gib},
                 {"bandwidth", &gpu->bandwidth, 1},
                 {"fp32", &gpu->fp32, 1},
                 {"half", &gpu->half, 1}};
    for (int i = 0; amount >= 0 && i < SF_ARRAY_LEN(facts); i++) {
        if (strlen(facts[i].name) == n && strncmp(text, facts[i].name, n) == 0) {
            *facts[i].into = amount / facts[i].unit;
            return true;
        }
    }
    if (amount >= 0 && amount < 1000 && n == strlen("capability") &&
        strncmp(text, "capability", n) == 0) {
        gpu->capability = (int)amount;
        return true;
    }
    if (amount >= 0 && amount < 100000 && n == strlen("sms") && strncmp(text, "sms", n) == 0) {
        gpu->sms = (int)amount;
        return true;
    }
    return false;
}

/* Reads "my_gpu{memory=24GiB;...}"; `open` points to its brace, *after to what follows the
 * closing one. */
static SfStatus read_described(Parsing *p, const char *item, const char *open, const SfGpu **out,
                               const char **after)
{
    const char *at = open + 1, *close = strchr(open, '}');
    char *title = sf_arena_chars(p->arena, (size_t)(open - item));
    SfGpu *gpu = sf_arena_alloc(p->arena, sizeof *gpu);
    if (!title || !gpu) {
        return SF_NOMEM;
    }
    for (int i = 0; item + i < open; i++) {
        title[i] = (char)(item[i] == '_' ? ' ' : item[i]);
    }
    gpu->name = gpu->title = title;
    for (bool good = close && open > item; good && at < close;) {
        const size_t n = strcspn(at, ";}");
        good = read_fact(gpu, at, at + n);
        at += good ? n + (at[n] == ';') : 0;
    }
    if (!close || open == item || at < close || gpu->memory_gib <= 0) {
        return refuse(p, sf_arena_printf(p->arena,
                                         "'%s' describes no GPU: NAME{memory=24GiB}, and by ';' "
                                         "free, bandwidth, fp32, half, capability, sms",
                                         item));
    }
    *out = gpu;
    *after = close + 1;
    return SF_OK;
}

/* "gpu:2", "cpu", "t4", "a100-80gb*4". */
static SfStatus read_item(Parsing *p, const char *item)
{
    const size_t length = strcspn(item, ":*{");
    const char *word = sf_arena_strndup(p->arena, item, length), *after = item + length;
    const SfGpu *described = NULL;
    if (!word) {
        return SF_NOMEM;
    }
    if (*after == '{') {
        SF_TRY(read_described(p, item, after, &described, &after));
    }
    const int count = *after == '\0'                   ? 1
                      : *after == '*' || *after == ':' ? read_count(after + 1)
                                                       : -1;
    if (count < 0) {
        return refuse(p, sf_arena_printf(p->arena, "'%s' has no number of devices behind '%c'",
                                         item, *after));
    }
    if (described) {
        return add_gpus(p, described, count);
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
