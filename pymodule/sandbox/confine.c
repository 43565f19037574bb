/* S's own steps, after its forks and before it returns to Python: what no layer does without. */
#include "pymodule/sandbox/process.h"

#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static void lower_limit(int resource, rlim_t to)
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
}

void sfsb_confine(SfsbRun *run)
{
    const SfsbPolicy *policy = run->policy;
    (void)setsid();
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 && run->layer != SFSB_NONE)
        sfsb_note(run, "prctl(PR_SET_NO_NEW_PRIVS)");
#endif
    set_limits(policy);
    (void)sigprocmask(SIG_SETMASK, &run->mask, NULL);
    static const char ready[] = "ready\n";
    (void)!write(run->ready_fd, ready, sizeof ready - 1);
    sfsb_close_others(policy->keep_fds, policy->keep_count);
    if (run->ready_fd < 3)
        (void)close(run->ready_fd);
    if (run->status_fd < 3)
        (void)close(run->status_fd);
}
