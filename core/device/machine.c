/* The devices of a machine. See machine.h. */
#include "core/device/machine.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What no GPU is below: a number that was meant to have a unit. */
static const double LEAST_GIB = 1.0 / 1024;

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

/* Reads how many devices of its kind `item` asks for: what stands at `after`, "*4" or ":4", or one
 * where nothing does. */
static SfStatus read_count(Parsing *p, const char *item, const char *after, int *count)
{
    *count = 1;
    if (*after == '\0') {
        return SF_OK;
    }
    char *end;
    const bool has_sign = *after == '*' || *after == ':';
    const long n = strtol(after + 1, &end, 10);
    if (!has_sign || after[1] < '0' || after[1] > '9' || *end != '\0') {
        return refuse(p, sf_arena_printf(p->arena, "'%s' has no number of devices behind '%c'",
                                         item, *after));
    }
    if (n == 0) {
        return refuse(p, sf_arena_printf(p->arena,
                                         "'%s' asks for no device: behind '%c' stands how many, "
                                         "at least 1",
                                         item, *after));
    }
    if (n > SF_MACHINE_MAX) {
        return refuse(p, sf_arena_printf(p->arena, "'%s' asks for more than %d devices", item,
                                         (int)SF_MACHINE_MAX));
    }
    *count = (int)n;
    return SF_OK;
}

static SfStatus add_cpus(Parsing *p, int n)
{
    if (p->ncpus + n > SF_MACHINE_MAX) {
        return refuse(p, sf_arena_printf(p->arena, "more than %d CPUs", (int)SF_MACHINE_MAX));
    }
    p->ncpus += n;
    return SF_OK;
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
    if (gpu->memory_gib < LEAST_GIB || gpu->free_gib > gpu->memory_gib) {
        return refuse(
            p, gpu->memory_gib < LEAST_GIB
                   ? sf_arena_printf(p->arena,
                                     "'%s' has %.0f bytes of memory: it is bytes without "
                                     "a unit, memory=24GiB",
                                     item, gpu->memory_gib * (1 << 30))
                   : sf_arena_printf(p->arena, "'%s' has more memory free than it has", item));
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
    if (after == item) {
        return refuse(p,
                      sf_arena_printf(p->arena, "'%s' names no device before '%c'", item, *after));
    }
    int count;
    SF_TRY(read_count(p, item, after, &count));
    if (described) {
        return add_gpus(p, described, count);
    }
    if (strcasecmp(word, "cpu") == 0) {
        return add_cpus(p, count);
    }
    if (strcasecmp(word, "auto") == 0) { /* alone it was replaced by what is here */
        return refuse(p, sf_arena_printf(p->arena, "'%s': auto takes no number", item));
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

/* Has a comma no device on one of its sides? */
static bool has_empty_item(const char *text)
{
    bool is_empty = true;
    for (; *text != '\0'; text++) {
        if (*text == ',' && is_empty) {
            return true;
        }
        is_empty = *text == ',' || (*text == ' ' && is_empty);
    }
    return is_empty;
}

SfStatus sf_machine_parse(SfArena *arena, const char *text, SfMachine *out, const char **error)
{
    Parsing p = {.arena = arena};
    SfStatus status = SF_OK;
    if (text[strspn(text, ", ")] == '\0') {
        status = refuse(&p, "no device is named");
    } else if (has_empty_item(text)) {
        status = refuse(&p, sf_arena_printf(arena, "'%s' names no device beside a comma", text));
    }
    while (status == SF_OK && *text != '\0') {
        const size_t length = strcspn(text, ", ");
        const char *item = sf_arena_strndup(arena, text, length);
        status = !item ? SF_NOMEM : length > 0 ? read_item(&p, item) : SF_OK;
        text += length + (text[length] != '\0');
    }
    p.ncpus = p.ncpus > 0 ? p.ncpus : 1; /* there is always one */
    *error = p.error;
    return status == SF_OK ? make_devices(&p, out) : status;
}
