/* What is computed again for the backward pass: tf.recompute_grad, and trials of it. See memory.h.
 * In a graph a tensor that was computed again goes with its last reader. Eager code calls the
 * function again under a tape of its own: what that makes, and the gradient that arrived, are held
 * until the gradients of all its steps are there. */
#include <string.h>

#include "core/analysis/memory_impl.h"

/* The last moment of the backward pass of a stretch. */
static int32_t end_of(const SfLiveness *l, int32_t stretch)
{
    int32_t end = SF_MEMORY_NONE;
    for (int32_t i = l->cut[stretch].first; i < l->cut[stretch].end; i++) {
        const bool own = l->recomputed[i] == stretch;
        end = own && l->back_end[i] > end ? l->back_end[i] : end;
    }
    return end;
}

int32_t sf_memory_gradient_reader(const SfLiveness *l, int32_t step, int32_t from)
{
    const int32_t stretch = l->recomputed ? l->recomputed[from] : SF_MEMORY_NONE;
    if (l->p->steps[from].node->nin == 0) {
        return l->back[from];
    }
    return stretch >= 0 && l->recomputed[step] != stretch && sf_memory_is_on_tape(l, from)
               ? end_of(l, stretch)
               : l->back_end[from];
}

/* Recomputed tensors of a stretch live from the first gradient of the stretch to their last
 * reader. Steps of others may run between its own. */
static void place_stretch(SfLiveness *l, int32_t stretch)
{
    const int32_t first = l->cut[stretch].first, end = l->cut[stretch].end;
    int32_t begins = l->end;
    for (int32_t i = first; i < end; i++) {
        const bool own = l->recomputed[i] == stretch;
        begins = own && l->back[i] >= 0 && l->back[i] < begins ? l->back[i] : begins;
    }
    for (int32_t i = first; i < end; i++) {
        const SfStep *st = &l->p->steps[i];
        for (int k = 0; l->recomputed[i] == stretch && k < st->node->nout; k++) {
            const int32_t slot = st->out + k;
            if (l->again[slot] >= begins && l->buffer[slot] >= 0) {
                SfMemoryBuffer b = l->m->buffers[l->buffer[slot]];
                b.born = begins;
                b.dies = sf_memory_is_on_tape(l, i) ? end_of(l, stretch) : l->again[slot];
                (void)sf_memory_add_buffer(l, b);
            }
        }
    }
}

void sf_memory_place_recomputed(SfLiveness *l)
{
    for (int32_t i = 0; l->recomputed && i < l->ncut; i++) {
        if (l->cut[i].kind == SF_STRETCH_RECOMPUTED) {
            place_stretch(l, i);
        }
    }
}

int32_t sf_memory_number_passes(const SfLiveness *l, int32_t *pass, int32_t *counts)
{
    int32_t n = 0, first = SF_MEMORY_NONE;
    for (int32_t i = 0; i < l->p->nsteps; i++) {
        pass[i] = SF_MEMORY_NONE;
        if (l->back[i] < 0) {
            continue;
        }
        if (first < 0 || l->forward[i] > l->back[first]) { /* that one is over */
            first = i;
            counts[n++] = 0;
        }
        pass[i] = n - 1;
        counts[n - 1]++;
    }
    return n;
}

/* Stretches of each forward pass, of as many steps each, in the place of those of the program. */
SfStatus sf_memory_cut_segments(SfLiveness *l)
{
    const int32_t nsteps = l->p->nsteps;
    const size_t size = ((size_t)nsteps + 1) * sizeof(int32_t);
    int32_t *of = sf_arena_alloc(l->arena, size), *pass = sf_arena_alloc(l->arena, size);
    int32_t *counts = sf_arena_alloc(l->arena, size);
    SF_TRY_ALLOC(of && pass && counts);
    const int32_t npasses = sf_memory_number_passes(l, pass, counts);
    const int32_t most = l->trial.segments;
    SfStretch *cut = sf_arena_alloc(l->arena, ((size_t)npasses * (size_t)most + 1) * sizeof *cut);
    SF_TRY_ALLOC(cut);
    memset(of, 0xff, (size_t)nsteps * sizeof *of);
    int32_t ncut = 0, at = 0, now = SF_MEMORY_NONE;
    for (int32_t i = 0; i < nsteps; i++) {
        if (l->back[i] < 0) {
            continue;
        }
        at = pass[i] == now ? at : 0;
        now = pass[i];
        if (at % (counts[now] / most + 1) == 0) {
            cut[ncut++] = (SfStretch){.first = i, .kind = SF_STRETCH_RECOMPUTED};
        }
        cut[ncut - 1].end = i + 1;
        of[i] = ncut - 1;
        at++;
    }
    l->cut = cut;
    l->ncut = ncut;
    l->recomputed = of;
    return SF_OK;
}

/* The stretches of a session's plan: one for each call of tf.recompute_grad. */
SfStatus sf_memory_find_recomputed(SfLiveness *l)
{
    const SfPlan *p = l->p;
    int32_t ncalls = 0;
    for (int32_t i = 0; i < p->nsteps; i++) {
        const int32_t call = p->steps[i].node->context->recomputed;
        ncalls += call > 0 && (i == 0 || p->steps[i - 1].node->context->recomputed != call);
    }
    if (ncalls == 0) {
        return SF_OK;
    }
    SfStretch *stretches = sf_arena_alloc(l->arena, (size_t)ncalls * sizeof *stretches);
    int32_t *calls = sf_arena_alloc(l->arena, (size_t)ncalls * sizeof *calls);
    int32_t *of = sf_arena_alloc(l->arena, (size_t)p->nsteps * sizeof *of);
    SF_TRY_ALLOC(stretches && calls && of);
    int32_t n = 0, at = 0;
    for (int32_t i = 0; i < p->nsteps; i++) {
        const int32_t call = p->steps[i].node->context->recomputed;
        of[i] = SF_MEMORY_NONE;
        if (call <= 0) {
            continue;
        }
        if (at >= n || calls[at] != call) { /* most often that of the step before */
            for (at = 0; at < n && calls[at] != call; at++) {
            }
        }
        if (at == n) {
            calls[n++] = call;
            stretches[at] = (SfStretch){.first = i, .kind = SF_STRETCH_RECOMPUTED};
        }
        stretches[at].end = i + 1;
        of[i] = at;
    }
    l->stretches = stretches;
    l->nstretches = n;
    l->recomputed = of;
    return SF_OK;
}

/* A copy of each variable in half precision. */
void sf_memory_place_half_copies(SfLiveness *l)
{
    int64_t variables = 0;
    for (int i = 0; i < l->m->nbuffers; i++) {
        variables += l->m->buffers[i].kind == SF_MEMORY_VARIABLE ? l->m->buffers[i].bytes : 0;
    }
    (void)sf_memory_add_buffer(
        l, (SfMemoryBuffer){.dies = l->end, .kind = SF_MEMORY_ACTIVATION, .bytes = variables / 2});
}
