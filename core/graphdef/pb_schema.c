/* The messages that graph files are made of, as far as they are read here. See pb_text.h.
 * Source:
 * tensorflow/core/framework/{graph,node_def,attr_value,tensor,tensor_shape,function,op_def,
 * versions}.proto, tensorflow/core/protobuf/{meta_graph,saved_model}.proto. */
#include "core/op/op.h"
#include "core/graphdef/pb_text.h"

#define MESSAGE(name) static const SfPbMessage name = {name##_fields, SF_ARRAY_LEN(name##_fields)}

/* clang-format off */
static const SfPbField dim_fields[] = {
    {"size", 1, SF_PB_INT, NULL}, {"name", 2, SF_PB_STRING, NULL},
};
MESSAGE(dim);
static const SfPbField shape_fields[] = {
    {"dim", 2, SF_PB_MESSAGE, &dim}, {"unknown_rank", 3, SF_PB_BOOL, NULL},
};
MESSAGE(shape);
static const SfPbField tensor_fields[] = {
    {"dtype", 1, SF_PB_DTYPE, NULL}, {"tensor_shape", 2, SF_PB_MESSAGE, &shape},
    {"version_number", 3, SF_PB_INT, NULL}, {"tensor_content", 4, SF_PB_STRING, NULL},
    {"float_val", 5, SF_PB_FLOAT, NULL}, {"double_val", 6, SF_PB_DOUBLE, NULL},
    {"int_val", 7, SF_PB_INT, NULL}, {"string_val", 8, SF_PB_STRING, NULL},
    {"scomplex_val", 9, SF_PB_FLOAT, NULL}, {"int64_val", 10, SF_PB_INT, NULL},
    {"bool_val", 11, SF_PB_BOOL, NULL}, {"dcomplex_val", 12, SF_PB_DOUBLE, NULL},
    {"half_val", 13, SF_PB_INT, NULL}, {"uint32_val", 16, SF_PB_INT, NULL},
    {"uint64_val", 17, SF_PB_INT, NULL}, {"float8_val", 18, SF_PB_STRING, NULL},
};
MESSAGE(tensor);

static const SfPbMessage attr_entry; /* a function's attrs are attrs again */
static const SfPbField func_fields[] = {
    {"name", 1, SF_PB_STRING, NULL}, {"attr", 2, SF_PB_MESSAGE, &attr_entry},
};
MESSAGE(func);
static const SfPbField list_fields[] = {
    {"s", 2, SF_PB_STRING, NULL}, {"i", 3, SF_PB_INT, NULL}, {"f", 4, SF_PB_FLOAT, NULL},
    {"b", 5, SF_PB_BOOL, NULL}, {"type", 6, SF_PB_DTYPE, NULL},
    {"shape", 7, SF_PB_MESSAGE, &shape}, {"tensor", 8, SF_PB_MESSAGE, &tensor},
    {"func", 9, SF_PB_MESSAGE, &func},
};
MESSAGE(list);
static const SfPbField attr_fields[] = {
    {"list", 1, SF_PB_MESSAGE, &list}, {"s", 2, SF_PB_STRING, NULL}, {"i", 3, SF_PB_INT, NULL},
    {"f", 4, SF_PB_FLOAT, NULL}, {"b", 5, SF_PB_BOOL, NULL}, {"type", 6, SF_PB_DTYPE, NULL},
    {"shape", 7, SF_PB_MESSAGE, &shape}, {"tensor", 8, SF_PB_MESSAGE, &tensor},
    {"placeholder", 9, SF_PB_STRING, NULL}, {"func", 10, SF_PB_MESSAGE, &func},
};
MESSAGE(attr);
static const SfPbField attr_entry_fields[] = {
    {"key", 1, SF_PB_STRING, NULL}, {"value", 2, SF_PB_MESSAGE, &attr},
};
static const SfPbMessage attr_entry = {attr_entry_fields, SF_ARRAY_LEN(attr_entry_fields)};
static const SfPbField node_fields[] = {
    {"name", 1, SF_PB_STRING, NULL}, {"op", 2, SF_PB_STRING, NULL},
    {"input", 3, SF_PB_STRING, NULL}, {"device", 4, SF_PB_STRING, NULL},
    {"attr", 5, SF_PB_MESSAGE, &attr_entry},
};
MESSAGE(node);

static const SfPbField arg_fields[] = {
    {"name", 1, SF_PB_STRING, NULL}, {"description", 2, SF_PB_STRING, NULL},
    {"type", 3, SF_PB_DTYPE, NULL}, {"type_attr", 4, SF_PB_STRING, NULL},
    {"number_attr", 5, SF_PB_STRING, NULL}, {"type_list_attr", 6, SF_PB_STRING, NULL},
    {"is_ref", 16, SF_PB_BOOL, NULL},
};
MESSAGE(arg);
static const SfPbField op_fields[] = {
    {"name", 1, SF_PB_STRING, NULL}, {"input_arg", 2, SF_PB_MESSAGE, &arg},
    {"output_arg", 3, SF_PB_MESSAGE, &arg}, {"is_stateful", 17, SF_PB_BOOL, NULL},
    {"control_output", 20, SF_PB_STRING, NULL},
};
MESSAGE(op);
static const SfPbField text_entry_fields[] = {
    {"key", 1, SF_PB_STRING, NULL}, {"value", 2, SF_PB_STRING, NULL},
};
MESSAGE(text_entry);
static const SfPbField function_fields[] = {
    {"signature", 1, SF_PB_MESSAGE, &op}, {"node_def", 3, SF_PB_MESSAGE, &node},
    {"ret", 4, SF_PB_MESSAGE, &text_entry}, {"attr", 5, SF_PB_MESSAGE, &attr_entry},
    {"control_ret", 6, SF_PB_MESSAGE, &text_entry},
};
MESSAGE(function);
static const SfPbField library_fields[] = {
    {"function", 1, SF_PB_MESSAGE, &function},
};
MESSAGE(library);
static const SfPbField versions_fields[] = {
    {"producer", 1, SF_PB_INT, NULL}, {"min_consumer", 2, SF_PB_INT, NULL},
    {"bad_consumers", 3, SF_PB_INT, NULL},
};
MESSAGE(versions);
static const SfPbField graph_fields[] = {
    {"node", 1, SF_PB_MESSAGE, &node}, {"library", 2, SF_PB_MESSAGE, &library},
    {"version", 3, SF_PB_INT, NULL}, {"versions", 4, SF_PB_MESSAGE, &versions},
};
MESSAGE(graph);

static const SfPbField info_fields[] = {
    {"meta_graph_version", 1, SF_PB_STRING, NULL}, {"tags", 4, SF_PB_STRING, NULL},
    {"tensorflow_version", 5, SF_PB_STRING, NULL}, {"tensorflow_git_version", 6, SF_PB_STRING,
        NULL},
};
MESSAGE(info);
static const SfPbField meta_fields[] = {
    {"meta_info_def", 1, SF_PB_MESSAGE, &info}, {"graph_def", 2, SF_PB_MESSAGE, &graph},
};
MESSAGE(meta);
static const SfPbField saved_fields[] = {
    {"saved_model_schema_version", 1, SF_PB_INT, NULL}, {"meta_graphs", 2, SF_PB_MESSAGE, &meta},
};
MESSAGE(saved);
/* clang-format on */

const SfPbMessage *sf_pb_root(SfModelKind kind)
{
    return kind == SF_MODEL_GRAPH ? &graph : kind == SF_MODEL_META ? &meta : &saved;
}

const SfPbField *sf_pb_field(const SfPbMessage *m, SfSpan name)
{
    for (int i = 0; i < m->n; i++) {
        if (sf_span_is(name, m->fields[i].name)) {
            return &m->fields[i];
        }
    }
    return NULL;
}
