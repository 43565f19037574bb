/* What talks to the runtime: mutexes, sending between devices.
 * Source: resource_variable_ops.cc, data_flow_ops.cc, sendrecv_ops.cc. */
#include "apis/ops/shared/common.h"

/* table */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_STATEFUL_OP(MutexV2, "", "resource: resource",
                   "container: string = '', shared_name: string = ''", sf_infer_scalar),
    SF_STATEFUL_OP(MutexLock, "mutex: resource", "mutex_lock: variant", "", sf_infer_scalar),
    SF_STATEFUL_OP(ConsumeMutexLock, "mutex_lock: variant", "", "", sf_infer_no_output),
    SF_STATEFUL_OP(Send, "tensor: T", "", "T: type, tensor_name: string, send_device: string, "
                   "send_device_incarnation: int, recv_device: string, "
                   "client_terminated: bool = false", sf_infer_no_output),
    SF_STATEFUL_OP(Recv, "", "tensor: tensor_type", "tensor_type: type, tensor_name: string, "
                   "send_device: string, send_device_incarnation: int, recv_device: string, "
                   "client_terminated: bool = false", sf_infer_unknown),
};
/* clang-format on */
const SfOpTable sf_ops_runtime = {ops, SF_ARRAY_LEN(ops), "runtime"};
