// SPDX-License-Identifier: MIT
// Code that must not compile, and the message that must explain why. Each case is compiled alone,
// with its name defined, and holds two twins. With LINEA_MUST_FAIL it must not compile, and the
// compiler's output must match the regular expression behind "must fail with". Without
// LINEA_MUST_FAIL it must compile. "because of" adds flags for the bad twin. "and with no second
// error" demands that the output has no other error except the compiler's closing lines. Wrong
// calls are in wrong_calls.txt.
#if defined(macros_of_windows_are_named) && defined(LINEA_MUST_FAIL)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#include <linea/linea.hpp>

#if defined(LINEA_MUST_FAIL)
#define TWIN(bad, good) bad
#else
#define TWIN(bad, good) good
#endif

using namespace linea;
using X = Matrix<double>;
using Y = Vector<double>;

#if defined(a_narrow_index_is_named)
// must fail with: compile without "?.*EIGEN_DEFAULT_DENSE_INDEX_TYPE
// because of: -DEIGEN_DEFAULT_DENSE_INDEX_TYPE=int

#elif defined(an_older_eigen_is_named)
// must fail with: version 3\.4 or later is needed
// because of: -DEIGEN_CORE_H -DEIGEN_CORE_MODULE_H -DEIGEN_WORLD_VERSION=3 -DEIGEN_MAJOR_VERSION=3
// and with no second error

#elif defined(an_older_standard_is_named)
// must fail with: C\+\+20 is needed: compile with -std=c\+\+20
// because of: -std=c++17
// and with no second error

#elif defined(fast_math_is_named)
// must fail with: -ffast-math.*compile without it
// because of: -ffast-math
// and with no second error

#elif defined(finite_math_is_named)
// must fail with: -ffinite-math-only.*compile without it
// because of: -ffinite-math-only
// and with no second error

#elif defined(reassociation_is_named)
// must fail with: -funsafe-math-optimizations.*compile without them
// because of: -D__ASSOCIATIVE_MATH__=1
// and with no second error

#elif defined(reciprocal_math_is_named)
// must fail with: -freciprocal-math.*compile without them
// because of: -D__RECIPROCAL_MATH__=1
// and with no second error

#elif defined(macros_of_windows_are_named)
// must fail with: define NOMINMAX before <windows.h>
// because of: -include algorithm
// and with no second error

#elif defined(macros_of_x11_are_named)
// must fail with: include the headers of X11 after those of linea
// because of: -DStatus=int -DSuccess=0
// and with no second error

#elif defined(missing_exceptions_are_named)
// must fail with: compile without -fno-exceptions
// because of: -fno-exceptions
// and with no second error

#elif defined(x87_is_named)
// must fail with: compile with -msse2 -mfpmath=sse
// because of: -Wno-builtin-macro-redefined -U__FLT_EVAL_METHOD__ -D__FLT_EVAL_METHOD__=2
// and with no second error

#elif defined(a_loss_without_value_is_named)
// must fail with: the loss must be copyable and have value
struct Cubic {
  double TWIN(loss, value)(double p, double y) const { return (p - y) * (p - y) * (p - y); }
};
auto objective() { return Objective{Cubic{}, L2{0.1}}; }

#elif defined(a_penalty_without_proximal_is_named)
// must fail with: the penalty must be copyable, with value.w. and proximal
struct Sum {
  template <class W>
  double value(const Eigen::MatrixBase<W>& w) const {
    return w.sum();
  }
  double TWIN(prox, proximal)(double v, double step) const { return v - step; }
};
auto objective() { return Objective{Squared{}, Sum{}}; }

#elif defined(a_step_that_observes_must_be_a_fitted_step)
// must fail with: FittedStep
template <StepSize S>
struct Takes {};
struct Watchful {
  double largest{1};
  double operator()(Index) const { return 1 / largest; }
  void observe(double square, Index) { largest = square; }
  bool TWIN(has_fitted, is_fitted)() const { return false; }
  void scale_to(double, double) {}
  void start_at(double) {}
};
Takes<Watchful> taken;

#elif defined(an_order_must_draw_const)
// must fail with: Order
template <Order O>
struct Takes {};
struct Backwards {
  void draw(Epoch& epoch, Index rows, Index, Random&) TWIN(, const) { epoch.rows = rows; }
};
Takes<Backwards> taken;

#elif defined(rows_that_lack_a_member_are_named)
// must fail with: RowsOf
const auto ones = [](Index, auto&& entry) { entry(0, 1.0); };
using Whole = RowsFrom<double, decltype(ones)>;
struct Mine : Whole {
  Mine() : Whole(2, 1, ones) {}
#ifdef LINEA_MUST_FAIL
  void add_up() const;
#endif
};
template <>
inline constexpr bool linea::is_sample_view<Mine> = true;
Mine rows_of(const Mine& x) { return x; }
auto admitted(const Y& y) { return detail::samples::admit_samples("fit", Mine{}, y.size(), {}); }

#elif defined(a_path_needs_an_optimizer_that_takes_extras)
// must fail with: OptimizerOf
struct Zero {
  template <class O>
  Solution<double> minimize(const O&, const X&, const Y&,
                            const TWIN(int, Extras<double>) & = {}) const {
    return {};
  }
};
auto path(const X& x, const Y& y) {
  return lambda_path(Zero{}, Objective{Squared{}, L2{}}, {1, 0.1}, x, y);
}

#elif defined(a_lost_fit_is_told)
// must fail with: nodiscard
void train(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  TWIN(, (void)) LinearSvm{}.fit(x, y);
}

#elif defined(a_mapped_file_that_is_a_temporary_gives_no_samples)
// must fail with: delete
#include <linea/io/mapped_file.hpp>
Index rows(const char* path) {
  const auto data = map_binary<X>(path);
  const auto x = TWIN(map_binary<X>(path), data).x();
  return x.rows() + data.x().rows();
}

#elif defined(a_mapped_file_that_is_a_temporary_gives_no_targets)
// must fail with: delete
#include <linea/io/mapped_file.hpp>
Index rows(const char* path) {
  const auto data = map_binary<SparseMatrix<float> >(path);
  const auto y = TWIN(map_binary<SparseMatrix<float> >(path), data).y();
  return y.size() + data.y().size();
}

#elif defined(certify_needs_a_conjugate)
// must fail with: satisf[a-z ]*[^a-zA-Z]*ConjugateLoss
auto bound(const Solution<double>& solution, const X& x, const Y& y) {
  return certify(Objective{TWIN(ZeroOne, Hinge){}, L2{1e-4}}, solution, x, y);
}

#elif defined(early_stopping_refuses_a_temporary)
// must fail with: delete
void stop(const X& x, const Y& y) { EarlyStopping stopping(Log{}, TWIN(X(x), x.topRows(3)), y); }

#endif
