/* The outcome of a function that can fail. Invariant: SF_REPORTED means that a sink already
 * holds the diagnostic, and the caller only returns. Owner: none. Source: absl::Status; the sink
 * takes the place of its message. */
#ifndef SF_CORE_STATUS_H
#define SF_CORE_STATUS_H

/* Clang warns on every unused result through the type; gcc knows the attribute for functions
 * only. */
#if defined(__clang__)
#define SF_MUST_USE __attribute__((warn_unused_result))
#else
#define SF_MUST_USE
#endif

/* SF_INTERRUPTED: the user wants to stop (interrupt.h); nothing was reported.
 * SF_UNMODELLED: a check failed that real TensorFlow, which knows more, need not fail: nothing was
 * reported, and the result of the whole call is unknown. Only the api layer gives it. */
typedef enum SfStatus {
    SF_OK = 0,
    SF_REPORTED,
    SF_NOMEM,
    SF_UNMODELLED,
    SF_INTERRUPTED
} SF_MUST_USE SfStatus;

/* Returns early; legal wherever the function owns nothing. */
#define SF_TRY(expr)                                                                               \
    do {                                                                                           \
        SfStatus sf_try_status_ = (expr);                                                          \
        if (sf_try_status_ != SF_OK) {                                                             \
            return sf_try_status_;                                                                 \
        }                                                                                          \
    } while (0)

/* The same for allocations, and for shapes and values: NULL means that memory ran out. */
#define SF_TRY_ALLOC(made)                                                                         \
    do {                                                                                           \
        if (!(made)) {                                                                             \
            return SF_NOMEM;                                                                       \
        }                                                                                          \
    } while (0)

#define SF_ARRAY_LEN(a) ((int)(sizeof(a) / sizeof((a)[0])))

#endif
