// Compiling one function for more than the baseline instruction set. Included by the x86-64 kernels
// alone, and used only behind a check of CpuFeatures.
//
// Kernels are split into functions of one instruction set each: a lambda or an ordinary template
// inside of them would not inherit it. Helpers are therefore RUNNEL_TARGET_INLINE functions of the
// same set.
#pragma once

// GCC's own header makes "undefined" vectors by initialising a variable with itself (GCC bug
// 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#define RUNNEL_TARGET(features) __attribute__((target(features)))
#define RUNNEL_TARGET_INLINE(features) __attribute__((target(features), always_inline)) inline
