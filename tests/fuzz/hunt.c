/* Looks for ops that break a law of fuzz_ops.c, each op for the same share of the time: libFuzzer
 * divides its time among all ops by what is new, stops at the first finding, and starves rare ones.
 * Each op is hunted in a child of its own, from inputs that reached code that is new for that op;
 * what crashes ends that child only. A finding is made small, told, and kept as DIR/OP-LAW.
 *   fuzz_hunt DIR MILLISECONDS SEED [OP ...]     a round over all ops, or over these
 *   fuzz_hunt --show FILE ...                    says which laws these inputs break
 * Invariant: an input is the same test here and in fuzz_ops. Source: libFuzzer's loop. */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include "tests/fuzz/fuzz.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { INPUT_MAX = 160, POOL_MAX = 4096, COUNTERS_MAX = 1 << 20, LAWS_MAX = 8 };

typedef struct Input {
    uint8_t bytes[INPUT_MAX];
    size_t n;
} Input;

/* What the parent reads when a child has died. */
typedef struct Shared {
    Input now;
    uint64_t rows, accepted;
} Shared;

static Shared *shared;
/* What reached new code, and apart from it what did so and was accepted: only those are weakened. */
typedef struct Pool {
    Input inputs[POOL_MAX];
    uint8_t seen[COUNTERS_MAX];
    int n;
} Pool;
static Pool pools[2];
static uint8_t op_bytes[3];
static uint64_t rng;
static const char *dir;

/* coverage: -fsanitize-coverage=inline-8bit-counters */
static uint8_t *counters;
static size_t ncounters;

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop);
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop)
{
    if (!counters || start < counters) {
        ncounters = counters ? ncounters + (size_t)(counters - start) : (size_t)(stop - start);
        counters = start;
    } else if ((size_t)(stop - counters) > ncounters) {
        ncounters = (size_t)(stop - counters);
    }
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop)
{
    (void)start;
    (void)stop;
}

static bool is_new(uint8_t *seen)
{
    bool fresh = false;
    for (size_t i = 0; i + 64 <= ncounters && i < COUNTERS_MAX; i += 64) {
        uint64_t chunk[8];
        memcpy(chunk, counters + i, sizeof chunk);
        if ((chunk[0] | chunk[1] | chunk[2] | chunk[3] | chunk[4] | chunk[5] | chunk[6] |
             chunk[7]) == 0) {
            continue;
        }
        for (size_t k = i; k < i + 64; k++) {
            const unsigned n = counters[k];
            const uint8_t bucket = n == 0 ? 0 : n == 1 ? 1 : n < 4 ? 2 : n < 16 ? 4 : 8;
            fresh = fresh || (bucket & ~seen[k]);
            seen[k] = (uint8_t)(seen[k] | bucket);
        }
    }
    return fresh;
}

/* one input */
static char law_now[80]; /* "" none: what the last input broke */
static bool loud;
static char told[LAWS_MAX][80];
static int ntold;

static bool hear(const char *op, const char *what)
{
    (void)op;
    (void)snprintf(law_now, sizeof law_now, "%s", what);
    return loud;
}

static void run_one(const Input *in)
{
    law_now[0] = 0;
    shared->now = *in;
    (void)LLVMFuzzerTestOneInput(in->bytes, in->n);
}

/* Fewer bytes, and more of them zero, while the law is still broken. */
static void shrink(Input *in, const char *law)
{
    for (bool better = true; better;) {
        better = false;
        for (int how = 0; how < 3; how++) {
            for (size_t at = in->n; at-- > 3;) {
                Input t = *in;
                if (how == 0) {
                    t.n = at;
                } else if (how == 1) {
                    memmove(t.bytes + at, t.bytes + at + 1, t.n - at - 1);
                    t.n--;
                } else if (t.bytes[at] == 0) {
                    continue;
                } else {
                    t.bytes[at] = 0;
                }
                run_one(&t);
                if (strcmp(law_now, law) == 0) {
                    *in = t;
                    better = true;
                }
                at = at > in->n ? in->n : at;
            }
        }
    }
}

static void keep(const Input *in, const char *op, const char *law)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s-%s", dir, op, law);
    for (char *p = path + strlen(dir); *p; p++) {
        *p = *p == ' ' ? '_' : *p;
    }
    FILE *f = fopen(path, "wb");
    if (f) {
        (void)fwrite(in->bytes, 1, in->n, f);
        (void)fclose(f);
    }
}

static void tell(const Input *found, const char *op)
{
    char law[80];
    memcpy(law, law_now, sizeof law);
    for (int i = 0; i < ntold; i++) {
        if (strcmp(told[i], law) == 0) {
            return;
        }
    }
    if (ntold < LAWS_MAX) {
        memcpy(told[ntold++], law, sizeof law);
    }
    Input in = *found;
    shrink(&in, law);
    keep(&in, op, law);
    loud = true;
    run_one(&in);
    loud = false;
    (void)fflush(stderr);
}

/* new inputs */
static unsigned draw(unsigned n)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (unsigned)((rng >> 20) % n);
}

static void mutate(const Pool *pool, Input *in)
{
    for (unsigned k = 1 + draw(6); k > 0; k--) {
        const size_t at = in->n > 3 ? 3 + draw((unsigned)in->n - 3) : 3;
        switch (draw(6)) {
        case 0:
            if (in->n < INPUT_MAX && at <= in->n) {
                memmove(in->bytes + at + 1, in->bytes + at, in->n - at);
                in->bytes[at] = (uint8_t)draw(256);
                in->n++;
            }
            break;
        case 1:
            if (in->n > 4) {
                memmove(in->bytes + at, in->bytes + at + 1, in->n - at - 1);
                in->n--;
            }
            break;
        case 2: { /* the end of another one */
            const Input *other = &pool->inputs[draw((unsigned)pool->n)];
            if (at < other->n) {
                memcpy(in->bytes + at, other->bytes + at, other->n - at);
                in->n = other->n;
            }
            break;
        }
        default:
            if (at < in->n) {
                in->bytes[at] = (uint8_t)(draw(2) ? draw(256) : draw(12));
            }
        }
    }
}

static void next_input(Input *in)
{
    const Pool *pool = &pools[pools[1].n > 0 && draw(4) > 0];
    if (pool->n == 0 || draw(8) == 0) {
        in->n = 3 + draw(INPUT_MAX - 3);
        const unsigned small = draw(3);
        for (size_t i = 3; i < in->n; i++) {
            in->bytes[i] = (uint8_t)draw(small == 0 ? 12 : small == 1 ? 150 : 256);
        }
    } else {
        *in = pool->inputs[draw((unsigned)pool->n)];
        mutate(pool, in);
    }
    memcpy(in->bytes, op_bytes, 3);
}

static double now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void hunt(const char *op, double ms)
{
    const double end = now_ms() + ms;
    Input in;
    for (uint64_t i = 0; i % 16 || now_ms() < end; i++) {
        next_input(&in);
        memset(counters, 0, ncounters);
        run_one(&in);
        shared->rows++;
        shared->accepted += sf_fuzz_reached == 2;
        if (law_now[0]) {
            tell(&in, op);
        } else {
            Pool *pool = &pools[sf_fuzz_reached == 2];
            if (is_new(pool->seen) && pool->n < POOL_MAX) {
                pool->inputs[pool->n++] = in;
            }
        }
    }
}

static uint32_t hash_of(const char *name) /* as fuzz_ops.c picks */
{
    uint32_t h = 2166136261u;
    for (; *name; name++) {
        h = (h ^ (uint32_t)(unsigned char)*name) * 16777619u;
    }
    return (h ^ h >> 24) & 0xffffff;
}

static void hunt_child(const char *op, double ms)
{
    const uint32_t h = hash_of(op);
    for (int i = 0; i < 3; i++) {
        op_bytes[i] = (uint8_t)(h >> (8 * i));
    }
    (void)fflush(NULL);
    shared->now.n = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        (void)alarm((unsigned)(ms / 1000) + 20);
        rng ^= h * UINT64_C(0x9e3779b97f4a7c15);
        hunt(op, ms);
        (void)fflush(NULL);
        _exit(0);
    }
    int status = 0;
    (void)waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) {
        (void)fprintf(stderr, "OP %s: killed by signal %d\n", op, WTERMSIG(status));
        keep(&shared->now, op, WTERMSIG(status) == SIGALRM ? "hangs" : "crashes");
    }
}

/* Says of each file which row it is; a crash ends only the child. */
static void show(const char *path)
{
    FILE *f = fopen(path, "rb");
    Input in = {.n = 0};
    if (f) {
        in.n = fread(in.bytes, 1, sizeof in.bytes, f);
        (void)fclose(f);
    }
    (void)fprintf(stderr, "--- %s\n", path);
    (void)fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        loud = true;
        run_one(&in);
        _exit(0);
    }
    int status = 0;
    (void)waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) {
        (void)fprintf(stderr, "killed by signal %d\n", WTERMSIG(status));
    }
}

int main(int argc, char **argv)
{
    if (argc < 4 && !(argc > 2 && strcmp(argv[1], "--show") == 0)) {
        return 2;
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return 2;
    }
    sf_fuzz_complaint = hear;
    sf_fuzz_start();
    if (strcmp(argv[1], "--show") == 0) {
        for (int i = 2; i < argc; i++) {
            show(argv[i]);
        }
        return 0;
    }
    dir = argv[1];
    (void)mkdir(dir, 0777);
    rng = strtoull(argv[3], NULL, 10) * UINT64_C(0x2545f4914f6cdd1d) + 1;
    if (argc > 4) {
        for (int i = 4; i < argc; i++) {
            hunt_child(argv[i], strtod(argv[2], NULL));
        }
    } else {
        for (int i = 0; i < sf_op_count(); i++) {
            const uint64_t rows = shared->rows, accepted = shared->accepted;
            hunt_child(sf_op_at(i)->def->name, strtod(argv[2], NULL));
            (void)printf("%s %llu %llu\n", sf_op_at(i)->def->name,
                         (unsigned long long)(shared->rows - rows),
                         (unsigned long long)(shared->accepted - accepted));
            (void)fflush(stdout);
        }
    }
    (void)printf("rows %llu, accepted %llu, of %d ops\n", (unsigned long long)shared->rows,
                 (unsigned long long)shared->accepted, sf_op_count());
    return 0;
}
