/* Reads the text format of protobuf. See pb_text.h. */
#include "core/graphdef/pb_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/graphdef/attr_value.h"
#include "lattice/intern.h"

enum { DEPTH_MAX = 100, NUMBER_MAX = 64, LENGTH_BYTES = 5 };

typedef struct Text {
    const char *p, *end, *start;
    SfBytes *out;
    char *error;
    size_t error_size;
    int depth;
    int status; /* as sf_pbtext_read */
} Text;

/* mistakes */
__attribute__((format(printf, 2, 3))) static bool fail(Text *t, const char *fmt, ...)
{
    if (t->status == 1) {
        int line = 1;
        for (const char *c = t->start; c < t->p; c++) {
            line += *c == '\n';
        }
        const int n = snprintf(t->error, t->error_size, "line %d: ", line);
        va_list list;
        va_start(list, fmt);
        if (n > 0 && (size_t)n < t->error_size) {
            (void)vsnprintf(t->error + n, t->error_size - (size_t)n, fmt, list);
        }
        va_end(list);
        t->status = 0;
    }
    return false;
}

/* writing */
static bool reserve(Text *t, size_t more)
{
    SfBytes *b = t->out;
    if (b->room - b->n >= more) {
        return true;
    }
    size_t room = b->room ? b->room * 2 : 4096;
    while (room - b->n < more) {
        room *= 2;
    }
    char *p = sf_realloc(b->p, room);
    if (!p) {
        t->status = -1;
        return false;
    }
    b->p = p;
    b->room = room;
    return true;
}

static bool write_byte(Text *t, unsigned byte)
{
    if (!reserve(t, 1)) {
        return false;
    }
    t->out->p[t->out->n++] = (char)byte;
    return true;
}

static bool write_varint(Text *t, uint64_t value)
{
    for (; value > 0x7f; value >>= 7) {
        if (!write_byte(t, (unsigned)(value & 0x7f) | 0x80)) {
            return false;
        }
    }
    return write_byte(t, (unsigned)value);
}

static bool write_tag(Text *t, const SfPbField *f, SfWireType wire)
{
    return !f || write_varint(t, (uint64_t)f->number << 3 | wire);
}

static bool write_fixed(Text *t, uint64_t bits, int size)
{
    for (int i = 0; i < size; i++) {
        if (!write_byte(t, (unsigned)(bits >> (8 * i) & 0xff))) {
            return false;
        }
    }
    return true;
}

/* Room for a length that is known when its message is complete; as a varint with padding. */
static bool open_length(Text *t, size_t *at)
{
    *at = t->out->n;
    return write_fixed(t, 0, LENGTH_BYTES);
}

static void close_length(Text *t, size_t at)
{
    uint64_t n = t->out->n - at - LENGTH_BYTES;
    for (int i = 0; i < LENGTH_BYTES; i++, n >>= 7) {
        t->out->p[at + (size_t)i] = (char)((n & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80u : 0u));
    }
}

/* tokens */
static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_space(Text *t)
{
    for (; t->p < t->end; t->p++) {
        if (*t->p == '#') {
            while (t->p < t->end && *t->p != '\n') {
                t->p++;
            }
            if (t->p == t->end) {
                return;
            }
        } else if (!is_blank(*t->p)) {
            return;
        }
    }
}

/* The next character that is no space; 0 at the end. */
static char peek(Text *t)
{
    skip_space(t);
    return t->p < t->end ? *t->p : '\0';
}

static bool take(Text *t, char c)
{
    if (peek(t) != c || t->p == t->end) {
        return false;
    }
    t->p++;
    return true;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A word or number as it stands: letters, digits, and what numbers need. */
static SfSpan take_word(Text *t, bool number)
{
    skip_space(t);
    const char *start = t->p;
    while (
        t->p < t->end &&
        (is_word(*t->p) ||
         (number && (*t->p == '.' || *t->p == '+' ||
                     (*t->p == '-' && (t->p == start || t->p[-1] == 'e' || t->p[-1] == 'E')))))) {
        t->p++;
    }
    return (SfSpan){start, (size_t)(t->p - start)};
}

/* strings */
static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool write_utf8(Text *t, uint32_t code)
{
    if (code < 0x80) {
        return write_byte(t, code);
    }
    if (code < 0x800) {
        return write_byte(t, 0xc0 | code >> 6) && write_byte(t, 0x80 | (code & 0x3f));
    }
    if (code < 0x10000) {
        return write_byte(t, 0xe0 | code >> 12) && write_byte(t, 0x80 | (code >> 6 & 0x3f)) &&
               write_byte(t, 0x80 | (code & 0x3f));
    }
    return write_byte(t, 0xf0 | (code >> 18 & 7)) && write_byte(t, 0x80 | (code >> 12 & 0x3f)) &&
           write_byte(t, 0x80 | (code >> 6 & 0x3f)) && write_byte(t, 0x80 | (code & 0x3f));
}

/* Up to `most` digits of `base`. */
static uint32_t take_digits(Text *t, int most, int base)
{
    uint32_t value = 0;
    for (int i = 0; i < most && t->p < t->end; i++) {
        const int digit = hex(*t->p);
        if (digit < 0 || digit >= base) {
            break;
        }
        value = value * (uint32_t)base + (uint32_t)digit;
        t->p++;
    }
    return value;
}

static bool take_escape(Text *t)
{
    static const char names[] = "abfnrtv?'\"\\", means[] = "\a\b\f\n\r\t\v?'\"\\";
    if (t->p == t->end) {
        return fail(t, "the string does not end");
    }
    const char c = *t->p;
    const char *at = memchr(names, c, sizeof names - 1);
    if (at) {
        t->p++;
        return write_byte(t, (unsigned char)means[at - names]);
    }
    if (c >= '0' && c <= '7') {
        return write_byte(t, take_digits(t, 3, 8) & 0xff);
    }
    t->p++;
    switch (c) {
    case 'x':
    case 'X':
        return write_byte(t, take_digits(t, 2, 16) & 0xff);
    case 'u':
        return write_utf8(t, take_digits(t, 4, 16));
    case 'U':
        return write_utf8(t, take_digits(t, 8, 16));
    default:
        return fail(t, "a string has an unknown escape");
    }
}

/* One or more strings, one after the other, as one field. `f` NULL: skipped. */
static bool take_strings(Text *t, const SfPbField *f)
{
    const size_t before = t->out->n;
    size_t at = 0;
    if (!write_tag(t, f, SF_WIRE_BYTES) || !open_length(t, &at)) {
        return false;
    }
    for (char quote = peek(t); quote == '"' || quote == '\''; quote = peek(t)) {
        t->p++;
        while (t->p < t->end && *t->p != quote && *t->p != '\n') {
            const char c = *t->p++;
            if (!(c == '\\' ? take_escape(t) : write_byte(t, (unsigned char)c))) {
                return false;
            }
        }
        if (t->p == t->end || *t->p != quote) {
            return fail(t, "the string does not end");
        }
        t->p++;
    }
    close_length(t, at);
    t->out->n = f ? t->out->n : before;
    return true;
}

/* values */
/* The word with an end, as the functions of C take it; false: it is no number. */
static bool number_text(SfSpan word, char text[static NUMBER_MAX])
{
    if (word.n == 0 || word.n >= NUMBER_MAX) {
        return false;
    }
    memcpy(text, word.p, word.n);
    text[word.n] = '\0';
    return true;
}

static bool parse_int(SfSpan word, uint64_t *out)
{
    char text[NUMBER_MAX];
    char *end = NULL;
    if (!number_text(word, text)) {
        return false;
    }
    *out = text[0] == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    return *end == '\0';
}

static bool parse_real(SfSpan word, double *out)
{
    char text[NUMBER_MAX];
    char *end = NULL;
    if (!number_text(word, text)) {
        return false;
    }
    *out = strtod(text, &end);
    return end != text && (*end == '\0' || ((*end == 'f' || *end == 'F') && end[1] == '\0'));
}

/* DT_FLOAT, DT_INT32_REF; what is not known is DT_INVALID. */
static uint64_t parse_dtype(SfSpan word)
{
    char name[NUMBER_MAX];
    uint64_t number;
    if (parse_int(word, &number)) {
        return number;
    }
    if (word.n < 4 || word.n >= sizeof name || memcmp(word.p, "DT_", 3) != 0) {
        return SF_DT_INVALID;
    }
    for (size_t i = 3; i < word.n; i++) {
        const char c = word.p[i];
        name[i - 3] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return (uint64_t)sf_dtype_parse(name, word.n - 3);
}

static bool write_word(Text *t, const SfPbField *f, SfSpan word)
{
    uint64_t number = 0;
    double real = 0;
    switch (f->type) {
    case SF_PB_DTYPE:
        return write_tag(t, f, SF_WIRE_VARINT) && write_varint(t, parse_dtype(word));
    case SF_PB_BOOL:
        number = sf_span_is(word, "true") || sf_span_is(word, "True") || sf_span_is(word, "t") ||
                 sf_span_is(word, "1");
        return write_tag(t, f, SF_WIRE_VARINT) && write_varint(t, number);
    case SF_PB_INT:
        if (!parse_int(word, &number)) {
            return fail(t, "'%s' needs an integer", f->name);
        }
        return write_tag(t, f, SF_WIRE_VARINT) && write_varint(t, number);
    case SF_PB_FLOAT:
    case SF_PB_DOUBLE:
        if (!parse_real(word, &real)) {
            return fail(t, "'%s' needs a number", f->name);
        }
        if (f->type == SF_PB_FLOAT) {
            const float narrow = (float)real;
            uint32_t bits;
            memcpy(&bits, &narrow, sizeof bits);
            return write_tag(t, f, SF_WIRE_FIXED32) && write_fixed(t, bits, 4);
        }
        memcpy(&number, &real, sizeof number);
        return write_tag(t, f, SF_WIRE_FIXED64) && write_fixed(t, number, 8);
    case SF_PB_STRING:
    case SF_PB_MESSAGE:
    default:
        return fail(t, "'%s' cannot be a word", f->name);
    }
}

static bool take_fields(Text *t, const SfPbMessage *m, char close);

/* { ... } or < ... >; `f` NULL: skipped. */
static bool take_message(Text *t, const SfPbField *f)
{
    const char open = *t->p++;
    const size_t before = t->out->n;
    size_t at = 0;
    if (f && f->type != SF_PB_MESSAGE) {
        return fail(t, "'%s' is no message", f->name);
    }
    if (++t->depth > DEPTH_MAX) {
        return fail(t, "messages are nested too deeply");
    }
    if (!write_tag(t, f, SF_WIRE_BYTES) || !open_length(t, &at) ||
        !take_fields(t, f ? f->message : NULL, open == '{' ? '}' : '>')) {
        return false;
    }
    close_length(t, at);
    t->out->n = f ? t->out->n : before;
    t->depth--;
    return true;
}

static bool take_value(Text *t, const SfPbField *f)
{
    const char c = peek(t);
    if (c == '{' || c == '<') {
        return take_message(t, f);
    }
    if (c == '"' || c == '\'') {
        return f && f->type != SF_PB_STRING ? fail(t, "'%s' is no string", f->name)
                                            : take_strings(t, f);
    }
    /* "-inf" and "- 1" are two tokens. */
    const bool minus = take(t, '-');
    SfSpan word = take_word(t, true);
    if (word.n == 0) {
        return fail(t, "a value is missing");
    }
    if (!f) {
        return true;
    }
    char text[NUMBER_MAX + 1] = "-";
    if (minus) {
        if (word.n >= NUMBER_MAX) {
            return fail(t, "a number is too long");
        }
        memcpy(text + 1, word.p, word.n);
        word = (SfSpan){text, word.n + 1};
    }
    return write_word(t, f, word);
}

static bool take_list(Text *t, const SfPbField *f)
{
    t->p++;
    while (!take(t, ']')) {
        if (!take_value(t, f)) {
            return false;
        }
        if (!take(t, ',') && peek(t) != ']') {
            return fail(t, "a list needs ',' or ']'");
        }
    }
    return true;
}

/* [type.googleapis.com/x.Y]: an extension, or the content of an Any. */
static bool skip_bracketed_name(Text *t)
{
    while (t->p < t->end && *t->p != ']') {
        t->p++;
    }
    return t->p < t->end ? t->p++ != NULL : fail(t, "']' is missing");
}

/* Fields up to `close` (0: the end of the text). `m` NULL: nothing is known, all is skipped. */
static bool take_fields(Text *t, const SfPbMessage *m, char close)
{
    for (char c = peek(t); t->p < t->end && c != close; c = peek(t)) {
        const SfPbField *f = NULL;
        if (c == '[') {
            if (!skip_bracketed_name(t)) {
                return false;
            }
        } else {
            const SfSpan name = take_word(t, false);
            if (name.n == 0) {
                return fail(t, "the name of a field is missing");
            }
            f = m ? sf_pb_field(m, name) : NULL;
        }
        const bool colon = take(t, ':');
        c = peek(t);
        if (!colon && c != '{' && c != '<') {
            return fail(t, "':' is missing");
        }
        if (!(c == '[' ? take_list(t, f) : take_value(t, f))) {
            return false;
        }
        if (!take(t, ',')) {
            (void)take(t, ';');
        }
    }
    if (close) {
        return take(t, close) ? true : fail(t, "'%c' is missing", close);
    }
    return true;
}

bool sf_pbtext_looks_like(SfSpan file)
{
    const size_t n = file.n < 512 ? file.n : 512;
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)file.p[i];
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
            return false;
        }
    }
    return n > 0;
}

int sf_pbtext_read(SfSpan text, SfModelKind kind, SfBytes *out, char *error, size_t error_size)
{
    *out = (SfBytes){0};
    Text t = {.p = text.p,
              .end = text.p + text.n,
              .start = text.p,
              .out = out,
              .error = error,
              .error_size = error_size,
              .status = 1};
    if (!take_fields(&t, sf_pb_root(kind), '\0') || t.status != 1) {
        sf_free(out->p);
        *out = (SfBytes){0};
        return t.status == 1 ? 0 : t.status;
    }
    return 1;
}
