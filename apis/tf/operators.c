/* Python's operators on tensors: tf.Tensor.__add__ and its family. A reflected one (__radd__) is
 * called as Python calls it: the tensor first, then the left operand. */
#include "apis/apis.h"
#include "apis/tf/compose.h"

#include <string.h>

typedef struct Operator {
    const char *scope; /* "add" */
    const char *op;    /* "AddV2"; NULL: judged by dtype and version */
    const char *sign;  /* "+", for the message of TensorFlow 1.8 */
} Operator;

static const Operator operators[] = {
    {"add", NULL, "+"},       {"sub", "Sub", "-"},
    {"mul", "Mul", "*"},      {"div", NULL, "/"},
    {"truediv", NULL, "/"},   {"floordiv", "FloorDiv", "//"},
    {"mod", "FloorMod", "%"}, {"pow", "Pow", "** or pow()"},
    {"matmul", NULL, "@"},    {"and", NULL, "&"},
    {"or", NULL, "|"},        {"xor", NULL, "^"},
};

static const Operator *find_operator(const char *scope)
{
    for (int i = 0; i < SF_ARRAY_LEN(operators); i++) {
        if (strcmp(operators[i].scope, scope) == 0) {
            return &operators[i];
        }
    }
    return &operators[0];
}

static SfStatus bitwise(SfCall *c, const Operator *o, const char *name, SfTensor x, SfTensor y,
                        SfTensor *out)
{
    const bool logical = sf_tensor_dtype(x) == SF_DT_BOOL || sf_api_version(c) < SF_VERSION(2, 0);
    if (o->scope[0] == 'a') {
        return sf_compose_binary(c, logical ? "LogicalAnd" : "BitwiseAnd", name, x, y, out);
    }
    if (o->scope[0] == 'o') {
        return sf_compose_binary(c, logical ? "LogicalOr" : "BitwiseOr", name, x, y, out);
    }
    if (!logical) {
        return sf_compose_binary(c, "BitwiseXor", name, x, y, out);
    }
    SfTensor either, both;
    SF_TRY(sf_compose_binary(c, "LogicalOr", NULL, x, y, &either));
    SF_TRY(sf_compose_binary(c, "LogicalAnd", NULL, x, y, &both));
    SF_TRY(sf_compose_unary(c, "LogicalNot", NULL, both, &both));
    return sf_compose_binary(c, "LogicalAnd", name, either, both, out);
}

static SfStatus compute(SfCall *c, const Operator *o, const char *name, SfTensor x, SfTensor y,
                        SfTensor *out)
{
    const char *op = o->op;
    if (strcmp(o->scope, "truediv") == 0) {
        return sf_compose_truediv(c, x, y, name, out);
    }
    if (strcmp(o->scope, "matmul") == 0) {
        return sf_compose_matmul(c, x, y, false, false, name, out);
    }
    if (strcmp(o->scope, "div") == 0) {
        const bool integers = sf_dtype_is_integer(sf_tensor_dtype(x));
        return sf_compose_binary(c, integers ? "FloorDiv" : "RealDiv", name, x, y, out);
    }
    if (strcmp(o->scope, "add") == 0) {
        const bool old = sf_api_version(c) < SF_VERSION(1, 15);
        op = old || sf_tensor_dtype(x) == SF_DT_STRING ? "Add" : "AddV2";
    }
    return op ? sf_compose_binary(c, op, name, x, y, out) : bitwise(c, o, name, x, y, out);
}

/* The operand that is not the tensor whose operator this is, converted for x op y. */
static SfStatus other_operand(SfCall *c, const Operator *o, const SfArg *a, SfDtype dtype,
                              bool reflected, SfTensor *out)
{
    const int version = sf_api_version(c);
    const char *name = reflected ? "x" : "y";
    const bool by_op = o->op && version >= SF_VERSION(2, 0);
    SfApiError e = {SF_ERR_VALUE, NULL};
    if (a->kind == SF_ARG_TENSOR && version >= SF_VERSION(1, 9)) {
        *out = a->u.tensor;
        return SF_OK;
    }
    if (!reflected && !by_op && version >= SF_VERSION(1, 9)) {
        return sf_api_tensor_hint(c, a, dtype, name, out);
    }
    const SfStatus st =
        sf_convert(c, a, &(SfWant){.dtype = sf_dtype_base(dtype), .name = name}, out, &e);
    if (st != SF_REPORTED || !e.text) {
        return st;
    }
    if (version < SF_VERSION(1, 9) && e.class_ == SF_ERR_TYPE && !reflected) {
        return sf_api_type_error(c, "unsupported operand type(s) for %s: 'Tensor' and '%s'",
                                 o->sign, sf_arg_type_name(c, a));
    }
    if (by_op && !reflected && e.class_ == SF_ERR_TYPE && !sf_api_eager(c)) {
        return sf_api_type_error(c,
                                 "Expected %s passed to parameter 'y' of op '%s', got %s of type "
                                 "'%s' instead. Error: %s",
                                 sf_dtype_name(dtype), o->op, sf_arg_repr(c, a),
                                 sf_arg_type_name(c, a), e.text);
    }
    return sf_api_report(c, &e);
}

static SfStatus operate_in_scope(SfCall *c, const Operator *o, bool reflected, const char *scope,
                                 SfTensor *out)
{
    SfTensor self, other;
    SF_TRY(sf_api_tensor_named(c, &c->args[0], SF_DT_INVALID, reflected ? "y" : "x", &self));
    SF_TRY(other_operand(c, o, &c->args[1], self.dtype, reflected, &other));
    return compute(c, o, scope, reflected ? other : self, reflected ? self : other, out);
}

static SfStatus operate(SfCall *c, bool reflected)
{
    const Operator *o = find_operator(c->sig->row->data);
    SfTensor out = {0};
    SfScope scope;
    SF_TRY(sf_api_scope_enter(c, NULL, o->scope, &scope));
    const SfStatus st = operate_in_scope(c, o, reflected, scope.scope, &out);
    sf_api_scope_exit(c, &scope);
    if (st == SF_OK) {
        sf_return_tensor(c, out);
    }
    return st;
}

static SfStatus api_operator(SfCall *c)
{
    return operate(c, false);
}

static SfStatus api_reflected(SfCall *c)
{
    return operate(c, true);
}

static SfStatus body_invert(SfCall *c, const char *name, SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "x", &x));
    const bool logical = sf_tensor_dtype(x) == SF_DT_BOOL || sf_api_version(c) < SF_VERSION(2, 0);
    return sf_compose_unary(c, logical ? "LogicalNot" : "Invert", name, x, out);
}

static SfStatus body_magnitude(SfCall *c, const char *scope, SfTensor *out)
{
    SfTensor x;
    SF_TRY(sf_compose_arg(c, "x", &x));
    if (!sf_dtype_is_complex(sf_tensor_dtype(x))) {
        return sf_compose_unary(c, "Abs", scope, x, out);
    }
    const bool wide = sf_tensor_dtype(x) == SF_DT_COMPLEX128;
    const SfAttrArg attrs[] = {SF_ATYPE("Tout", wide ? SF_DT_DOUBLE : SF_DT_FLOAT)};
    return sf_api_op(c, "ComplexAbs", scope, &x, 1, attrs, 1, out);
}

/* == and !=: shapes that do not fit are different; tf.equal refuses them. */
static SfStatus api_equality(SfCall *c)
{
    const SfAttrArg attrs[] = {SF_ABOOL("incompatible_shape_error", false)};
    SfTensor in[2], out;
    SF_TRY(sf_api_tensor_named(c, &c->args[0], SF_DT_INVALID, "x", &in[0]));
    SfApiError e = {SF_ERR_VALUE, NULL};
    const SfWant want = {.dtype = sf_dtype_base(in[0].dtype), .name = "y"};
    SfStatus st = SF_OK;
    if (c->args[1].kind == SF_ARG_TENSOR) {
        in[1] = c->args[1].u.tensor; /* of another type: the op refuses it */
    } else {
        st = sf_convert(c, &c->args[1], &want, &in[1], &e);
    }
    if (st != SF_OK) {
        return st == SF_REPORTED && e.text ? sf_api_report(c, &e) : st;
    }
    SF_TRY(sf_api_op(c, c->sig->row->data, NULL, in, 2, attrs, 1, &out));
    sf_return_tensor(c, out);
    return SF_OK;
}

#define OPERATOR(word)                                                                             \
    {"tf.Tensor.__" #word "__", SF_TF12, "x, y", .call = api_operator, .data = #word},             \
    {                                                                                              \
        "tf.Tensor.__r" #word "__", SF_TF12, "y, x", .call = api_reflected, .data = #word          \
    }

/* clang-format off */
static const SfApiRow rows[] = {
    OPERATOR(add),
    OPERATOR(sub),
    OPERATOR(mul),
    OPERATOR(div),
    OPERATOR(truediv),
    OPERATOR(floordiv),
    OPERATOR(mod),
    OPERATOR(pow),
    OPERATOR(matmul),
    OPERATOR(and),
    OPERATOR(or),
    OPERATOR(xor),
    {"tf.Tensor.__neg__", SF_TF12, "x", .op = "Neg"},
    {"tf.Tensor.__abs__", SF_TF12, "x", SF_SCOPED("Abs", body_magnitude)},
    {"tf.Tensor.__invert__", SF_TF12, "x", SF_PLAIN(body_invert)},
    {"tf.Tensor.__lt__", SF_TF12, "x, y", .op = "Less"},
    {"tf.Tensor.__le__", SF_TF12, "x, y", .op = "LessEqual"},
    {"tf.Tensor.__gt__", SF_TF12, "x, y", .op = "Greater"},
    {"tf.Tensor.__ge__", SF_TF12, "x, y", .op = "GreaterEqual"},
    {"tf.Tensor.__eq__", SF_TF12, "x, y", .call = api_equality, .data = "Equal"},
    {"tf.Tensor.__ne__", SF_TF12, "x, y", .call = api_equality, .data = "NotEqual"},
};
/* clang-format on */
const SfApiTable sf_api_operators = {rows, SF_ARRAY_LEN(rows), "operators"};
