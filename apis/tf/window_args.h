/* Internal to apis/tf: the arguments of convolutions and pools, gathered into attrs.
 * Invariant: attrs point into the SfWindow itself, so it must outlive the op that is made of it.
 * Owner: the stack of the call. Source: tensorflow/python/ops/nn_ops.py (_get_sequence,
 * convert_padding). */
#ifndef SF_APIS_TF_WINDOW_ARGS_H
#define SF_APIS_TF_WINDOW_ARGS_H

#include "apis/tf/compose.h"

enum { SF_WINDOW_MAX = 8, SF_WINDOW_ATTRS = 8 };

typedef struct SfWindow {
    int spatial; /* 1, 2 or 3 axes */
    bool first;  /* channels first: NCHW */
    SfAttrArg attrs[SF_WINDOW_ATTRS];
    int nattrs;
    int64_t values[SF_WINDOW_ATTRS][SF_WINDOW_MAX];
    int64_t pads[2 * SF_WINDOW_MAX];
} SfWindow;

void sf_window_add(SfWindow *w, SfAttrArg attr);
/* Reads data_format into w->first; the op gets it by add_format, when it is not the default. */
SfStatus sf_window_format(SfCall *c, SfWindow *w);
void sf_window_add_format(SfWindow *w, int spatial);
/* One number for all spatial axes, one for each, or all spatial + 2: always all in `out`. */
SfStatus sf_window_sequence(SfCall *c, const SfWindow *w, const char *param, const SfArg *a,
                            int64_t *out);
/* The parameter as a list attr; TensorFlow 1.8 leaves the judgement of its length to the op. */
SfStatus sf_window_add_sequence(SfCall *c, SfWindow *w, const char *param, const char *attr);
/* As `dilations`; ones are the default and are not passed. */
SfStatus sf_window_add_dilations(SfCall *c, SfWindow *w, const char *param);
/* "SAME", "VALID", or a list of pairs: explicit paddings. */
SfStatus sf_window_add_padding(SfCall *c, SfWindow *w);

#endif
