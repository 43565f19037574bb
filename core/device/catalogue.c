/* GPUs by name. See catalogue.h. */
#include "core/device/catalogue.h"

#include <ctype.h>
#include <string.h>

#define GIGA 1e9
#define TERA 1e12

static const SfGpu gpus[] = {
#define SF_GPU(name, title, memory, bandwidth, fp32, half, capability, sms)                        \
    {name, title, memory, 0, (bandwidth)*GIGA, (fp32)*TERA, (half)*TERA, capability, sms},
#include "core/device/catalogue.def"
#undef SF_GPU
};

enum { NAME_MAX_LENGTH = 32, NEAREST = 3 };

int sf_gpu_count(void)
{
    return SF_ARRAY_LEN(gpus);
}

const SfGpu *sf_gpu_at(int i)
{
    return i < 0 || i >= SF_ARRAY_LEN(gpus) ? NULL : &gpus[i];
}

int64_t sf_gpu_memory(const SfGpu *gpu)
{
    return (int64_t)(gpu->memory_gib * 1024 * 1024 * 1024);
}

int64_t sf_gpu_free(const SfGpu *gpu)
{
    return gpu->free_gib > 0 ? (int64_t)(gpu->free_gib * 1024 * 1024 * 1024) : sf_gpu_memory(gpu);
}

/* Letters and digits in lower case, without the maker's and the product line's names. */
static void fold(const char *name, char out[NAME_MAX_LENGTH])
{
    static const char *const words[] = {"nvidia", "geforce", "tesla"};
    int n = 0;
    for (; *name != '\0' && n < NAME_MAX_LENGTH - 1; name++) {
        if (isalnum((unsigned char)*name)) {
            out[n++] = (char)tolower((unsigned char)*name);
        }
    }
    out[n] = '\0';
    for (int i = 0; i < SF_ARRAY_LEN(words); i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(out, words[i], length) == 0) {
            memmove(out, out + length, strlen(out) - length + 1);
        }
    }
}

const SfGpu *sf_gpu_find(const char *name)
{
    char wanted[NAME_MAX_LENGTH], known[NAME_MAX_LENGTH];
    fold(name, wanted);
    for (int i = 0; i < SF_ARRAY_LEN(gpus); i++) {
        fold(gpus[i].name, known);
        if (strcmp(wanted, known) == 0) {
            return &gpus[i];
        }
    }
    return NULL;
}

/* Letters to insert, remove or replace. */
static int distance(const char *a, const char *b)
{
    int row[NAME_MAX_LENGTH];
    const int nb = (int)strlen(b);
    for (int k = 0; k <= nb; k++) {
        row[k] = k;
    }
    for (int i = 1; a[i - 1] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int k = 1; k <= nb; k++) {
            const int replaced = diagonal + (a[i - 1] != b[k - 1]);
            const int shorter = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
            diagonal = row[k];
            row[k] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[nb];
}

const char *sf_gpu_nearest(SfArena *arena, const char *name)
{
    char wanted[NAME_MAX_LENGTH], known[NAME_MAX_LENGTH];
    bool taken[SF_ARRAY_LEN(gpus)] = {false};
    const char *text = "";
    fold(name, wanted);
    for (int found = 0; found < NEAREST && text; found++) {
        int best = -1, least = NAME_MAX_LENGTH;
        for (int i = 0; i < SF_ARRAY_LEN(gpus); i++) {
            fold(gpus[i].name, known);
            /* A name whose end is left out counts as equal: "a100". */
            const int d = strncmp(known, wanted, strlen(wanted)) == 0 ? 0 : distance(wanted, known);
            if (!taken[i] && d < least) {
                best = i;
                least = d;
            }
        }
        if (best >= 0) {
            taken[best] = true;
            text = sf_arena_printf(arena, "%s%s%s", text, found > 0 ? ", " : "", gpus[best].name);
        }
    }
    return text;
}
