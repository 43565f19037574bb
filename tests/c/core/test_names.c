/* unique_name and name_scope. The expectations were printed by TensorFlow 1.8, 1.15 and 2.21. */
#include "core/graph/graph_impl.h"
#include "tests/c/core/kit.h"

#include <stdio.h>
#include <stdlib.h>

/* A script: "name" takes a unique name, "?name" only asks for it, ">name" enters a scope (">" alone
 * leaves to the root), "<" exits, "." asks for the scope. The text of all answers. */
static void play(int version, const char *script, char *out, size_t size)
{
    SfGraph *g = sf_graph_new(version);
    const char *stack[16];
    int depth = 0;
    char word[64];
    out[0] = '\0';
    for (const char *p = script; *p;) {
        const size_t n = strcspn(p, " ");
        memcpy(word, p, n);
        word[n] = '\0';
        p += n + strspn(p + n, " ");
        const char *answer = NULL;
        switch (word[0]) {
        case '>':
            answer = sf_graph_enter_scope(g, word[1] ? word + 1 : NULL, &stack[depth++]);
            break;
        case '<':
            sf_graph_set_scope(g, stack[--depth]);
            continue;
        case '.':
            answer = sf_graph_scope(g);
            break;
        case '?':
            answer = sf_graph_unique_name(g, word + 1, false);
            break;
        default:
            answer = sf_graph_unique_name(g, word, true);
            break;
        }
        cr_assert(answer);
        const size_t at = strlen(out);
        snprintf(out + at, size - at, "%s%s", at ? " " : "", *answer ? answer : "''");
    }
    sf_graph_free(g);
}

typedef struct Row {
    const char *script, *answers;
} Row;

static void check(int version, const Row *rows, int n)
{
    for (int i = 0; i < n; i++) {
        char out[512];
        play(version, rows[i].script, out, sizeof out);
        cr_expect_str_eq(out, rows[i].answers, "%s\n  is   %s\n  want %s", rows[i].script, out,
                         rows[i].answers);
    }
}

static const Row common[] = {
    {"a a a", "a a_1 a_2"},
    {"a_1 a a a_1", "a_1 a a_2 a_1_1"},
    {"?a a ?a ?a a ?b", "a a a_1 a_1 a_1 b"},
    {"a a_1 a_1 a_1_1 a a_1", "a a_1 a_1_1 a_1_1_1 a_2 a_1_2"},
    {">x a a >x a < < >x a < x", "x/ x/a x/a_1 x/x/ x/x/a x_1/ x_1/a x_2"},
    {">x a < >x/ a . < x >x . <", "x/ x/a x/ x/a_1 x x_1 x_2/ x_2"},
    {">x > a . < > a < a <", "x/ '' a '' '' a_1 x/a"},
    {">x >y a < >y a >x/y/ a . < < <", "x/ x/y/ x/y/a x/y_1/ x/y_1/a x/y/ x/y/a_1 x/y"},
    {"x/a >x a < >x a . <", "x/a x/ x/a_1 x_1/ x_1/a x_1"},
    {">x// . a < >a.b -c <", "x// x/ x//a a.b/ a.b/-c"},
};

Test(names, counters_and_scopes)
{
    static const int versions[] = {SF_VERSION(1, 8), SF_VERSION(1, 15), SF_VERSION(2, 21)};
    for (int i = 0; i < SF_ARRAY_LEN(versions); i++) {
        check(versions[i], common, SF_ARRAY_LEN(common));
    }
}

Test(names, case_counts_before_1_13)
{
    static const Row rows[] = {
        {"Foo foo FOO foo_1 foo", "Foo foo FOO foo_1 foo_2"},
        {">Layer W < >layer w . <", "Layer/ Layer/W layer/ layer/w layer"},
    };
    check(SF_VERSION(1, 8), rows, SF_ARRAY_LEN(rows));
    check(SF_VERSION(1, 12), rows, SF_ARRAY_LEN(rows));
}

Test(names, case_is_ignored_from_1_13)
{
    static const Row rows[] = {
        {"Foo foo FOO foo_1 foo", "Foo foo_1 FOO_2 foo_1_1 foo_3"},
        {">Layer W < >layer w . <", "Layer/ Layer/W layer_1/ layer_1/w layer_1"},
    };
    check(SF_VERSION(1, 13), rows, SF_ARRAY_LEN(rows));
    check(SF_VERSION(2, 21), rows, SF_ARRAY_LEN(rows));
}

/* Graph.unique_name, line by line. */
typedef struct Used {
    char name[64];
    int count;
} Used;

static Used *used_of(Used *used, int *n, const char *name, bool case_counts)
{
    char key[64];
    snprintf(key, sizeof key, "%s", name);
    for (char *c = key; *c && !case_counts; c++) {
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 'a' - 'A' : *c);
    }
    for (int i = 0; i < *n; i++) {
        if (strcmp(used[i].name, key) == 0) {
            return &used[i];
        }
    }
    memcpy(used[*n].name, key, sizeof key);
    used[*n].count = 0;
    return &used[(*n)++];
}

static void unique_name(Used *used, int *n, const char *name, bool case_counts, bool mark,
                        char out[64])
{
    Used *base = used_of(used, n, name, case_counts);
    int i = base->count;
    base->count += mark;
    snprintf(out, 64, "%s", name);
    if (i > 0) {
        Used *one = base;
        while (one->count > 0) {
            snprintf(out, 64, "%s_%d", name, i++);
            one = used_of(used, n, out, case_counts);
        }
        one->count = mark;
    }
}

Test(names, are_those_of_tensorflows_algorithm)
{
    static const char *const words[] = {"a",    "A",   "a_1", "a_2",  "A_2",   "a_3", "a_1_1",
                                        "a_01", "a_0", "_1",  "a_",   "1",     "a1",  "a_10",
                                        "b",    "b_2", "b_",  "b__1", "x/a_1", "x/a", "x_1/a"};
    static Used used[4096];
    srand(7);
    for (int round = 0; round < 300; round++) {
        const bool case_counts = round % 2 == 0;
        SfGraph *g = sf_graph_new(case_counts ? SF_VERSION(1, 8) : SF_VERSION(2, 15));
        int n = 0;
        for (int step = 0; step < 60; step++) {
            char want[64];
            const char *word = words[rand() % (1 + rand() % SF_ARRAY_LEN(words))];
            const bool mark = rand() % 4 != 0;
            unique_name(used, &n, word, case_counts, mark, want);
            cr_assert_str_eq(sf_graph_unique_name(g, word, mark), want, "%d %d %s", round, step,
                             word);
        }
        sf_graph_free(g);
    }
}

Test(names, many_and_long_names)
{
    SfGraph *g = sf_graph_new(SF_VERSION(1, 15));
    char text[1200], want[1300];
    memset(text, 'n', sizeof text);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 3000; i++) {
        const char *name = sf_graph_unique_name(g, text, true);
        if (i == 0 || i == 2999) {
            snprintf(want, sizeof want, i ? "%s_%d" : "%s", text, i);
            cr_expect_str_eq(name, want);
        }
        snprintf(want, sizeof want, "v%d", i);
        cr_expect_str_eq(sf_graph_unique_name(g, want, true), want);
    }
    sf_graph_free(g);
}

Test(names, valid_names)
{
    static const struct {
        const char *name;
        bool at_root, inside;
    } rows[] = {
        {"a", true, true},     {"A1_.-/x", true, true},       {".x", true, true},
        {"_x", false, true},   {"-x", false, true},           {"/x", false, true},
        {"a b", false, false}, {"a:0", false, false},         {"", false, true},
        {"9", true, true},     {"caf\xc3\xa9", false, false}, {"a>b", true, true},
    };
    for (int i = 0; i < SF_ARRAY_LEN(rows); i++) {
        cr_expect_eq(sf_name_is_valid(rows[i].name, true), rows[i].at_root, "%s", rows[i].name);
        cr_expect_eq(sf_name_is_valid(rows[i].name, false), rows[i].inside, "%s", rows[i].name);
    }
}

Test(names, of_nodes)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const char *outer, *inner;
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    cr_expect_str_eq(OP(&k, "Relu", NULL, x).node->name, "Relu");
    cr_expect_str_eq(OP(&k, "Relu", NULL, x).node->name, "Relu_1");
    cr_expect_str_eq(OP(&k, "Relu", "relu", x).node->name, "relu_2");
    const char *scope = sf_graph_enter_scope(k.g, "layer", &outer);
    cr_expect_str_eq(OP(&k, "Relu", NULL, x).node->name, "layer/Relu");
    cr_expect_str_eq(OP(&k, "Relu", "_ok_inside", x).node->name, "layer/_ok_inside");
    (void)sf_graph_enter_scope(k.g, "deep", &inner);
    cr_expect_str_eq(OP(&k, "Relu", scope, x).node->name, "layer", "a scope's own last op");
    sf_graph_set_scope(k.g, inner);
    sf_graph_set_scope(k.g, outer);
    cr_expect_str_eq(kit_refused(&k, "Relu", scope, &x, 1, NULL, 0),
                     "Duplicate node name in graph: 'layer'");
    cr_expect_eq(sf_diag_info(k.sink.last->code)->class_, SF_ERR_VALUE);
    kit_close(&k);
}

/* Names of nodes and scopes that were asked for before take a shorter way: the same names. */
Test(names, asked_for_again)
{
    static const char *const words[] = {"a", "A", "a_1", "a_2", "a_1_1", "b", "b_2", "x/a"};
    enum { DEPTH = 4 };
    srand(11);
    for (int round = 0; round < 100; round++) {
        Kit k;
        const int version = round % 2 == 0 ? SF_VERSION(1, 8) : SF_VERSION(2, 15);
        kit_open(&k, version);
        const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
        SfGraph *plain = sf_graph_new(version); /* only unique_name is asked */
        (void)sf_graph_unique_name(plain, "x", true);
        const char *outer[DEPTH], *outer_plain[DEPTH], *previous;
        int depth = 0;
        for (int step = 0; step < 120; step++) {
            const int what = rand() % 10;
            const char *word = words[rand() % (1 + rand() % SF_ARRAY_LEN(words))];
            if (what == 0 && depth > 0) {
                depth--;
                sf_graph_set_scope(k.g, outer[depth]);
                sf_graph_set_scope(plain, outer_plain[depth]);
                continue;
            }
            const char *want = sf_graph_unique_name(plain, word, what != 1);
            if (what == 1) {
                cr_assert_str_eq(sf_graph_unique_name(k.g, word, false), want, "%d %d", round,
                                 step);
            } else if (what == 2) {
                const char *full = sf_graph_enter_scope(k.g, word, &previous);
                cr_assert_eq(strncmp(full, want, strlen(want)), 0, "%s %s", full, want);
                cr_assert_str_eq(full + strlen(want), "/");
                if (depth == DEPTH) {
                    sf_graph_set_scope(k.g, previous);
                    continue;
                }
                outer[depth] = previous;
                outer_plain[depth++] = sf_graph_scope(plain);
                sf_graph_set_scope(plain, want);
            } else {
                cr_assert_str_eq(OP(&k, "Relu", word, x).node->name, want, "%d %d", round, step);
            }
        }
        sf_graph_free(plain);
        kit_close(&k);
    }
}

/* Names of one form, as compositions make them, must not pile up in the table. */
Test(names, lie_near_their_places)
{
    static const char *const pairs[][2] = {
        {"strided_slice", "stack"}, {"concat", "axis"}, {"Reshape", "shape"}, {"layer", "kernel"}};
    for (int i = 0; i < SF_ARRAY_LEN(pairs); i++) {
        SfGraph *g = sf_graph_new(SF_VERSION(2, 15));
        for (int n = 0; n < 600; n++) {
            const char *previous;
            cr_assert(sf_graph_enter_scope(g, pairs[i][0], &previous));
            cr_assert(sf_graph_unique_name(g, pairs[i][1], true));
            sf_graph_set_scope(g, previous);
        }
        uint32_t away = 0;
        for (uint32_t at = 0; at <= g->used_mask; at++) {
            away += g->used[at].name ? (at - g->used[at].hash) & g->used_mask : 0;
        }
        cr_expect_lt(away, 2 * g->used_count, "%s: %u places for %u names", pairs[i][0], away,
                     g->used_count);
        sf_graph_free(g);
    }
}

/* A scope of that name says nothing about what a node may be called. */
Test(names, of_a_scope_are_judged_for_nodes)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    static const char name[] = "a>b";
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    for (int i = 0; i < 4; i++) {
        const char *previous;
        cr_expect(sf_graph_enter_scope(k.g, name, &previous));
        sf_graph_set_scope(k.g, previous);
        cr_expect_str_eq(kit_refused(&k, "Relu", name, &x, 1, NULL, 0),
                         "'a>b' is not a valid scope name");
    }
    kit_close(&k);
}

Test(names, refused)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    cr_expect_str_eq(kit_refused(&k, "Relu", "a b", &x, 1, NULL, 0),
                     "'a b' is not a valid scope name");
    cr_expect_str_eq(kit_refused(&k, "Relu", "_a", &x, 1, NULL, 0),
                     "'_a' is not a valid scope name");
    cr_expect_str_eq(kit_refused(&k, "Relu", "a>b", &x, 1, NULL, 0),
                     "'a>b' is not a valid scope name");
    SfAttrArg attrs[] = {kit_type("dtype", SF_DT_FLOAT),
                         {"value", {.type = SF_ATTR_TENSOR, .set = true}}};
    attrs[1].value.u.tensor.shape = sf_shape_scalar();
    cr_expect_str_eq(kit_refused(&k, "Const", "_a b", NULL, 0, attrs, 2),
                     "'_a b' is not a valid node name");
    kit_close(&k);
    kit_open(&k, SF_VERSION(2, 21));
    const SfTensor y = kit_placeholder(&k, "x>y", SF_DT_FLOAT, "[2]");
    cr_expect_str_eq(kit_refused(&k, "Relu", "_a", &y, 1, NULL, 0),
                     "'_a' is not a valid root scope name. A root scope name has to match the "
                     "following pattern: ^[A-Za-z0-9.][A-Za-z0-9_.\\\\/>-]*$");
    cr_expect_str_eq(kit_refused(&k, "Const", "_a b", NULL, 0, attrs, 2),
                     "`_a b` is not a valid node name. Accepted names conform to Regex "
                     "/re.compile('^[A-Za-z0-9.][A-Za-z0-9_.\\\\\\\\/>-]*$')/");
    kit_close(&k);
}

/* tf.constant(1, name="foo/") takes a name that unique_name has never given away. */
Test(names, exact_names_are_not_marked)
{
    Kit k;
    kit_open(&k, SF_VERSION(1, 15));
    const SfTensor x = kit_placeholder(&k, "x", SF_DT_FLOAT, "[2]");
    cr_expect_str_eq(OP(&k, "Relu", "foo/", x).node->name, "foo");
    cr_expect_str_eq(kit_refused(&k, "Relu", "foo", &x, 1, NULL, 0),
                     "Duplicate node name in graph: 'foo'");
    cr_expect_str_eq(OP(&k, "Relu", "foo", x).node->name, "foo_1");
    for (int i = 0; i < 200; i++) {
        (void)OP(&k, "Relu", "foo", x);
    }
    cr_expect_not_null(sf_graph_find(k.g, "foo_201"));
    kit_close(&k);
}
