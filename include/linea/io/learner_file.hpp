// SPDX-License-Identifier: MIT
#pragma once
/// \file Files of learners: write_learner and read_learner. A learner that is read continues with
/// the same bits as the one that was written.
#include <cmath>  // isfinite
#include <concepts>
#include <filesystem>
#include <istream>
#include <iterator>  // data, size
#include <linea/core/parameters.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/file.hpp>
#include <linea/io/json.hpp>
#include <linea/io/json_document.hpp>
#include <linea/io/output_file.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace linea {
namespace io {

inline constexpr DocumentKind learner_file{"learner", 1};

/// Passes the values of a state by a JsonWriter or JsonReader. A class with a state has
/// each_state(visit), which calls visit(name, value) for each part of the state,
/// visit.demand(condition, "other columns") for what a file must have, and visit.same(name, text)
/// for a text that the file and the class must share.
template <class At>
class StateVisitor {
 public:
  explicit StateVisitor(At& at) : at_(at) {}

  template <class V>
  void operator()(std::string_view name, V& value) const {
    at_.key(name);
    pass(value);
  }
  template <class... Fault>
  void demand(bool holds, const Fault&... fault) const {
    at_.demand_of_last(holds, "the state has ", fault...);
  }
  /// Demands that the file has this text.
  void same(std::string_view name, std::string_view own) const {
    std::string text(own);
    at_.key(name);
    at_.text(text);
    at_.demand_of_last(text == own, "the file has the ", name, " '", text,
                       "', and the learner here '", own, "'");
  }

 private:
  /// Passes the values of a small struct in a long list, without their names.
  struct Unnamed {
    const StateVisitor& all;
    std::size_t& count;

    template <class V>
    void operator()(std::string_view, V& value) const {
      all.at_.demand(all.at_.more(count++, true, false), "expected another number");
      all.pass(value);
    }
  };

  template <class V>
  void pass(V& value) const {
    if constexpr (std::is_floating_point_v<V>) {
      auto number = static_cast<double>(value);
      if constexpr (std::same_as<At, JsonWriter>)  // a learner that has diverged may be read into
        require(std::isfinite(number),
                "write_learner: a number of the state is not finite: the learner has diverged");
      at_.is_float = std::same_as<V, float>;
      at_.number(number);
      value = static_cast<V>(number);
    } else if constexpr (std::is_same_v<V, bool>) {
      at_.flag(value);
    } else if constexpr (std::is_integral_v<V>) {
      at_.whole(value);
    } else if constexpr (requires { std::data(value); }) {
      pass_list(value);
    } else {
      at_.open('{');
      if constexpr (requires { value.loss(); }) same("loss", detail::described(value.loss()));
      if constexpr (requires { value.rule().loss; })
        same("loss", detail::described(value.rule().loss));
      if constexpr (requires { value.rule().penalty; })
        same("penalty", detail::described(value.rule().penalty));
      value.each_state(*this);
      at_.close();
    }
  }

  /// Passes a list. Only a vector of values that have a default can grow or shrink.
  template <class List>
  void pass_list(List& list) const {
    using V = std::remove_cvref_t<decltype(*std::data(list))>;
    constexpr bool is_flat = std::is_arithmetic_v<V>;
    constexpr bool can_grow = requires {
      requires std::default_initializable<V>;
      list.pop_back();
    };
    const auto size = static_cast<std::size_t>(std::size(list));
    std::size_t k = 0;
    at_.open('[');
    for (; at_.more(k, k < size, !is_flat); ++k) {
      if constexpr (can_grow) {
        if (k == list.size()) list.emplace_back();
      } else {
        at_.demand_of_last(k < size, "the list has more values than that of the learner here");
      }
      V& value = std::data(list)[k];
      if constexpr (is_flat || !can_grow) {
        pass(value);
      } else {
        std::size_t count = 0;
        at_.open('[');
        value.each_state(Unnamed{*this, count});
        at_.demand(!at_.more(count, false, false), "expected the end of the list");
      }
    }
    if constexpr (can_grow)
      list.resize(k);
    else
      at_.demand_of_last(k == size, "the list has fewer values than that of the learner here");
  }

  At& at_;
};

/// Reads the state of a learner. Throws before anything changes.
template <class Learner>
void parse_learner(std::string_view text, const std::string& name, Learner& learner) {
  const auto read_into = [&](Learner& target) {
    read_document(learner_file, text, name, "", ": a learner of an older version",
                  [&](JsonReader& at) { StateVisitor<JsonReader>{at}("state", target); });
  };
  Learner trial = learner;
  read_into(trial);
  read_into(learner);
}

}  // namespace io

/// A learner of an optimizer, such as Sgd, an online classifier, or an OnlineEvaluation.
template <class L>
concept StatefulLearner = std::copy_constructible<L> &&
    requires(L& learner, const io::StateVisitor<io::JsonWriter>& visitor) {
  learner.each_state(visitor);
};

/// Writes the whole state of a learner: weights, averages, step sizes, counts, the state of the
/// random order and, of a classifier, the labels. Throws std::invalid_argument for a learner that
/// has diverged and a stream that fails.
template <StatefulLearner L>
void write_learner(std::ostream& out, const L& learner) {
  L state = learner;
  io::write_all("write_learner", out, io::document_text(io::learner_file, [&](io::JsonWriter& at) {
                  io::StateVisitor<io::JsonWriter>{at}("state", state);
                }));
}

/// Writes the learner to a file, which appears under its name when it is complete. Throws also if
/// the file cannot be opened, replaced or written; an existing file is then unchanged.
template <StatefulLearner L>
void write_learner(const std::filesystem::path& path, const L& learner) {
  io::write_file("write_learner", path, [&](std::ostream& out) { write_learner(out, learner); });
}

/// Replaces the state of a learner by that of a file. The learner must have been started as the one
/// of the file was, with the same options: the same objective, number of columns, scalar, step
/// size, order and average. It then takes the same steps, with the same bits. Throws
/// std::invalid_argument, and changes nothing, if the file is damaged or missing, and for another
/// loss, penalty, kind of weights or number of columns; the message has the line and column.
template <StatefulLearner L>
void read_learner(const std::filesystem::path& path, L& learner) {
  const auto bytes = io::read_file("read_learner", path);
  io::parse_learner(bytes.text(), path.string(), learner);
}

/// Reads the learner at the current position of the stream and stops behind it. `name` is the name
/// of the source in messages.
template <StatefulLearner L>
void read_learner(std::istream& in, L& learner, const std::string& name = "stream") {
  io::parse_learner(io::text_of_document(in, name), name, learner);
}

}  // namespace linea
