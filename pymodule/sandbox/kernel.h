/* What the kernel has and an older C library's headers may lack: numbers, flags, small structures.
 * Invariant: values are the kernel's own and never change; a call that this kernel lacks gives
 * ENOSYS.
 * Owner: none, there is no state.
 * Source: the kernel's include/uapi/linux; system calls from 424 on have one number everywhere. */
#ifndef SFSB_KERNEL_H
#define SFSB_KERNEL_H

#include "pymodule/sandbox/process.h"

#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

/* As struct mount_attr, MOUNT_ATTR_... */
typedef struct SfsbMountAttr {
    uint64_t attr_set, attr_clr, propagation, userns_fd;
} SfsbMountAttr;

enum { SFSB_ATTR_RDONLY = 1, SFSB_ATTR_NOSUID = 2, SFSB_ATTR_NODEV = 4, SFSB_ATTR_NOEXEC = 8 };
enum { SFSB_AT_RECURSIVE = 0x8000 };

#endif
