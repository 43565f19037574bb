/* Prints what the ops say of random inputs, one line a finding: two builds that print the same have the
 * same codes, places and messages as far as the inputs reach.
 *   fuzz_messages RUNS      RUNS inputs for each op, always the same ones
 * Source: fuzz_ops.c makes the inputs. */
#include "tests/fuzz/fuzz.h"

#include "core/op/infer.h"

extern void (*sf_fuzz_listener)(const char *op, int version, SfPhase phase, const SfSink *sink);

static void print_place(const SfPlace *p)
{
    switch (p->kind) {
    case SF_PLACE_OP:
        (void)printf(" op");
        break;
    case SF_PLACE_ATTR:
        (void)printf(" @%s", p->attr);
        break;
    case SF_PLACE_AXIS:
        (void)printf(" %d.%d", p->index, p->axis);
        break;
    case SF_PLACE_INPUT:
    case SF_PLACE_OUTPUT:
        (void)printf(" %s%d", p->kind == SF_PLACE_OUTPUT ? "out" : "", p->index);
        break;
    }
}

static void print_findings(const char *op, int version, SfPhase phase, const SfSink *sink)
{
    for (const SfDiag *d = sink->first; d; d = d->next) {
        (void)printf("%s %d/%d: %s%s", op, version, (int)phase, sf_diag_info(d->code)->id,
                     d->deferred ? " deferred" : "");
        for (int i = 0; i < d->nplaces; i++) {
            print_place(&d->places[i]);
        }
        (void)putchar(' ');
        for (const char *c = d->message; *c; c++) {
            (void)putchar(*c == '\n' ? '|' : *c);
        }
        (void)putchar('\n');
    }
}

static uint32_t hash_of(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++) {
        h = (h ^ (uint32_t)(unsigned char)*name) * 16777619u;
    }
    return (h ^ h >> 24) & 0xffffff;
}

int main(int argc, char **argv)
{
    const long runs = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    uint8_t bytes[160];
    sf_fuzz_start();
    sf_fuzz_listener = print_findings;
    for (int op = 0; op < sf_op_count(); op++) {
        const uint32_t hash = hash_of(sf_op_at(op)->def->name);
        uint64_t state = UINT64_C(0x9E3779B97F4A7C15) ^ hash;
        for (long run = 0; run < runs; run++) {
            for (size_t i = 0; i < sizeof bytes; i++) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                bytes[i] = (uint8_t)(state >> 24);
            }
            bytes[0] = (uint8_t)hash;
            bytes[1] = (uint8_t)(hash >> 8);
            bytes[2] = (uint8_t)(hash >> 16);
            (void)LLVMFuzzerTestOneInput(bytes, sizeof bytes);
        }
    }
    return 0;
}
