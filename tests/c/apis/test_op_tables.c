/* Runs the op tables of all files: a Criterion test for each file, hence a process.
 * SF_ROWS=MatMul build/test_apis runs those of one op. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "apis/apis.h"
#include "tests/c/support/op_rows.h"

ParameterizedTestParameters(op_tables, of_a_file)
{
    const int count = sf_rows_file_count();
    int *files = cr_calloc((size_t)count, sizeof *files);
    for (int i = 0; i < count; i++) {
        files[i] = i;
    }
    return cr_make_param_array(int, files, (size_t)count);
}

ParameterizedTest(int *file, op_tables, of_a_file)
{
    cr_assert_eq(sf_apis_init(), SF_OK);
    sf_rows_run_file(*file);
}
