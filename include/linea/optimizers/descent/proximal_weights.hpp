// SPDX-License-Identifier: MIT
#pragma once
/// \file The weights for an arbitrary penalty: a plain vector. After each step, every entry takes a
/// proximal step. Cost: O(d) a step.
#include <linea/core/penalty.hpp>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <string_view>

namespace linea::detail::descent {

/// Has the members of ScaledWeights, which documents them.
template <class T, class Penalty>
class ProximalWeights {
 public:
  static constexpr std::string_view name = "proximal";

  ProximalWeights(const Vector<T>& w, T offset, Penalty penalty) : penalty_(std::move(penalty)) {
    reset(w, offset);
  }

  Index size() const { return w_.size(); }
  T offset() const { return offset_.offset; }
  const Vector<T>& weights() const { return w_; }

  void reset(const Vector<T>& w, T offset) {
    replace(w, offset);
    average(offset_.active);
  }
  void replace(const Vector<T>& w, T offset) {
    w_ = w;
    offset_.offset = offset;
  }

  void average(bool on) {
    offset_.restart(on);
    sum_ = detail::filled<detail::DoubleFor<T>>(on ? w_.size() : 0, 0);
  }

  bool has_average() const { return offset_.rounds > 0; }
  T average_offset() const { return offset_.mean(); }
  Vector<T> average_weights() const {
    if (!has_average()) return w_;
    Vector<T> mean(w_.size());
    for (Index j = 0; j < mean.size(); ++j) mean[j] = static_cast<T>(sum_[j] / offset_.rounds);
    return mean;
  }

  template <class Rows>
  T score(const Rows& rows, Index i, Index ahead) {
    return rows.dot(i, w_, ahead) + offset_.offset;
  }

  template <class Rows>
  void shrink(const Rows&, const Step<T>& step) {
    if (step.shrink != 1) w_ *= static_cast<T>(step.shrink);
  }

  template <class Rows>
  void add(const Rows& rows, Index i, T coefficient) {
    rows.add(i, coefficient, w_);
  }

  template <class Rows>
  void complete(const Rows&) {}

  void finish(const Step<T>& step, T offset, double rounds) {
    for (Index j = 0; j < w_.size(); ++j)
      w_[j] = static_cast<T>(of_column(penalty_, j).proximal(w_[j], static_cast<T>(step.size)));
    offset_.offset += offset;
    offset_.count(rounds);
    if (offset_.active)
      for (Index j = 0; j < w_.size(); ++j) sum_[j] += rounds * static_cast<double>(w_[j]);
  }

  void refresh() {}

  template <class Visit>
  void each_state(const Visit& visit) {
    visit("w", w_);
    visit("offset", offset_);
    visit("sum", sum_);
  }

 private:
  Penalty penalty_;
  Vector<T> w_;
  OffsetAverage<T> offset_;
  Vector<double> sum_;  // weighted sum of the averaged iterates
};

}  // namespace linea::detail::descent
