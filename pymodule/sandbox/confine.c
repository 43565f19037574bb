/* S's own steps, after its forks and before it returns to Python: limits, capabilities, filters. */
#include "pymodule/sandbox/process.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#endif

#ifdef __GLIBC__
typedef __rlimit_resource_t Resource; /* an enum */
#else
typedef int Resource;
#endif

static void lower_limit(Resource resource, rlim_t to)
{
    struct rlimit now;
    if (getrlimit(resource, &now) < 0)
        return;
    if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > to)
        now.rlim_cur = to;
    if (now.rlim_max == RLIM_INFINITY || now.rlim_max > to)
        now.rlim_max = to;
    (void)setrlimit(resource, &now);
}

static void set_limits(const SfsbPolicy *policy)
{
    lower_limit(RLIMIT_CORE, 0);
    if (policy->scratch_size > 0)
        lower_limit(RLIMIT_FSIZE, (rlim_t)policy->scratch_size);
#ifdef __linux__
    /* A limit far above the one that is watched. It counts threads, and on older kernels all
     * processes of the user: hence so many more than there are now. */
    struct sysinfo now;
    rlim_t most = sfsb_most_threads(policy);
    if (most > 0 && sysinfo(&now) == 0)
        lower_limit(RLIMIT_NPROC, most + now.procs);
#endif
}

#ifdef __linux__
/* The capabilities that root keeps: to read others' files and, where the overlay takes the
 * change, to write them as outside. In a container, a check by root often runs in a folder of
 * another user. */
static unsigned kept_capabilities(SfsbLayer layer)
{
    unsigned reading = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH;
    if (geteuid() != 0)
        return 0;
    return layer == SFSB_LANDLOCK ? reading : reading | 1U << CAP_CHOWN | 1U << CAP_FOWNER;
}

static int drop_capabilities(SfsbLayer layer)
{
    unsigned keep = kept_capabilities(layer);
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    for (int capability = 0; capability < 64; capability++)
        if (capability >= 32 || !(keep >> capability & 1))
            (void)prctl(PR_CAPBSET_DROP, capability, 0, 0, 0); /* EPERM: there is none to drop */
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{0}, {0}};
    if (syscall(SYS_capget, &header, data) < 0)
        return -1;
    data[0].permitted &= keep;
    data[0].effective = data[0].permitted;
    data[0].inheritable = 0;
    data[1] = (struct __user_cap_data_struct){0};
    return (int)syscall(SYS_capset, &header, data);
}

static void restrict_kernel(const SfsbRun *run)
{
    int landlock = 0;
    if (drop_capabilities(run->layer) < 0 && run->layer <= SFSB_LANDLOCK)
        sfsb_fail(run, "dropping capabilities");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 && run->layer <= SFSB_LANDLOCK)
        sfsb_fail(run, "prctl(PR_SET_NO_NEW_PRIVS)");
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* after the capabilities: their change clears it */
    if (run->layer == SFSB_LANDLOCK)
        landlock = sfsb_landlock(run);
    if (run->layer <= SFSB_LANDLOCK && sfsb_seccomp(run, landlock) < 0)
        sfsb_fail(run, "seccomp");
}
#endif

void sfsb_confine(SfsbRun *run)
{
    const SfsbPolicy *policy = run->policy;
    (void)setsid();
    (void)setpriority(PRIO_PROCESS, 0, run->nice);
    set_limits(policy);
#ifdef __linux__
    restrict_kernel(run);
#endif
    (void)sigprocmask(SIG_SETMASK, &run->mask, NULL);
    static const char ready[] = "ready\n";
    (void)!write(run->ready_fd, ready, sizeof ready - 1);
    sfsb_close_others(policy->keep_fds, policy->keep_count);
    if (run->ready_fd < 3)
        (void)close(run->ready_fd);
    if (run->status_fd < 3)
        (void)close(run->status_fd);
}
