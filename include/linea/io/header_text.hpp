// SPDX-License-Identifier: MIT
#pragma once
/// \file What headers for deployment are made of: C++ and C as text.
#include <algorithm>  // any_of, min
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>  // snprintf
#include <initializer_list>
#include <linea/core/require.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/write_model_text.hpp>
#include <string>
#include <string_view>
#include <utility>  // pair
#include <vector>

namespace linea::io {

/// Whether the word is in a list that has a blank before, between and after its words.
inline bool is_listed(std::string_view word, std::string_view list) {
  return list.find(" " + std::string(word) + " ") != list.npos;
}

inline bool begins_with_one_of(std::string_view word,
                               std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return word.starts_with(beginning); });
}

/// Is this a word of C++ itself, or a macro of `cmath` or `cstddef`, with all they include?
inline bool is_keyword(std::string_view word) {
  static constexpr std::string_view keywords =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
      "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
      "consteval constexpr constinit continue decltype default delete do double dynamic_cast else "
      "enum errno explicit export extern false float for friend goto if inline int long main "
      "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected "
      "public register reinterpret_cast requires return short signed sizeof static static_assert "
      "static_cast std struct switch template this thread_local throw true try typedef typeid "
      "typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq ";
  static constexpr std::string_view macros =
      " BIG_ENDIAN BYTE_ORDER DOMAIN HUGE INFINITY LITTLE_ENDIAN MAXFLOAT MB_CUR_MAX NAN "
      "NFDBITS NULL OVERFLOW PDP_ENDIAN PLOSS RAND_MAX SING TLOSS UNDERFLOW WCONTINUED WEXITED "
      "WEXITSTATUS WNOHANG WNOWAIT WSTOPPED WSTOPSIG WTERMSIG WUNTRACED X_TLOSS alloca be16toh "
      "be32toh be64toh fpclassify htobe16 htobe32 htobe64 htole16 htole32 htole64 i386 "
      "iscanonical iseqsig isfinite isgreater isgreaterequal isinf isless islessequal "
      "islessgreater isnan isnormal issignaling issubnormal isunordered iszero le16toh le32toh "
      "le64toh linux math_errhandling offsetof signbit unix EOF stderr stdin stdout ";
  return is_listed(word, keywords) || is_listed(word, macros) ||
         begins_with_one_of(word,
                            {"M_", "FP_", "FD_", "HUGE_VAL", "SNAN", "MATH_", "EXIT_", "WIF"});
}

/// Functions and types that `cmath` or `cstddef`, with all they include, may have outside of std:
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

/// Has `cmath` or `cstddef`, with all they include, this name outside of std?
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

/// Writes score, predict, … for samples of both forms.
template <class Stored = StoredModel>
class HeaderFunctions {
 public:
  /// `is_sparse`: are columns without weight left out of the table? Refuses an activation that is
  /// not one of linea's.
  HeaderFunctions(const Stored& model, bool is_sparse)
      : kind_(model.kind),
        is_sparse_(is_sparse),
        has_many_(!is_of_one_function(model.kind)),
        has_chances_(model.part_kind == ModelKind::probabilistic_classifier ||
                     model.kind == ModelKind::softmax),
        weight_(model.is_float ? "static_cast<double>(weights()[" : "weights()["),
        weight_end_(model.is_float ? "])" : "]"),
        activation_(kind_ == ModelKind::activated ? activation_of(model.parts[0]) : "") {}

  void append(ModelWriter& out) const {
    auto& text = out.text();
    if (activation_.starts_with("sigmoid") || (has_chances_ && kind_ != ModelKind::softmax))
      text += sigmoid;
    if (is_sparse_) text += place_of;
    for (const bool is_dense : {true, false}) {
      text +=
          has_many_ ? "\n/// Fills all (functions): <w, x> + b of each.\n" : "\n/// <w, x> + b.\n";
      function(text, has_many_ ? "void scores" : "double score", is_dense, has_many_);
      text += has_many_ ? scores_body(is_dense) : score_body(is_dense);
      append_prediction(text, is_dense);
      if (has_chances_) append_chances(text, is_dense);
    }
  }

 private:
  static constexpr std::string_view sigmoid = R"(
/// 1/(1 + exp(-p)), which never overflows.
inline double sigmoid(double p) {
  const double small = std::exp(-std::fabs(p));
  return (p >= 0 ? 1.0 : small) / (1.0 + small);
}
)";
  static constexpr std::string_view place_of = R"(
/// The position of a column in the tables; `stored` if it is not there.
inline std::size_t place_of(std::size_t column) {
  std::size_t first = 0;
  for (std::size_t last = stored; first < last;) {
    const std::size_t middle = first + (last - first) / 2;
    if (stored_columns()[middle] < column)
      first = middle + 1;
    else
      last = middle;
  }
  return first < stored && stored_columns()[first] == column ? first : stored;
}
)";

  /// The first line of a function of a sample. `fills`: it answers in an array.
  static void function(std::string& text, std::string_view name, bool is_dense, bool fills) {
    if (!is_dense) text += "template <class Column>\n";
    text.append("inline ").append(name);
    text += is_dense ? "(const double* x"
                     : "(const Column* indices, const double* values, std::size_t count";
    text += fills ? ", double* all) {\n" : ") {\n";
  }

  static std::string_view arguments(bool is_dense) {
    return is_dense ? "x" : "indices, values, count";
  }

  /// The loop over the numbers of a sample: `inside` says what to do with number `value` of place j
  /// of the tables.
  std::string loop(bool is_dense, std::string_view inside) const {
    const std::string size = is_sparse_ ? "stored" : "columns";
    std::string text;
    if (is_dense) {
      text = "  for (std::size_t j = 0; j < " + size + "; ++j) {\n    const double value = x[";
      text += is_sparse_ ? "stored_columns()[j]" : "j";
      text += "];\n    ";
    } else {
      text = "  for (std::size_t i = 0; i < count; ++i) {\n    const double value = values[i];\n";
      text += "    const std::size_t j = ";
      text += is_sparse_ ? "place_of(static_cast<std::size_t>(indices[i]));\n"
                         : "static_cast<std::size_t>(indices[i]);\n";
      text += "    if (j < " + size + ")\n      ";
    }
    return text.append(inside).append("\n  }\n");
  }

  std::string score_body(bool is_dense) const {
    const std::string add = "sum += " + weight_ + "j" + weight_end_ + " * value;";
    return "  double sum = 0;\n" + loop(is_dense, add) + "  return sum + offset;\n}\n";
  }

  std::string scores_body(bool is_dense) const {
    const std::string each = "for (std::size_t k = 0; k < functions; ++k) ";
    const std::string add =
        "all[k] += " + weight_ + "j * functions + k" + weight_end_ + " * value;";
    return "  " + each + "all[k] = 0;\n" + loop(is_dense, each + add) + "  " + each +
           "all[k] += offsets()[k];\n}\n";
  }

  void append_prediction(std::string& text, bool is_dense) const {
    const std::string given(arguments(is_dense));
    if (kind_ == ModelKind::linear) return;
    if (kind_ == ModelKind::multi_target) {
      text += "\n/// Fills all (functions): a number for each target.\n";
      function(text, "void predict", is_dense, true);
      text += "  scores(" + given + ", all);\n}\n";
      return;
    }
    const bool has_labels = has_many_ || are_two_classes(kind_);
    text += has_labels ? "\n/// The label; NaN where x is not a number.\n" : "\n/// The target.\n";
    function(text, "double predict", is_dense, false);
    if (has_many_) {
      text += "  double all[functions];\n  scores(" + given + ", all);\n";
      text += R"(  std::size_t best = 0;
  for (std::size_t k = 0; k < functions; ++k) {
    if (std::isnan(all[k])) return all[k];
    if (all[k] > all[best]) best = k;
  }
  return labels()[best];
}
)";
      return;
    }
    text += "  const double p = score(" + given + ");\n  return ";
    text += has_labels ? "p >= 0 ? labels()[1] : p < 0 ? labels()[0] : p" : activation_;
    if (kind_ == ModelKind::regressor) text += "p";
    text += ";\n}\n";
  }

  void append_chances(std::string& text, bool is_dense) const {
    const std::string given(arguments(is_dense));
    if (!has_many_) {
      text += "\n/// The probability of the larger label.\n";
      function(text, "double probability", is_dense, false);
      text += "  return sigmoid(score(" + given + "));\n}\n";
      return;
    }
    text += "\n/// Fills all (functions): the probability of each label. Their sum is 1.\n";
    function(text, "void probabilities", is_dense, true);
    text += "  scores(" + given + ", all);\n";
    text += kind_ == ModelKind::softmax ? softmax_of_all : shares_of_all;
  }

  static constexpr std::string_view softmax_of_all = R"(  double top = all[0];
  for (std::size_t k = 1; k < functions; ++k) top = all[k] > top ? all[k] : top;
  double sum = 0;
  for (std::size_t k = 0; k < functions; ++k) sum += all[k] = std::exp(all[k] - top);
  for (std::size_t k = 0; k < functions; ++k) all[k] /= sum;
}
)";
  static constexpr std::string_view shares_of_all = R"(  double sum = 0;
  for (std::size_t k = 0; k < functions; ++k) sum += all[k] = sigmoid(all[k]);
  for (std::size_t k = 0; k < functions; ++k)
    all[k] = std::isnan(sum) || sum > 0 ? all[k] / sum : 1.0 / functions;
}
)";

  static std::string_view activation_of(const StoredPart& part) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> known{
        {{"identity", "p"},
         {"sigmoid", "sigmoid(p)"},
         {"tanh", "std::tanh(p)"},
         {"exponential", "std::exp(p)"},
         {"hard-threshold", "p >= 0 ? 1.0 : p < 0 ? 0.0 : p"}}};
    for (const auto& [name, text] : known)
      if (part.activation == name) return text;
    refuse("write_header: the activation is ", part.activation,
           ", but a header has those of linea only");
  }

  ModelKind kind_;
  bool is_sparse_;
  bool has_many_;
  bool has_chances_;
  std::string weight_;  ///< in front of its place in the table
  std::string weight_end_;
  std::string_view activation_;
};

}  // namespace linea::io
