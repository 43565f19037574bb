/* Diagnostics: the table of codes, words from templates, what a sink keeps. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/op/diag.h"

Test(diag, codes_are_unique_and_well_formed)
{
    for (int i = 0; i < SF_DIAG_COUNT; i++) {
        const SfDiagInfo *info = sf_diag_info((SfDiagCode)i);
        cr_expect(strncmp(info->id, "SF", 2) == 0 && strlen(info->id) == 5, "%s", info->id);
        cr_expect(info->message[0] != '\0');
        const char series = info->id[2];
        const bool of_check = strcmp(info->id, "SF907") == 0; /* a warning among the notices */
        const bool warns = series == '5' || series == '6' || of_check;
        if (series != '7') { /* those of frameworks that differ are of every severity */
            cr_expect(warns == (info->severity == SF_WARNING), "%s", info->id);
            cr_expect((series == '9' && !of_check) == (info->severity == SF_NOTE), "%s", info->id);
        }
        for (int k = 0; k < i; k++) {
            cr_expect_str_neq(info->id, sf_diag_info((SfDiagCode)k)->id);
        }
    }
    cr_expect(!sf_diag_info(SF_DIAG_COUNT));
    cr_expect_str_eq(sf_diag_info(SF_DIAG_DIM_EQUAL)->id, "SF101");
    cr_expect_str_eq(sf_diag_info(SF_DIAG_DIM_EQUAL)->name, "DIM_EQUAL");
}

Test(diag, message)
{
    SfArena a = {0};
    const SfDim n = sf_dim_symbol("n");
    const SfDiagArg dims[] = {SF_DIM_ARG(3), SF_DIM_ARG(n)};
    cr_expect_str_eq(sf_diag_message(&a, SF_DIAG_DIM_EQUAL, dims, 2),
                     "Dimensions must be equal, but are 3 and ?");
    const SfDiagArg shapes[] = {SF_SHAPE_ARG(sf_shape_matrix(2, n)),
                                SF_SHAPE_ARG(sf_shape_unknown())};
    cr_expect_str_eq(sf_diag_message(&a, SF_DIAG_BROADCAST, shapes, 2),
                     "Incompatible shapes: [2,?] vs. <unknown>");
    const SfDiagArg mixed[] = {SF_TEXT_ARG("x"), SF_DTYPE_ARG(SF_DT_FLOAT)};
    cr_expect_str_eq(sf_diag_message(&a, SF_DIAG_NOT_FED, mixed, 2),
                     "You must feed a value for placeholder tensor 'x' with dtype float");
    const SfDiagArg number[] = {SF_FLOAT_ARG(0.1)};
    cr_expect_str_eq(sf_diag_message(&a, SF_DIAG_OP_SHAPE, number, 1), "0.1");
    const SfDiagArg third[] = {SF_FLOAT_ARG(1.0 / 3)};
    cr_expect_str_eq(sf_diag_message(&a, SF_DIAG_OP_SHAPE, third, 1), "0.333333343");
    const SfDiagArg none[] = {SF_TEXT_ARG(NULL)};
    cr_expect_str_eq(sf_diag_message(&a, SF_DIAG_OP_SHAPE, none, 1), "");
    cr_expect_str_eq(sf_diag_message(&a, SF_DIAG_DIM_EQUAL, dims, 1),
                     "Dimensions must be equal, but are 3 and {1}");
    sf_arena_free(&a);
}

Test(diag, sink_copies_what_it_keeps)
{
    SfSink s;
    sf_sink_init(&s);
    char name[16] = "MatMul", text[16] = "words", attr[8] = "axis", arg[8] = "arg";
    SfPlace places[] = {SF_AXIS(0, 1), SF_ATTR(attr)};
    SfDiagArg args[] = {SF_TEXT_ARG(arg), SF_INT_ARG(4)};
    SfDiagOperand operands[] = {{.name = name, .shape = sf_shape_scalar()}};
    const SfDiag d = {.code = SF_DIAG_OP_SHAPE,
                      .op_type = name,
                      .message = text,
                      .nplaces = 2,
                      .places = places,
                      .nargs = 2,
                      .args = args,
                      .noperands = 1,
                      .operands = operands};
    cr_expect(sf_sink_report(&s, &d) == SF_REPORTED);
    name[0] = text[0] = attr[0] = arg[0] = '?';
    places[0].axis = 9;
    cr_assert(s.count == 1 && s.first == s.last && s.first);
    cr_expect_str_eq(s.first->op_type, "MatMul");
    cr_expect_str_eq(s.first->message, "words");
    cr_expect_str_eq(s.first->places[1].attr, "axis");
    cr_expect(s.first->places[0].axis == 1);
    cr_expect_str_eq(s.first->args[0].u.text, "arg");
    cr_expect_str_eq(s.first->operands[0].name, "MatMul");

    const SfDiagArg dims[] = {SF_DIM_ARG(1), SF_DIM_ARG(2)};
    const SfDiag wordless = {.code = SF_DIAG_DIM_EQUAL, .nargs = 2, .args = dims};
    cr_expect(sf_sink_report(&s, &wordless) == SF_REPORTED);
    cr_expect(s.count == 2 && s.first->next == s.last);
    cr_expect_str_eq(s.last->message, "Dimensions must be equal, but are 1 and 2");

    s.muted = 1;
    cr_expect(sf_sink_report(&s, &d) == SF_REPORTED && s.count == 2);
    s.muted = 0;
    sf_sink_clear(&s);
    cr_expect(s.count == 0 && !s.first && !s.last);
    cr_expect(sf_sink_report(NULL, &d) == SF_REPORTED);
    sf_sink_free(&s);
}
