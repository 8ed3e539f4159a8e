// SPDX-License-Identifier: MIT
#pragma once
/// \file The names that a namespace in a written header cannot have.
#include <initializer_list>
#include <string>
#include <string_view>

namespace linea::io {

/// Returns whether `words`, separated by single blanks and between blanks, has the word.
inline bool has_word(std::string_view words, std::string_view word) {
  return words.find(" " + std::string(word) + " ") != words.npos;
}

/// Returns whether `name` can name a namespace inside another one: a letter, then letters, digits
/// and single underscores, but no keyword of C++, no usual macro and not std or main.
inline bool is_identifier(std::string_view name) {
  constexpr std::string_view taken =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
      "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
      "consteval constexpr constinit continue decltype default delete do double dynamic_cast else "
      "enum errno explicit export extern false float for friend goto if inline int long main "
      "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected "
      "public register reinterpret_cast requires return short signed sizeof static static_assert "
      "static_cast std struct switch template this thread_local throw true try typedef typeid "
      "typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq "
      "EXIT_FAILURE EXIT_SUCCESS FP_INFINITE FP_INT_DOWNWARD FP_INT_TONEAREST "
      "FP_INT_TONEARESTFROMZERO FP_INT_TOWARDZERO FP_INT_UPWARD FP_NAN FP_NORMAL FP_SUBNORMAL "
      "FP_ZERO HUGE_VAL HUGE_VALF HUGE_VALL INFINITY MAXFLOAT MB_CUR_MAX NAN "
      "NULL RAND_MAX SNAN SNANF SNANL ";
  const auto is_letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  if (name.empty() || !is_letter(name[0]) || name.find("__") != name.npos) return false;
  for (const char c : name)
    if (!is_letter(c) && !('0' <= c && c <= '9') && c != '_') return false;
  return !has_word(taken, name);
}

/// Returns whether <cmath> or <cstddef>, which may include <stdlib.h> and <sys/types.h>, declares
/// the name outside std, up to rare variants of names. No namespace outside others can have it.
inline bool is_of_c_library(std::string_view name) {
  // Functions of mathematics, of which there are variants for types: sin, sinf, sinl, sinf32, …
  constexpr std::string_view functions =
      " acos acosh asin asinh atan atan2 atanh canonicalize cbrt ceil copysign cos cosh drem erf "
      "erfc exp exp10 exp2 expm1 fabs fdim finite floor fma fmax fmaximum fmaximum_mag "
      "fmaximum_mag_num fmaximum_num fmaxmag fmin fminimum fminimum_mag fminimum_mag_num "
      "fminimum_num fminmag fmod frexp fromfp fromfpx gamma getpayload hypot ilogb isinf isnan j0 "
      "j1 jn ldexp lgamma llogb llrint llround log log10 log1p log2 logb lrint lround modf nan "
      "nearbyint nextafter nextdown nexttoward nextup pow remainder remquo rint round roundeven "
      "scalb scalbln scalbn setpayload setpayloadsig significand sin sincos sinh sqrt strfrom "
      "strto tan tanh tgamma totalorder totalordermag trunc ufromfp ufromfpx y0 y1 yn ";
  constexpr std::string_view others =
      " a64l abort abs aligned_alloc alloca arc4random arc4random_buf arc4random_uniform "
      "at_quick_exit atexit atof atoi atol atoll bsearch calloc canonicalize_file_name clearenv "
      "daddl ddivl dfmal div dmull drand48 dsqrtl dsubl ecvt erand48 exit fadd faddl fcvt fd_mask "
      "fd_set fdiv fdivl ffma ffmal fmul fmull free fsqrt fsqrtl fsub fsubl gcvt getenv getloadavg "
      "getpt getsubopt grantpt initstate iscanonical iseqsig "
      "issignaling iszero issubnormal jrand48 l64a labs lcong48 ldiv llabs lldiv lrand48 malloc "
      "mblen mbstowcs mbtowc mkdtemp mkostemp mkostemps mkstemp mkstemps mktemp mrand48 nrand48 "
      "on_exit posix_memalign posix_openpt pselect ptsname putenv qecvt qfcvt qgcvt qsort "
      "quick_exit rand random realloc reallocarray realpath rpmatch secure_getenv seed48 select "
      "setenv setkey setstate signgam srand srand48 srandom strfromd strtod strtol strtold strtoll "
      "strtoq strtoul strtoull strtouq system timespec timeval timezone u_char u_int u_long u_quad "
      "u_short uint ulong unlockpt unsetenv ushort valloc wcstombs wctomb ";
  if (name.ends_with("_t") || has_word(others, name)) return true;  // POSIX reserves names in _t
  for (const std::string_view end : {"", "f", "l", "f32", "f64", "f128", "f32x", "f64x"})
    if (name.ends_with(end) && has_word(functions, name.substr(0, name.size() - end.size())))
      return true;
  return false;
}

}  // namespace linea::io
