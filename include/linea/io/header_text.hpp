// SPDX-License-Identifier: MIT
#pragma once
/// \file Names, numbers and tables as C++11 source.
#include <algorithm>  // any_of, min
#include <cstddef>
#include <cstdint>
#include <cstdio>  // snprintf
#include <initializer_list>
#include <linea/core/require.hpp>
#include <linea/io/model_writer.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea::io {

/// Is the word in a list, with blanks between, before and behind its words?
inline bool is_listed(std::string_view word, std::string_view list) {
  return list.find(" " + std::string(word) + " ") != list.npos;
}

inline bool begins_with_one_of(std::string_view word,
                               std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return word.starts_with(beginning); });
}

/// Is this a word of C++ itself, or a macro of <cmath> or <cstddef>, with all they include?
inline bool is_keyword(std::string_view word) {
  static constexpr std::string_view keywords =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
      "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
      "consteval constexpr constinit continue decltype default delete do double dynamic_cast else "
      "enum errno explicit export extern false float for friend goto if inline int long main "
      "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected "
      "public register reinterpret_cast requires return short signed sizeof static static_assert "
      "static_cast std struct switch template this thread_local throw true try typedef typeid "
      "typename union unsigned using virtual void volatile wchar_t while xor xor_eq ";
  static constexpr std::string_view macros =
      " BIG_ENDIAN BYTE_ORDER DOMAIN HUGE INFINITY LITTLE_ENDIAN MAXFLOAT MB_CUR_MAX NAN NFDBITS "
      "NULL OVERFLOW PDP_ENDIAN PLOSS RAND_MAX SING TLOSS UNDERFLOW WCONTINUED WEXITED "
      "WEXITSTATUS WNOHANG WNOWAIT WSTOPPED WSTOPSIG WTERMSIG WUNTRACED X_TLOSS alloca be16toh "
      "be32toh be64toh fpclassify htobe16 htobe32 htobe64 htole16 htole32 htole64 i386 "
      "iscanonical iseqsig isfinite isgreater isgreaterequal isinf isless islessequal "
      "islessgreater isnan isnormal issignaling issubnormal isunordered iszero le16toh le32toh "
      "le64toh linux math_errhandling offsetof signbit unix ";
  return is_listed(word, keywords) || is_listed(word, macros) ||
         begins_with_one_of(word,
                            {"M_", "FP_", "FD_", "HUGE_VAL", "SNAN", "MATH_", "EXIT_", "WIF"});
}

/// Functions and types that <cmath> or <cstddef>, with all they include, may have outside of std:
/// those of glibc, of other systems and of C23, without the letters that stand for a type of
/// number.
inline constexpr std::string_view names_of_cmath =
    " a64l abort abs acos acosh acospi aligned_alloc arc4random arc4random_buf "
    "arc4random_uniform asin asinh asinpi at_quick_exit atan atan2 atan2pi atanh atanpi atexit "
    "atof atoi atol atoll bsearch cabs calloc canonicalize canonicalize_file_name cbrt ceil "
    "clearenv compoundn copysign cos cosh cospi daemon decodebin decodedec devname div drand48 "
    "drand48_data drem ecvt encodebin encodedec erand48 erf erfc exit exp exp10 exp10m1 exp2 "
    "exp2m1 expm1 fabs fcvt fd_mask fd_set fdim finite floor fma fmax fmaximum fmaximum_mag "
    "fmaximum_mag_num fmaximum_num fmaxmag fmin fminimum fminimum_mag fminimum_mag_num "
    "fminimum_num fminmag fmod free frexp fromfp fromfpx gamma gcvt getbsize getenv getloadavg "
    "getpayload getprogname getpt getsubopt grantpt heapsort hypot ilogb initstate isinf isnan j0 "
    "j1 jn "
    "jrand48 l64a labs lcong48 ldexp ldiv lerp lgamma llabs lldiv llogb llquantexp llrint "
    "llround log log10 log10p1 log1p log2 log2p1 logb logp1 lrand48 lrint lround malloc matherr "
    "mblen mbstowcs mbtowc mergesort mkdtemp mkostemp mkostemp64 mkostemps mkostemps64 mkstemp "
    "mkstemp64 mkstemps mkstemps64 mktemp modf mrand48 nan nearbyint nextafter nextdown "
    "nexttoward nextup nrand48 on_exit posix_memalign posix_openpt pow pow10 pown powr pselect "
    "ptsname putenv qecvt qfcvt qgcvt qsort quantize quantum quick_exit radixsort rand random "
    "random_data realloc reallocarray realpath remainder remquo rint rinttol rootn round "
    "roundeven roundtol rpmatch rsqrt samequantum scalb scalbln scalbn secure_getenv seed48 "
    "select setenv setpayload setpayloadsig setprogname setstate signal signgam significand sin "
    "sincos sinh sinpi sqrt sradixsort srand srand48 sranddev srandom srandomdev system tan "
    "tanh tanpi tgamma timespec timeval totalorder totalordermag trunc u_char u_int u_long "
    "u_short ufromfp ufromfpx uint ulong unlockpt unsetenv ushort valloc wait wait3 wait4 "
    "waitid waitpid wcstombs wctomb y0 y1 yn ";

/// Has <cmath> or <cstddef>, with all they include, this name outside of std?
inline bool is_global_name(std::string_view word) {
  constexpr std::string_view types[] = {"",     "f",    "l",    "f16",   "bf16", "f32", "f64",
                                        "f128", "f32x", "f64x", "f128x", "d32",  "d64", "d128"};
  if (word.ends_with("_t") || begins_with_one_of(word, {"strto", "strfrom"})) return true;
  if (word.ends_with("_r")) word.remove_suffix(2);
  for (const std::string_view type : types) {
    if (!word.ends_with(type)) continue;
    const std::string_view rest = word.substr(0, word.size() - type.size());
    if (is_listed(rest, names_of_cmath)) return true;
    // Arithmetic that is rounded to another type: faddl, f32xmulf64.
    for (const std::string_view to : {"d", "f", "f16", "f32", "f64", "f32x", "f64x"})
      if (rest.starts_with(to) && is_listed(rest.substr(to.size()), " add sub mul div sqrt fma "))
        return true;
  }
  return false;
}

/// Can this name a namespace within another one? A letter, then letters, digits and single
/// underscores.
inline bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  if (name.empty() || !is_letter(name[0]) || is_keyword(name)) return false;
  for (const char c : name)
    if (!is_letter(c) && !('0' <= c && c <= '9') && c != '_') return false;
  return name.find("__") == name.npos;
}

/// The names between "::". Refuses, in the name of `function`, what cannot name a namespace.
template <class Names = std::vector<std::string>>
Names namespaces_of(std::string_view function, std::string_view path) {
  Names names;
  for (std::string_view rest = path; !rest.empty();) {
    const auto end = std::min(rest.find("::"), rest.size());
    names.emplace_back(rest.substr(0, end));
    require(is_identifier(names.back()), function, ": '", path,
            "' cannot name a namespace of C++ in any program");
    rest.remove_prefix(end);
    if (rest.size() > 2) rest.remove_prefix(2);
  }
  return names;
}

/// A text that cannot end a comment, or go on in the next line: printable ASCII without \ and ?.
inline std::string comment_text(std::string_view text) {
  std::string safe(text);
  for (char& c : safe)
    if (c < 0x20 || c > 0x7e || c == '\\' || c == '?') c = '.';
  return safe;
}

/// "text" as a literal: all but letters, digits and a few signs by three octal digits.
inline std::string string_literal(std::string_view text) {
  constexpr std::string_view plain = " !#$&'()*+,-./:;<=>@[]^_`{|}~%";
  std::string literal = "\"";
  for (const char c : text) {
    const bool is_plain = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
                          ('0' <= c && c <= '9') || plain.find(c) != plain.npos;
    if (is_plain) {
      literal += c;
    } else {
      char octal[6];
      std::snprintf(octal, sizeof octal, "\\%03o",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      literal += octal;
    }
  }
  return literal += '"';
}

/// The shortest literal that compiles to the same double, or float.
inline std::string number_literal(double value, bool is_float = false) {
  std::string text =
      is_float ? core::number_text(static_cast<float>(value)) : core::number_text(value);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  if (is_float) text += 'f';
  return text;
}

/// An inline function `name` that returns a table of `type`: `at(k)` are its `size` elements.
template <class At>
void append_table(ModelWriter& out, std::string_view type, std::string_view name, std::size_t size,
                  At&& at) {
  out.text().append("inline const ").append(type).append("* ").append(name).append("() {\n");
  out.text()
      .append("  static constexpr ")
      .append(type)
      .append(" table[")
      .append(core::number_text(size));
  out.text() += "] = {";
  std::size_t column = 100;
  for (std::size_t k = 0; k < size; ++k) {
    const std::string element = at(k);
    const bool is_last = k + 1 == size;
    if (column + 1 + element.size() + (is_last ? 2 : 1) > 100) {
      out.text() += "\n     ";
      column = 5;
    }
    out.text().append(" ").append(element).append(is_last ? "};\n" : ",");
    column += element.size() + 2;
    out.pass_on();
  }
  out.text() += "  return table;\n}\n";
}

}  // namespace linea::io
