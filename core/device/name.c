/* Names of devices. See name.h. */
#include "core/device/name.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/op/infer.h"

static bool is_key(SfDevicePart p, const char *key)
{
    return (int)strlen(key) == p.n && strncmp(p.text, key, (size_t)p.n) == 0;
}

bool sf_device_part_is(SfDevicePart a, const char *text)
{
    return (int)strlen(text) == a.n && strncasecmp(a.text, text, (size_t)a.n) == 0;
}

bool sf_device_part_same(SfDevicePart a, SfDevicePart b)
{
    return a.n == b.n && (a.n == 0 || strncasecmp(a.text, b.text, (size_t)a.n) == 0);
}

/* reading */
/* Up to three texts between colons; *count is how many there were. */
static void split(const char *s, int n, SfDevicePart *parts, int *count)
{
    *count = 0;
    for (int from = 0, i = 0; i <= n; i++) {
        if (i == n || s[i] == ':') {
            if (*count < 3) {
                parts[*count] = (SfDevicePart){s + from, i - from};
            }
            (*count)++;
            from = i + 1;
        }
    }
}

/* The types that may stand without "device:", those of known plug-ins included. */
static bool is_device_type(SfDevicePart p, int version)
{
    static const char *const later[] = {"TPU", "XPU", "NPU", "HPU", "MLU", "IPU"};
    if (sf_device_part_is(p, "CPU") || sf_device_part_is(p, "GPU")) {
        return true;
    }
    for (int i = 0; i < SF_ARRAY_LEN(later); i++) {
        if (version >= SF_VERSION(2, 0) && sf_device_part_is(p, later[i])) {
            return true;
        }
    }
    return false;
}

typedef struct Reading {
    SfDeviceName name;
    int version;
    SfDevicePart unknown;    /* the first attribute of the name that TensorFlow does not know */
    SfDevicePart not_number; /* the first text where an index is expected */
    bool several_types;
} Reading;

static void read_number(Reading *r, SfDevicePart text, SfDevicePart *out)
{
    for (int i = 0; i < text.n; i++) {
        if (!isdigit((unsigned char)text.text[i])) {
            r->not_number = text;
            return;
        }
    }
    while (text.n > 1 && text.text[0] == '0') { /* int("01") is 1 */
        text.text++;
        text.n--;
    }
    *out = text;
}

static void read_type(Reading *r, SfDevicePart type, SfDevicePart index)
{
    r->several_types = r->several_types || r->name.type.n > 0;
    r->name.type = type;
    r->name.index = (SfDevicePart){NULL, 0};
    if (index.n > 0 && !is_key(index, "*")) {
        read_number(r, index, &r->name.index);
    }
}

static void read_field(Reading *r, const char *s, int n)
{
    SfDevicePart p[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    int count;
    split(s, n, p, &count);
    if (count == 2 && is_key(p[0], "job")) {
        r->name.job = p[1];
    } else if (count == 2 && is_key(p[0], "replica")) {
        read_number(r, p[1], &r->name.replica);
    } else if (count == 2 && is_key(p[0], "task")) {
        read_number(r, p[1], &r->name.task);
    } else if (count <= 2 && is_device_type(p[0], r->version)) {
        read_type(r, p[0], p[1]);
    } else if (count == 3 && is_key(p[0], "device")) {
        read_type(r, p[1], p[2]);
    } else if (p[0].n > 0) {
        r->unknown = p[0];
    }
}

static bool is_wrong(const Reading *r)
{
    return r->several_types || r->unknown.n > 0 || r->not_number.n > 0;
}

/* All fields, or those before the first that TensorFlow refuses. */
static void read_name(Reading *r, const char *s, bool whole)
{
    while (*s != '\0' && (whole || !is_wrong(r))) {
        const size_t n = strcspn(s, "/");
        if (n > 0) {
            read_field(r, s, (int)n);
        }
        s += n + (s[n] == '/');
    }
}

SfDeviceName sf_device_name_parse(const char *text)
{
    Reading r = {.version = SF_VERSION(2, 0)};
    read_name(&r, text, true);
    return r.name;
}

const char *sf_device_name_error(SfArena *arena, int version, const char *text, bool *nomem)
{
    Reading r = {.version = version};
    const bool is_new = version >= SF_VERSION(2, 2);
    const char *message = NULL;
    *nomem = false;
    read_name(&r, text, false);
    if (!is_wrong(&r)) {
        return NULL;
    }
    if (r.several_types) {
        message = sf_arena_printf(
            arena,
            is_new ? "Multiple device types are not allowed while parsing the device spec: %s."
                   : "Cannot specify multiple device types: %s",
            text);
    } else if (r.not_number.n > 0) {
        message = sf_arena_printf(arena, "invalid literal for int() with base 10: '%.*s'",
                                  r.not_number.n, r.not_number.text);
    } else {
        message = sf_arena_printf(
            arena,
            is_new ? "Unknown attribute '%.*s' is encountered while parsing the device spec: '%s'."
                   : "Unknown attribute: '%.*s' in '%s'",
            r.unknown.n, r.unknown.text, text);
    }
    *nomem = !message;
    return message;
}

/* writing */
static void append(char **at, const char *key, SfDevicePart p, bool upper)
{
    if (p.n == 0) {
        return;
    }
    for (; *key != '\0'; key++) {
        *(*at)++ = *key;
    }
    for (int i = 0; i < p.n; i++) {
        *(*at)++ = upper ? (char)toupper((unsigned char)p.text[i]) : p.text[i];
    }
}

const char *sf_device_name_text(SfArena *arena, const SfDeviceName *d)
{
    /* Keys and separators add less than 64 characters. */
    const int n = d->job.n + d->replica.n + d->task.n + d->type.n + d->index.n + 64;
    char *text = sf_arena_alloc(arena, (size_t)n);
    if (!text) {
        return NULL;
    }
    char *at = text;
    append(&at, "/job:", d->job, false);
    append(&at, "/replica:", d->replica, false);
    append(&at, "/task:", d->task, false);
    append(&at, "/device:", d->type, true);
    if (d->type.n > 0) {
        append(&at, ":", d->index.n ? d->index : (SfDevicePart){"*", 1}, false);
    }
    *at = '\0';
    return text;
}

const char *sf_device_merge(SfArena *arena, const char *device, const char *outer)
{
    const SfDeviceName inner = sf_device_name_parse(device), around = sf_device_name_parse(outer);
    const SfDeviceName d = sf_device_names_join(&inner, &around);
    return sf_device_name_text(arena, &d);
}

/* comparing */
bool sf_device_name_is_set(const SfDeviceName *d)
{
    return d->job.n || d->replica.n || d->task.n || d->type.n || d->index.n;
}

static bool part_agrees(SfDevicePart a, SfDevicePart b)
{
    return a.n == 0 || b.n == 0 || sf_device_part_same(a, b);
}

bool sf_device_names_agree(const SfDeviceName *a, const SfDeviceName *b)
{
    return part_agrees(a->job, b->job) && part_agrees(a->replica, b->replica) &&
           part_agrees(a->task, b->task) && part_agrees(a->type, b->type) &&
           part_agrees(a->index, b->index);
}

SfDeviceName sf_device_names_join(const SfDeviceName *a, const SfDeviceName *b)
{
    return (SfDeviceName){.job = a->job.n ? a->job : b->job,
                          .replica = a->replica.n ? a->replica : b->replica,
                          .task = a->task.n ? a->task : b->task,
                          .type = a->type.n ? a->type : b->type,
                          .index = a->index.n ? a->index : b->index};
}
