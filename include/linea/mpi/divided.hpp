// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples whose rows are divided among processes.
#include <cmath>  // isfinite
#include <linea/core/extras.hpp>
#include <linea/mpi/processes.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/samples/training_set.hpp>
#include <type_traits>  // conditional_t
#include <utility>      // move
#include <vector>

namespace linea::mpi {

/// The rows of this process, with the members that combine all parts: see samples/all_rows.hpp.
template <class Rows>
class DividedRows : public Rows {
 public:
  DividedRows(Rows rows, Processes processes, Processes::Numbering numbering)
      : Rows(std::move(rows)), processes_(std::move(processes)), numbering_(numbering) {}

  const Processes& all() const { return processes_; }
  Index all_rows() const { return numbering_.all; }
  Index first_row() const { return numbering_.first; }

  DividedRows relative_to(const typename Rows::Scalar* origin) const requires
      requires(const Rows& rows) {
    rows.relative_to(origin);
  }
  { return {Rows::relative_to(origin), processes_, numbering_}; }

 private:
  Processes processes_;
  Processes::Numbering numbering_;
};

/// A run as the observer of one process sees it, with objective and gap computed in advance. Every
/// process makes a RunInStep, because computing objective and gap may take sums over all processes.
class RunInStep final : public ObservedRun {
 public:
  explicit RunInStep(const ObservedRun& run)
      : run_(run), objective_(run.objective()), gap_(run.gap()) {}
  double objective() const override { return objective_; }
  double gap() const override { return gap_; }
  Index iterates() const override { return run_.iterates(); }
  Point<double> iterate(Index k) const override { return run_.iterate(k); }

 private:
  const ObservedRun& run_;
  double objective_, gap_;
};

/// One process's part x (n × d) of samples whose rows are divided among processes. See `divided`.
template <Samples X>
class Divided {
 public:
  using Scalar = typename X::Scalar;

  Divided(const X& part, Processes processes)
      : part_(part),
        processes_(std::move(processes)),
        numbering_(processes_.numbering(part.rows())) {}

  Index rows() const { return part_.rows(); }  ///< rows of this process
  Index cols() const { return part_.cols(); }
  const Processes& processes() const { return processes_; }

  /// Returns run(). All processes must make this call at the same time: see Processes::in_step.
  template <class F>
  auto together(F&& run) const {
    return processes_.in_step(run);
  }
  /// Returns run(extras); all processes must make this call. Any process may have an observer,
  /// which is called on that process only. If the observer stops the run, the run stops on all
  /// processes.
  template <class T, class F>
  auto together(const Extras<T>& extras, F&& run) const {
    return processes_.in_step([&] {
      require_same_start(extras);
      Extras<T> shared = extras;
      if (processes_.any(static_cast<bool>(extras.observer)))
        shared.observer = [&](const Progress& progress) {
          const RunInStep run_in_step(*progress.run);
          Progress shown = progress;
          shown.run = &run_in_step;
          const bool stops = extras.observer && extras.observer(shown) == Control::stop;
          return processes_.any(stops) ? Control::stop : Control::proceed;
        };
      return run(static_cast<const Extras<T>&>(shared));
    });
  }

  friend auto rows_of(const Divided& x) {
    return DividedRows(rows_of(x.part_), x.processes_, x.numbering_);
  }
  friend auto in_double(const Divided& x) requires SampleMatrix<X> {
    return Divided<InDouble<X>>(linea::in_double(x.part_), x.processes_);
  }

 private:
  /// Throws if the start weights or offset differ between processes.
  template <class T>
  void require_same_start(const Extras<T>& extras) const {
    std::vector<double> start{static_cast<double>(extras.start_offset)};
    for (const T weight : extras.start_weights) start.push_back(static_cast<double>(weight));
    for (double& number : start)
      if (!std::isfinite(number)) number = 0;  // the optimizer reports such numbers
    require(processes_.are_same(start), "mpi::divided: the start is not the same on all ranks");
  }

  using Held = std::conditional_t<SampleView<X>, X, const X&>;
  Held part_;
  Processes processes_;
  Processes::Numbering numbering_;
};

/// Marks x (n × d) as this process's part of samples whose rows are divided among the processes of
/// a Communicator such as MpiCommunicator. `Newton`, `Lbfgs`, `GradientDescent`, `Ridge`,
/// `objective_value`, `certify` and `standardise` accept the result in place of x. Their results
/// are for the rows of all processes.
///
///     const auto x = linea::mpi::divided(part.x, communicator);
///     const auto solution = linea::Newton{}.minimize(objective, x, part.y);
///
/// Each process passes its own rows, targets and sample weights, and may have no rows; all other
/// arguments must be the same on all processes. x and the communicator must outlive the result.
template <Samples X>
Divided<X> divided(const X& x, const Processes& processes) {
  return {x, processes};
}
template <SampleMatrix X>
void divided(const X&&,
             const Processes&) = delete;  // name the matrix, so that it outlives the view

}  // namespace linea::mpi

namespace linea {

template <class X>
inline constexpr bool is_divided<mpi::Divided<X>> = true;

}  // namespace linea
