/* What talks to the runtime: mutexes, sending between devices.
 * Source: resource_variable_ops.cc, data_flow_ops.cc, sendrecv_ops.cc. */
#include "apis/ops/shared/common.h"

/* table */

/* clang-format off */
static const SfOpDef ops[] = {
    SF_OP(MutexV2,
          .inputs = "",
          .outputs = "resource: resource",
          .attrs = "container: string = '', shared_name: string = ''",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(MutexLock,
          .inputs = "mutex: resource",
          .outputs = "mutex_lock: variant",
          .attrs = "",
          .infer = sf_infer_scalar, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(ConsumeMutexLock,
          .inputs = "mutex_lock: variant",
          .outputs = "",
          .attrs = "",
          .infer = sf_infer_no_output, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(Send,
          .inputs = "tensor: T",
          .outputs = "",
          .attrs = "T: type, tensor_name: string, send_device: string, send_device_incarnation: "
                   "int, recv_device: string, client_terminated: bool = false",
          .infer = sf_infer_no_output, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
    SF_OP(Recv,
          .inputs = "",
          .outputs = "tensor: tensor_type",
          .attrs = "tensor_type: type, tensor_name: string, send_device: string, "
                   "send_device_incarnation: int, recv_device: string, client_terminated: bool = "
                   "false",
          .infer = sf_infer_unknown, .cost = sf_common_cost_none, .flags = SF_OP_STATEFUL, .grad = SF_GRAD_MISSING),
};
/* clang-format on */
const SfOpTable sf_ops_runtime = {ops, SF_ARRAY_LEN(ops), "runtime"};
