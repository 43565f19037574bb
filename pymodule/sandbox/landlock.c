/* The landlock layer's rules: files are made and changed below a few folders only, processes
 * outside get no signals, and what must not be read is not. What Landlock can't see is
 * seccomp.c's. */
#ifdef __linux__
#include "pymodule/sandbox/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_CHAR = 1 << 6,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    MAKE_SOCK = 1 << 9,
    MAKE_FIFO = 1 << 10,
    MAKE_BLOCK = 1 << 11,
    MAKE_SYM = 1 << 12,
    REFER = 1 << 13,     /* from 2 on */
    TRUNCATE = 1 << 14,  /* from 3 on */
    IOCTL_DEV = 1 << 15, /* from 5 on */
    OF_FILES = WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
};
enum { SCOPE_ABSTRACT_UNIX = 1, SCOPE_SIGNAL = 2 };

typedef struct RulesetAttr {
    uint64_t fs, net, scoped;
} RulesetAttr;

typedef struct __attribute__((packed)) PathBeneath {
    uint64_t access;
    int32_t parent;
} PathBeneath;

int sfsb_landlock_version(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* ..._VERSION */);
}

static int add_rule(int rules, const char *path, uint64_t access)
{
    struct stat looks;
    PathBeneath rule = {.access = access, .parent = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent < 0)
        return -1;
    int status = fstat(rule.parent, &looks);
    if (status == 0 && !S_ISDIR(looks.st_mode))
        rule.access &= OF_FILES;
    if (status == 0 && rule.access != 0)
        status = (int)syscall(SYS_landlock_add_rule, rules, 1 /* ..._PATH_BENEATH */, &rule, 0);
    int error = errno;
    (void)close(rule.parent);
    errno = error;
    return status;
}

static bool is_within(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Landlock rules can only allow: every folder is readable except those on the way to what must
 * not be read, whose other entries are allowed one by one. */
static void allow_read(int rules, const SfsbPolicy *policy, const char *folder)
{
    char path[PATH_MAX];
    DIR *entries = opendir(folder);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            entry->d_type == DT_LNK ||
            snprintf(path, sizeof path, "%s/%s", folder[1] == '\0' ? "" : folder, entry->d_name) >=
                (int)sizeof path)
            continue;
        bool is_denied = false, leads = false;
        for (char *const *deny = policy->deny_read; *deny; deny++) {
            is_denied = is_denied || strcmp(path, *deny) == 0;
            leads = leads || is_within(*deny, path);
        }
        if (leads && !is_denied)
            allow_read(rules, policy, path);
        else if (!is_denied)
            (void)add_rule(rules, path, READ_FILE);
    }
    (void)closedir(entries);
}

int sfsb_landlock(const SfsbRun *run)
{
    const SfsbPolicy *policy = run->policy;
    int version = sfsb_landlock_version();
    if (version < 1)
        sfsb_fail(run, "Landlock");
    uint64_t writes = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_CHAR | MAKE_DIR | MAKE_REG |
                      MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK | MAKE_SYM;
    writes |= version >= 2 ? REFER : 0;
    writes |= version >= 3 ? TRUNCATE : 0;
    writes |= version >= 5 ? IOCTL_DEV : 0;
    RulesetAttr attr = {.fs = writes};
    if (policy->deny_read[0])
        attr.fs |= READ_FILE;
    if (version >= 6)
        attr.scoped = SCOPE_SIGNAL | (policy->allow_net ? 0U : SCOPE_ABSTRACT_UNIX);
    size_t size = version < 4 ? 8 : version < 6 ? 16 : sizeof attr; /* as much as it knows */
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
    if (rules < 0)
        sfsb_fail(run, "Landlock: making a ruleset");
    if (policy->scratch && add_rule(rules, policy->scratch, writes) < 0)
        sfsb_fail(run, "Landlock: %s", policy->scratch);
    for (char *const *path = policy->allow_write; *path; path++)
        if (add_rule(rules, *path, writes) < 0)
            sfsb_note(run, "%s can't be made writable", *path);
    static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                          "/dev/random", "/dev/urandom", NULL};
    for (const char *const *device = devices; *device; device++)
        (void)add_rule(rules, *device, writes & (WRITE_FILE | TRUNCATE | IOCTL_DEV));
    /* sem_open() makes its files here and nowhere else: multiprocessing could not lock without. */
    (void)add_rule(rules, "/dev/shm", writes & (WRITE_FILE | TRUNCATE | MAKE_REG | REMOVE_FILE));
    if (policy->deny_read[0]) {
        allow_read(rules, policy, "/");
        if (policy->scratch)
            (void)add_rule(rules, policy->scratch, READ_FILE);
    }
    if (syscall(SYS_landlock_restrict_self, rules, 0) < 0)
        sfsb_fail(run, "Landlock: restricting the script");
    (void)close(rules);
    return version;
}
#endif
