/* The grammar of signatures and the registry. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/op/port.h"
#include "lattice/intern.h"

static SfStatus infer_none(SfInfer *c)
{
    (void)c;
    return SF_OK;
}

static const SfOpSig *parse(SfArena *a, const char *in, const char *out, const char *attrs,
                            const char **error)
{
    SfOpDef *def = sf_arena_alloc(a, sizeof(*def));
    *def = (SfOpDef){.name = "Op", .inputs = in, .outputs = out, .attrs = attrs};
    return sf_op_parse(def, a, error);
}

static const SfAttrSpec *only_attr(SfArena *a, const char *attrs)
{
    const char *error = NULL;
    const SfOpSig *sig = parse(a, "", "", attrs, &error);
    cr_assert(sig && sig->nattr == 1, "%s: %s", attrs, error ? error : "?");
    return &sig->attrs[0];
}

Test(sig, ports)
{
    SfArena a = {0};
    const char *error;
    const SfOpSig *sig = parse(
        &a, "a: T, values: N * T, x: Tlist, r: Ref(T), axis: int32, n: N * int64",
        "y: Ref(T), z: Ref(N * T), h: resource", "T: type, N: int >= 1, Tlist: list(type)", &error);
    cr_assert(sig, "%s", error);
    cr_expect(sig->nin == 6 && sig->nout == 3 && sig->nattr == 3 && sig->id == -1);
    cr_expect_str_eq(sig->in[1].name, "values");
    cr_expect(sig->in[0].type_attr == 0 && sig->in[0].number_attr == -1);
    cr_expect(sig->in[1].type_attr == 0 && sig->in[1].number_attr == 1);
    cr_expect(sig->in[2].list_attr == 2 && sig->in[2].type_attr == -1);
    cr_expect(sig->in[3].is_ref && sig->in[3].type_attr == 0);
    cr_expect(sig->in[4].dtype == SF_DT_INT32 && sig->in[4].type_attr == -1);
    cr_expect(sig->in[5].dtype == SF_DT_INT64 && sig->in[5].number_attr == 1);
    cr_expect(sig->out[0].is_ref && sig->out[1].is_ref && sig->out[1].number_attr == 1);
    cr_expect(sig->out[2].dtype == SF_DT_RESOURCE);
    cr_expect(sig->attrs[0].inferred && sig->attrs[1].inferred && sig->attrs[2].inferred);
    cr_expect(sig->attrs[1].is_number && !sig->attrs[0].is_number);
    cr_expect(sf_op_attr_index(sig, "Tlist") == 2 && sf_op_attr_index(sig, "Tl") == -1);
    sf_arena_free(&a);
}

Test(sig, an_output_alone_does_not_make_an_attr_inferred)
{
    SfArena a = {0};
    const SfOpSig *sig = parse(&a, NULL, "o: num_split * T", "num_split: int >= 1, T: type,", NULL);
    cr_assert(sig);
    cr_expect(sig->nin == 0 && !sig->attrs[0].inferred && !sig->attrs[1].inferred);
    cr_expect(sig->attrs[0].is_number);
    sf_arena_free(&a);
}

Test(sig, scalar_attrs)
{
    SfArena a = {0};
    const SfAttrSpec *s = only_attr(&a, "N: int >= -2 = 3");
    cr_expect(s->type == SF_ATTR_INT && s->has_minimum && s->minimum == -2);
    cr_expect(s->has_default && s->def.u.i == 3 && !s->def.set);
    s = only_attr(&a, "rate: float = -0.5");
    cr_expect(s->type == SF_ATTR_FLOAT && s->def.u.f == -0.5);
    s = only_attr(&a, "flag: bool = true");
    cr_expect(s->type == SF_ATTR_BOOL && s->def.u.b);
    s = only_attr(&a, "flag: bool=false");
    cr_expect(s->has_default && !s->def.u.b);
    s = only_attr(&a, "name: string = ''");
    cr_expect(s->type == SF_ATTR_STRING && s->def.u.s->len == 0);
    cr_expect_str_eq(s->def.u.s->bytes, "");
    s = only_attr(&a, "format: string = \"NHWC\"");
    cr_expect_str_eq(s->def.u.s->bytes, "NHWC");
    s = only_attr(&a, "dtype: type = DT_FLOAT");
    cr_expect(s->type == SF_ATTR_TYPE && s->def.u.type == SF_DT_FLOAT);
    cr_expect(s->allowed_types == 0 && !s->inferred);
    s = only_attr(&a, "dtype: type = float64");
    cr_expect(s->def.u.type == SF_DT_DOUBLE);
    s = only_attr(&a, "value: tensor");
    cr_expect(s->type == SF_ATTR_TENSOR && !s->has_default);
    s = only_attr(&a, "f: func");
    cr_expect(s->type == SF_ATTR_FUNC);
    sf_arena_free(&a);
}

Test(sig, shape_defaults)
{
    SfArena a = {0};
    cr_expect(only_attr(&a, "shape: shape = {}")->def.u.shape == sf_shape_scalar());
    cr_expect(only_attr(&a, "shape: shape = { unknown_rank: true }")->def.u.shape ==
              sf_shape_unknown());
    cr_expect(only_attr(&a, "shape: shape = ?")->def.u.shape == sf_shape_unknown());
    cr_expect(only_attr(&a, "shape: shape = [2, ?]")->def.u.shape ==
              sf_shape_matrix(2, SF_DIM_UNKNOWN));
    cr_expect(only_attr(&a, "shape: shape = [-1]")->def.u.shape == sf_shape_vector(SF_DIM_UNKNOWN));
    sf_arena_free(&a);
}

Test(sig, sets)
{
    SfArena a = {0};
    const SfAttrSpec *s = only_attr(&a, "T: {half, float} = float");
    cr_expect(s->type == SF_ATTR_TYPE && s->nallowed == 2);
    cr_expect(s->allowed_order[0] == SF_DT_HALF && s->allowed_order[1] == SF_DT_FLOAT);
    cr_expect(s->allowed_types == (UINT64_C(1) << SF_DT_HALF | UINT64_C(1) << SF_DT_FLOAT));
    s = only_attr(&a, "T: numbertype");
    cr_expect(s->nallowed == 19 && !(s->allowed_types >> SF_DT_STRING & 1));
    s = only_attr(&a, "T: {numbertype, variant, float}");
    cr_expect(s->nallowed == 20 && s->allowed_order[19] == SF_DT_VARIANT);
    s = only_attr(&a, "T: realnumbertype");
    cr_expect(s->nallowed == 12 && !(s->allowed_types >> SF_DT_COMPLEX64 & 1));
    s = only_attr(&a, "T: {quantizedtype}");
    cr_expect(s->nallowed == 5);
    s = only_attr(&a, "padding: {'SAME', \"VALID\"} = 'VALID'");
    cr_expect(s->type == SF_ATTR_STRING && s->allowed_strings.n == 2);
    cr_expect_str_eq(s->allowed_strings.items[1]->bytes, "VALID");
    cr_expect_str_eq(s->def.u.s->bytes, "VALID");
    sf_arena_free(&a);
}

Test(sig, lists)
{
    SfArena a = {0};
    const SfAttrSpec *s = only_attr(&a, "strides: list(int) >= 4 = [1, 2, 2, 1]");
    cr_expect(s->type == (SF_ATTR_LIST | SF_ATTR_INT) && s->has_minimum && s->minimum == 4);
    cr_expect(s->def.u.list.n == 4 && s->def.u.list.u.i[2] == 2);
    s = only_attr(&a, "scales: list(float) = []");
    cr_expect(s->has_default && s->def.u.list.n == 0);
    s = only_attr(&a, "b: list(bool) = [true, false]");
    cr_expect(s->def.u.list.n == 2 && s->def.u.list.u.b[0] && !s->def.u.list.u.b[1]);
    s = only_attr(&a, "s: list(string) = ['a', 'bc']");
    cr_expect_str_eq(s->def.u.list.u.s[1]->bytes, "bc");
    s = only_attr(&a, "t: list({int32, string}) = [int32]");
    cr_expect(s->type == (SF_ATTR_LIST | SF_ATTR_TYPE) && s->nallowed == 2);
    cr_expect(s->def.u.list.u.type[0] == SF_DT_INT32);
    s = only_attr(&a, "t: list({'a', 'b'})");
    cr_expect(s->type == (SF_ATTR_LIST | SF_ATTR_STRING) && s->allowed_strings.n == 2);
    s = only_attr(&a, "t: list(shape) = [[2], ?, []]");
    cr_expect(s->def.u.list.n == 3 && s->def.u.list.u.shape[2] == sf_shape_scalar());
    s = only_attr(&a, "t: list(numbertype)");
    cr_expect(s->type == (SF_ATTR_LIST | SF_ATTR_TYPE) && s->nallowed == 19);
    s = only_attr(&a, "f: list(func) = []");
    cr_expect(s->type == (SF_ATTR_LIST | SF_ATTR_FUNC) && s->has_default);
    s = only_attr(&a, "t: list(tensor)");
    cr_expect(s->type == (SF_ATTR_LIST | SF_ATTR_TENSOR));
    sf_arena_free(&a);
}

Test(sig, errors_say_where)
{
    static const char *const bad[][3] = {
        {"a", "", ""},
        {"a:", "", ""},
        {"a: T", "", ""},
        {"a: T b: T", "", "T: type"},
        {"a: N * T", "", "T: type"},
        {"a: N * T", "", "T: type, N: float"},
        {"a: N * L", "", "L: list(type), N: int"},
        {"a: N", "", "N: int"},
        {"a: Ref(T", "", "T: type"},
        {"", "y: what", ""},
        {"", "", "T"},
        {"", "", "T: what"},
        {"", "", "T: {float"},
        {"", "", "T: {what}"},
        {"", "", "T: {float_ref}"},
        {"", "", "T: float32"},
        {"", "", "T: {'a', b}"},
        {"", "", "T: {'a', 'b"},
        {"", "", "N: int >= x"},
        {"", "", "N: int > 3"},
        {"", "", "N: int = 99999999999999999999"},
        {"", "", "N: int = "},
        {"", "", "F: float = x"},
        {"", "", "B: bool = 1"},
        {"", "", "S: string = x"},
        {"", "", "D: type = x"},
        {"", "", "S: shape = [2"},
        {"", "", "S: shape = [2 3]"},
        {"", "", "S: shape = [x]"},
        {"", "", "S: shape = { unknown"},
        {"", "", "S: shape = 3"},
        {"", "", "V: tensor = 3"},
        {"", "", "L: list(int) = [1 2]"},
        {"", "", "L: list(int) = [1,"},
        {"", "", "L: list(int) = 1"},
        {"", "", "L: list(int"},
        {"", "", "L: list(tensor) = [1]"},
        {"", "", "T: type, T: type"},
        {"", "", "T: type; N: int"},
        {"", "", ", T: type"},
    };
    for (int i = 0; i < SF_ARRAY_LEN(bad); i++) {
        SfArena a = {0};
        const char *error = NULL;
        cr_expect(!parse(&a, bad[i][0], bad[i][1], bad[i][2], &error), "%s | %s | %s", bad[i][0],
                  bad[i][1], bad[i][2]);
        cr_expect(error && strncmp(error, "Op: expected ", 13) == 0, "%s", error);
        sf_arena_free(&a);
    }
}

Test(sig, lists_have_a_limit)
{
    SfArena a = {0};
    char text[1000] = "L: list(int) = [";
    for (int i = 0; i < 65; i++) {
        strcat(text, "1,");
    }
    strcat(text, "]");
    const char *error = NULL;
    cr_expect(!parse(&a, "", "", text, &error) && error);
    sf_arena_free(&a);
}

/* the registry */
static const SfOpDef first_ops[] = {
    SF_OP(RegistryOne, .inputs = "a: T", .outputs = "b: T", .attrs = "T: type",
          .infer = infer_none),
    SF_OP(RegistryBroken, .inputs = "a: T", .outputs = "b: T", .infer = infer_none),
};
static const SfOpDef second_ops[] = {
    SF_OP(RegistryTwo, .inputs = "", .outputs = "", .infer = infer_none)};
static const SfOpTable first = {first_ops, SF_ARRAY_LEN(first_ops), "first"};
static const SfOpTable second = {second_ops, SF_ARRAY_LEN(second_ops), "second"};

Test(registry, find_and_number)
{
    sf_ops_reset();
    cr_expect(sf_op_count() == 0 && !sf_op_find("RegistryOne"));
    cr_assert(sf_ops_register(&first) == SF_OK);
    cr_assert(sf_ops_register(&second) == SF_OK);
    cr_assert(sf_ops_register(&first) == SF_OK);
    cr_expect(sf_op_count() == 3);
    const SfOpSig *one = sf_op_find("RegistryOne");
    cr_assert(one);
    cr_expect(one->id == 0 && one->def == &first_ops[0] && sf_op_at(0) == one);
    cr_expect(sf_op_find("RegistryOne") == one);
    cr_expect(!sf_op_find("RegistryBroken") && !sf_op_at(1));
    cr_expect(sf_op_at(2) && sf_op_at(2)->id == 2);
    cr_expect(!sf_op_at(-1) && !sf_op_at(3) && !sf_op_find("registryone") && !sf_op_find(NULL));
    sf_ops_reset();
    cr_expect(sf_op_count() == 0 && !sf_op_find("RegistryOne"));
}

static void *find_many(void *seen)
{
    for (int i = 0; i < 2000; i++) {
        const SfOpSig *sig = sf_op_find("RegistryOne");
        if (!sig || sig->nin != 1 || !sf_op_find("RegistryTwo")) {
            return NULL;
        }
    }
    return seen;
}

Test(registry, threads_see_one_signature)
{
    sf_ops_reset();
    cr_assert(sf_ops_register(&first) == SF_OK && sf_ops_register(&second) == SF_OK);
    pthread_t threads[4];
    int token;
    for (int i = 0; i < SF_ARRAY_LEN(threads); i++) {
        cr_assert(pthread_create(&threads[i], NULL, find_many, &token) == 0);
    }
    for (int i = 0; i < SF_ARRAY_LEN(threads); i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        cr_expect(result == &token);
    }
    sf_ops_reset();
}

/* What is done with attrs and ports, whatever the op. */
Test(attr, elements_names_and_what_is_allowed)
{
    SfArena a = {0};
    const SfAttrSpec *spec = only_attr(&a, "x: list({float, int32}) = [float, int32]");
    const SfAttr other = sf_attr_element(&spec->def, 1);
    cr_expect(other.type == SF_ATTR_TYPE && other.u.type == SF_DT_INT32);
    cr_expect(sf_attr_allows_type(spec, SF_DT_INT32) && !sf_attr_allows_type(spec, SF_DT_HALF));
    cr_expect(sf_attr_allows_type(only_attr(&a, "T: type"), SF_DT_HALF), "no list: any");
    cr_expect_str_eq(sf_attr_type_info(spec->type)->message, "DataType");
    SfAttr kept = spec->def;
    cr_expect(sf_attr_keep(&a, &kept) == SF_OK && kept.u.list.u.type != spec->def.u.list.u.type);
    cr_expect(sf_attr_same(&kept, &spec->def));
    static const char *const names[][2] = {
        {"AddV2", "add_v2"}, {"Conv2DBackpropInput", "conv2d_backprop_input"}, {"LRN", "lrn"}};
    for (int i = 0; i < SF_ARRAY_LEN(names); i++) {
        SfStrbuf t;
        sf_strbuf_init(&t, &a);
        sf_strbuf_python_name(&t, names[i][0]);
        cr_expect_str_eq(sf_strbuf_end(&t), names[i][1]);
    }
    sf_arena_free(&a);
}

Test(attr, flat_inputs_belong_to_ports)
{
    SfArena a = {0};
    const SfOpSig *sig = parse(&a, "a: T, values: N * T, x: L", "y: T",
                               "T: type, N: int = 2, L: list(type) = [float, int32]", NULL);
    cr_assert(sig);
    static const char *const names[] = {"a", "values[0]", "values[1]", "x[0]", "x[1]", "", ""};
    SfTensor inputs[SF_ARRAY_LEN(names)] = {{.dtype = SF_DT_FLOAT}};
    const SfDiagOperand *operands = sf_operands(&a, sig, NULL, inputs, SF_ARRAY_LEN(names));
    for (int i = 0; operands && i < SF_ARRAY_LEN(names); i++) {
        cr_expect_str_eq(operands[i].name, names[i]);
        cr_expect_str_eq(sf_input_name(&a, sig, NULL, i), names[i]);
    }
    cr_expect(operands && operands[0].shape == sf_shape_unknown());
    cr_expect(sf_input_port(sig, NULL, 4, NULL) == 2 && sf_input_port(sig, NULL, 5, NULL) == -1);
    sf_arena_free(&a);
}
