/* Rows of tables whose owner is not known; test_queue_run.c has those that are. */
#include "tests/c/support/op_rows.h"

#define TYPES "key_dtype=string,value_dtype=int64"

static const SfOpCase table_v2[] = {ROW(TYPES, "", "[]:resource")};
SF_OPS_TEST(tables_v2, table_v2, "HashTableV2", "MutableHashTableV2", "AnonymousHashTable",
            "AnonymousMutableHashTable")

static const SfOpCase table[] = {ROW(TYPES, "", "[2]:string_ref")};
SF_OPS_TEST(tables, table, "HashTable", "MutableHashTable")

static const SfOpCase of_tensors[] = {
    ROW(TYPES ",value_shape=[3]", "", "[]:resource"),
    ROW(TYPES ",value_shape=[?]", "",
        "deferred SF129 @value_shape 'Shape [?] is not fully defined' / []"),
    ROW(TYPES ",value_shape=?", "", "[]"),
    ROW(TYPES, "",
        "deferred SF129 @value_shape 'Default value must be a vector, got shape []' / []"),
};
SF_OPS_TEST(tables_of_tensors, of_tensors, "MutableHashTableOfTensorsV2",
            "AnonymousMutableHashTableOfTensors")

static const SfOpCase dense[] = {
    ROW("value_dtype=float,value_shape=[3]", "[2]:int64 [2]:int64", "[]:resource"),
    ROW("value_dtype=float,value_shape=[3]", "[?]:int64 [2]:int64", "[]"),
    ROW("value_dtype=float", "? ?", "[]"),
};
SF_OP_TEST(MutableDenseHashTableV2, dense)

static const SfOpCase find[] = {
    ROW("", "[] [4]:string []:int64", "?:int64"),
    ROW("", "[] [?]:string []:int64", "?"),
    ROW("", "? ? ?", "?"),
    ROW("", "[] [4]:string [1,3]:int64", "SF105 c"),
    ROW("@version=2.21", "[] [4]:string [1,3]:int64", "?"),
    ROW("", "[2] [4]:string []:int64", "SF102 a"),
};
SF_OP_TEST(LookupTableFindV2, find)

static const SfOpCase size[] = {
    ROW("", "[]", "[]:int64"),
    ROW("", "?", "[]"),
    ROW("", "[2]", "SF102 a"),
};
SF_OP_TEST(LookupTableSizeV2, size)

static const SfOpCase export_table[] = {
    ROW("Tkeys=string,Tvalues=int64", "[]", "[?]:string ?:int64"),
    ROW("Tkeys=string,Tvalues=int64", "?", "[?] ?"),
    ROW("Tkeys=string,Tvalues=int64", "[2]", "SF102 a"),
};
SF_OP_TEST(LookupTableExportV2, export_table)

static const SfOpCase insert[] = {
    ROW("", "[] [4]:string [4]:int64", ""),
    ROW("", "[] [?]:string [4]:int64", ""),
    ROW("", "[] [4]:string [5]:int64", ""), /* only the kernel compares */
    ROW("", "? ? ?", ""),
    ROW("", "[2] ? ?", "SF102 a"),
};
SF_OP_TEST(LookupTableInsertV2, insert)

static const SfOpCase initialize[] = {
    ROW("", "[] [4]:string [4]:int64", ""),
    ROW("", "[] [?]:string [4]:int64", ""),
    ROW("", "? ? ?", ""),
    ROW("", "[] [4]:string [5]:int64", "SF107 b.0 c.0"),
    ROW("", "[] [4,4]:string [4,4]:int64", "SF102 b"),
    ROW("@phase=run", "[] [4]:string [5]:int64",
        "SF107 b.0 c.0 'Keys and values must have the same size 4 vs 5'"),
};
SF_OP_TEST(InitializeTableV2, initialize)

static const SfOpCase import_table[] = {
    ROW("", "[] [4]:string [4]:int64", ""),
    ROW("", "[] [?]:string [4]:int64", ""),
    ROW("", "? ? ?", ""),
    ROW("", "[] [4]:string [5]:int64", "SF107 b.0 c.0"),
    ROW("", "[] [4]:string [4,3]:int64", "SF108 b c"),
    ROW("@version=2.21", "[] [4]:string [4,3]:int64", ""),
    ROW("@version=2.21", "[] [4]:string [5]:int64", "SF101 b.0 c.0"),
    ROW("@version=2.21,@phase=eager", "[] []:int64 []", ""),
};
SF_OP_TEST(LookupTableImportV2, import_table)

static const SfOpCase from_file[] = {
    ROW("key_index=-2,value_index=-1", "[] 'vocab.txt'", ""),
    ROW("key_index=-2,value_index=-1", "? ?", ""),
    ROW("key_index=-2,value_index=-1", "[] [2]", "SF102 b"),
};
SF_OP_TEST(InitializeTableFromTextFileV2, from_file)

static const SfOpCase remove_keys[] = {
    ROW("", "[] [4]:string", ""),
    ROW("", "[] [?]:string", ""),
    ROW("", "? ?", ""),
    ROW("", "[] []:string", "SF103 b"),
};
SF_OP_TEST(LookupTableRemoveV2, remove_keys)

static const SfOpCase mutable_hash_table_of_tensors[] = {
    ROW("key_dtype=string,value_dtype=int64,value_shape=[3]", "", "[2]"),
};
SF_OP_TEST(MutableHashTableOfTensors, mutable_hash_table_of_tensors)

static const SfOpCase mutable_dense_hash_table[] = {
    ROW("value_dtype=float", "[]", "[2]"),
    ROW("value_dtype=float", "[?]", "[2]"),
    ROW("value_dtype=float", "?", "[2]"),
};
SF_OP_TEST(MutableDenseHashTable, mutable_dense_hash_table)

static const SfOpCase anonymous_mutable_dense_hash_table[] = {
    ROW("value_dtype=float,value_shape=[3]", "[2]:int64 [2]:int64", "[]"),
    ROW("value_dtype=float,value_shape=[3]", "[?]:int64 [2]:int64", "[]"),
    ROW("value_dtype=float,value_shape=[3]", "?:int64 ?:int64", "[]"),
};
SF_OP_TEST(AnonymousMutableDenseHashTable, anonymous_mutable_dense_hash_table)

static const SfOpCase lookup_table_find[] = {
    ROW("", "[2] [] []", "?"),         ROW("", "[?] [] []", "?"),          ROW("", "? ? ?", "?"),
    ROW("", "[3] [] []", "SF106 a.0"), ROW("", "[2] [] [2,3]", "SF105 c"),
};
SF_OP_TEST(LookupTableFind, lookup_table_find)

static const SfOpCase lookup_table_size[] = {
    ROW("", "[2]", "[]"),
    ROW("", "[?]", "[]"),
    ROW("", "?", "[]"),
    ROW("", "[3]", "SF106 a.0"),
};
SF_OP_TEST(LookupTableSize, lookup_table_size)

static const SfOpCase lookup_table_insert[] = {
    ROW("", "[2] [] []", ""),
    ROW("", "[?] [] []", ""),
    ROW("", "? ? ?", ""),
    ROW("", "[3] [] []", "SF106 a.0"),
};
SF_OP_TEST(LookupTableInsert, lookup_table_insert)

static const SfOpCase lookup_table_import[] = {
    ROW("", "[2] [2] [2]", ""),
    ROW("", "[?] [2] [2]", ""),
    ROW("", "? ? ?", ""),
    ROW("", "[3] [2] [2]", "SF106 a.0"),
};
SF_OP_TEST(LookupTableImport, lookup_table_import)

/* Construction looks at nothing but a reference's handle; the kernel as Insert's does. */
static const SfOpCase import_kernel[] = {
    ROW("", "[2] []:int64 []", ""),
    ROW("", "[2] [1,2]:int64 [5]", ""),
};
SF_OP_TEST(LookupTableImport, import_kernel)

static const SfOpCase lookup_table_export[] = {
    ROW("Tkeys=float,Tvalues=float", "[2]", "[?] ?"),
    ROW("Tkeys=float,Tvalues=float", "[?]", "[?] ?"),
    ROW("Tkeys=float,Tvalues=float", "?", "[?] ?"),
    ROW("Tkeys=float,Tvalues=float", "[3]", "SF106 a.0"),
};
SF_OP_TEST(LookupTableExport, lookup_table_export)

static const SfOpCase initialize_table[] = {
    ROW("", "[2] [2] [2]", ""),
    ROW("", "[?] [2] [2]", ""),
    ROW("", "? ? ?", ""),
    ROW("", "[3] [2] [2]", "SF106 a.0"),
    ROW("", "[2] [3] [2]", "SF107 b.0 c.0"),
    ROW("", "[2] [2] [3]", "SF107 b.0 c.0"),
};
SF_OP_TEST(InitializeTable, initialize_table)

static const SfOpCase initialize_table_from_text_file[] = {
    ROW("key_index=1,value_index=1", "[2] []", ""),
    ROW("key_index=1,value_index=1", "[?] []", ""),
    ROW("key_index=1,value_index=1", "? ?", ""),
    ROW("key_index=1,value_index=1", "[3] []", "SF106 a.0"),
    ROW("key_index=1,value_index=1", "[2] [2]", "SF102 b"),
};
SF_OP_TEST(InitializeTableFromTextFile, initialize_table_from_text_file)

static const SfOpCase initialize_table_from_dataset[] = {
    ROW("", "[] []", ""),
    ROW("", "? ?", ""),
    ROW("", "[2] []", "SF102 a"),
    ROW("", "[] [2]", "SF102 b"),
};
SF_OP_TEST(InitializeTableFromDataset, initialize_table_from_dataset)
