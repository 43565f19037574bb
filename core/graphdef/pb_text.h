/* The text format of protobuf (.pbtxt), rewritten as wire format: one reader serves both.
 * Invariant: time and memory are linear in the text; nesting is bounded; fields that the schema
 * (pb_schema.c) does not have are skipped, whatever they hold. Owner: the caller frees the bytes
 * with sf_free. Source: protobuf.dev, "Text Format". */
#ifndef SF_CORE_PBTEXT_H
#define SF_CORE_PBTEXT_H

#include "core/graphdef/model.h"

/* Does it look like text? A binary message of these kinds has control characters at its start. */
bool sf_pbtext_looks_like(SfSpan file);
/* 1: *out holds the message; 0: a mistake, said in `error` with its line; -1: no memory. */
int sf_pbtext_read(SfSpan text, SfModelKind kind, SfBytes *out, char *error, size_t error_size);

/* pb_schema.c */
typedef enum SfPbType {
    SF_PB_INT,
    SF_PB_BOOL,
    SF_PB_DTYPE, /* enum DataType */
    SF_PB_FLOAT,
    SF_PB_DOUBLE,
    SF_PB_STRING,
    SF_PB_MESSAGE
} SfPbType;

typedef struct SfPbMessage SfPbMessage;

typedef struct SfPbField {
    const char *name;
    uint32_t number;
    SfPbType type;
    const SfPbMessage *message;
} SfPbField;

struct SfPbMessage {
    const SfPbField *fields;
    int n;
};

const SfPbMessage *sf_pb_root(SfModelKind kind);
const SfPbField *sf_pb_field(const SfPbMessage *m, SfSpan name); /* NULL: none */

#endif
