// SPDX-License-Identifier: MIT
#pragma once
/// \file Values to bytes and back, for the state of a run.
#include <algorithm>  // min
#include <cstdint>
#include <cstring>  // memcpy
#include <linea/core/checksum.hpp>
#include <linea/core/point.hpp>
#include <linea/core/processes.hpp>
#include <linea/core/require.hpp>
#include <linea/core/run_state.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>
#include <type_traits>  // is_trivially_copyable
#include <utility>      // move
#include <vector>

namespace linea::core {

/// To be raised whenever a run keeps something else than before.
inline constexpr int state_format = 5;

/// Writes values to bytes, or reads them back: one description of what a class keeps does both,
///
///     void keep(core::StateArchive& archive) { archive(weights_, steps_); }
///
/// Numbers are stored as memory has them, so bits stay; the bytes end with a checksum.
class StateArchive {
 public:
  /// Writes. `function` stands in front of messages.
  explicit StateArchive(std::string_view function) : function_(function), reads_(false) {}
  /// Reads what `finish` has returned. Throws std::invalid_argument for bytes that are damaged.
  StateArchive(std::string_view function, std::string bytes)
      : function_(function), reads_(true), bytes_(std::move(bytes)) {
    std::uint64_t sum = 0;
    const bool is_whole = bytes_.size() >= sizeof sum;
    if (is_whole) {
      end_ = bytes_.size() - sizeof sum;
      std::memcpy(&sum, bytes_.data() + end_, sizeof sum);
    }
    require(is_whole && sum == Checksum(std::string_view(bytes_).substr(0, end_)).value(),
            function_, ": the state is damaged: its checksum is another");
  }

  template <class... A>
  void operator()(A&... values) {
    (keep(values), ...);
  }

  /// A fact that must be the same when the state is read; `what` is its name.
  template <class A>
  void same(std::string_view what, const A& value) {
    A stored = value;
    keep(stored);
    const bool both_nan = stored != stored && value != value;
    require(stored == value || both_nan, function_, ": the state is of a run with ", what, " = ",
            stored, ", but this one has ", value);
  }

  /// Whose state it is, and of which problem.
  void same_problem(std::string_view optimizer, Index samples, Index features) {
    same("an optimizer", std::string(optimizer));
    same("a number of samples", samples);
    same("a number of features", features);
  }

  /// What F a run minimises, and how far.
  void same_goal(double lambda, bool offset, double tolerance) {
    same("lambda", lambda);
    same("an offset", offset);
    same("a tolerance", tolerance);
  }

  bool reads() const { return reads_; }
  /// A number below 2³² that stands for what was written so far.
  double digest() const { return static_cast<double>(Checksum(bytes_).value() >> 32); }
  /// The bytes that were written. Refuses bytes that are left over when reading.
  std::string finish() {
    if (reads_) {
      require(at_ == end_, function_, ": the state has ", end_ - at_, " bytes too many");
      return {};
    }
    const std::uint64_t sum = Checksum(bytes_).value();
    bytes_.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return std::move(bytes_);
  }

 private:
  template <class A>
  void keep(A& value) {
    if constexpr (requires { value.keep(*this); }) {
      value.keep(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<A> && !std::is_pointer_v<A>);
      copy(&value, sizeof value);
    }
  }
  template <class T, int rows, int cols, int options>
  void keep(Eigen::Matrix<T, rows, cols, options>& values) {
    Index shape[] = {values.rows(), values.cols()};
    copy(shape, sizeof shape);
    if (reads_) {
      const Index most = room_for(sizeof(T));
      const bool may_be = (rows < 0 || shape[0] == rows) && (cols < 0 || shape[1] == cols);
      require(may_be && shape[0] >= 0 && shape[1] >= 0 &&
                  (shape[1] == 0 || shape[0] <= most / shape[1]),
              function_, ": the state is cut short");
      values.resize(shape[0], shape[1]);
    }
    copy(values.data(), static_cast<std::size_t>(values.size()) * sizeof(T));
  }
  template <class T>
  void keep(Point<T>& point) {
    (*this)(point.weights, point.offset, point.objective);
  }
  template <class A>
  void keep(std::vector<A>& values) {
    resize(values, sizeof(A));
    if constexpr (std::is_trivially_copyable_v<A>)
      copy(values.data(), values.size() * sizeof(A));
    else
      for (auto& value : values) keep(value);
  }
  void keep(std::string& text) {
    resize(text, 1);
    copy(text.data(), text.size());
  }

  /// Keeps the size of a list; `bytes` is what each of its entries takes at least, or more.
  template <class List>
  void resize(List& list, std::size_t bytes) {
    auto size = static_cast<Index>(list.size());
    copy(&size, sizeof size);
    if (!reads_) return;
    require(size >= 0 && size <= room_for(std::min<std::size_t>(bytes, 8)), function_,
            ": the state is cut short");
    list.resize(static_cast<std::size_t>(size));
  }

  /// How many values of so many bytes are left to read at most.
  Index room_for(std::size_t bytes) const { return static_cast<Index>((end_ - at_) / bytes); }

  void copy(void* values, std::size_t bytes) {
    if (!reads_) {
      bytes_.append(static_cast<const char*>(values), bytes);
      return;
    }
    require(bytes <= end_ - at_, function_, ": the state is cut short");
    if (bytes > 0) std::memcpy(values, bytes_.data() + at_, bytes);
    at_ += bytes;
  }

  std::string function_;
  bool reads_;
  std::string bytes_{};
  std::size_t at_{0};   // of what is read next,
  std::size_t end_{0};  // and where it ends
};

/// Is there a state, of a run of this optimizer? Whether its bytes are whole is not looked at.
inline bool is_state_of(std::string_view optimizer, const RunState* state) {
  constexpr std::size_t front = sizeof state_format + 3 * sizeof(Index);
  return state && state->bytes.size() > front &&
         std::string_view(state->bytes).substr(front, optimizer.size()) == optimizer;
}

/// Which rank of how many has left a state: what it keeps is of its own rows.
inline void keep_rank(StateArchive& archive, const Processes& processes) {
  archive.same("a format", state_format);
  archive.same("a number of ranks", processes.size());
  archive.same("the rows of rank", processes.rank());
}

/// Takes up a run from its state, unless that is empty. `keep(archive)` says what it is made of.
/// All ranks must have the states that they left together. `extras`: those of the run.
template <class E, class F>
void take_up(std::string_view function, const E& extras, const F& keep) {
  if (!extras.state) return;
  const RunState& state = *extras.state;
  const Processes& all = extras.processes;
  const bool is_begun = all.any(!state.empty());
  if (!is_begun) return;
  require(!state.empty(), function, ": the state is empty, but those of other ranks are not");
  StateArchive archive(function, state.bytes);
  keep_rank(archive, all);
  keep(archive);
  double moment = 0;
  archive(moment);
  archive.finish();
  require(all.smallest(moment) == all.largest(moment), function,
          ": the states of the ranks are not of one moment");
}

/// Leaves the state of a run, where one is asked for.
template <class E, class F>
void leave(std::string_view function, const E& extras, const F& keep) {
  if (!extras.state) return;
  StateArchive archive(function);
  keep_rank(archive, extras.processes);
  keep(archive);
  double moment = extras.processes.sum(archive.digest());
  archive(moment);
  extras.state->bytes = archive.finish();
}

}  // namespace linea::core
