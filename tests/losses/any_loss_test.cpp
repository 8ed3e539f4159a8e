// SPDX-License-Identifier: MIT
/// \file AnySmoothLoss and AnyKinkedLoss, which hold a loss that is selected at run time, give the
/// results of this loss.
#include <linea/losses/any_loss.hpp>
#include <string>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"

using namespace linea;
using namespace linea::test;

namespace {

template <class L>
constexpr bool is_curved = SmoothLoss<L>&& CurvedLoss<L>&& KinklessLoss<L>&& OpenBoxLoss<L>;
static_assert(is_curved<AnySmoothLoss>);
static_assert(!SmoothLoss<AnyKinkedLoss> && !CurvedLoss<AnyKinkedLoss> &&
              !KinklessLoss<AnyKinkedLoss> && !OpenBoxLoss<AnyKinkedLoss>);
template <class L>
constexpr bool has_a_dual = ProximalLoss<L>&& ConjugateLoss<L>&& BoxLoss<L>&& is_convex_loss<L>;
static_assert(has_a_dual<AnySmoothLoss> && has_a_dual<AnyKinkedLoss>);
static_assert(!ConjugateLoss<AnyLoss<Hinge, ZeroOne>> && !DifferentiableLoss<AnyLoss<ZeroOne>>);

bool are_same(const DualBox& a, const DualBox& b) {
  return a.low == b.low && a.high == b.high && a.at == b.at && a.curvature == b.curvature;
}

template <class Any, class L, class T>
void check_numbers(const Any& any, const L& loss, T p, T y) {
  CAPTURE(p, y);
  CHECK(is_valid_target(any, p) == is_valid_target(loss, p));
  CHECK(same_bits(any.value(p, y), loss.value(p, y)));
  CHECK(same_bits(any.derivative(p, y), loss.derivative(p, y)));
  CHECK(same_bits(any.proximal(p, y, T(0.3)), loss.proximal(p, y, T(0.3))));
  CHECK(same_bits(any.conjugate(p, y), loss.conjugate(p, y)));
  if constexpr (CurvedLoss<L>)
    CHECK(same_bits(any.second_derivative(p, y), loss.second_derivative(p, y)));
}

/// Checks that the members and properties of `any` equal those of `loss`.
template <class Any, class L>
void check_same(const Any& any, const L& loss, const std::vector<double>& targets) {
  CHECK(any.template is<L>());
  CHECK(name_of(any) == L::name);
  CHECK(targets_of(any) == L::targets);
  CHECK(takes_labels(any) == is_loss_of_labels<L>);
  CHECK(is_of_residual(any) == is_residual_loss<L>);
  CHECK(has_dual_boxes(any) == BoxLoss<L>);
  CHECK(has_open_box(any) == OpenBoxLoss<L>);
  CHECK(detail::parameters_of(any) == detail::parameters_of(loss));
  CHECK(any.is_valid());
  if constexpr (SmoothLoss<L>) CHECK(any.curvature_bound() == loss.curvature_bound());
  for (const double y : targets) {
    if constexpr (BoxLoss<L>) {
      const auto boxes = any.dual_boxes(y);
      REQUIRE(boxes.size() == loss.dual_boxes(y).size());
      for (std::size_t k = 0; k < boxes.size(); ++k)
        CHECK(are_same(boxes[k], loss.dual_boxes(y)[k]));
    }
    if constexpr (OpenBoxLoss<L>) CHECK(are_same(any.open_box(y), loss.open_box(y)));
    for (const double p : {-3.0, -1.0, -0.4, 0.0, 0.2, 1.0, 5.5}) {
      check_numbers(any, loss, p, y);
      check_numbers(any, loss, static_cast<float>(p), static_cast<float>(y));
    }
  }
}

}  // namespace

TEST_CASE("AnyLoss: returns the results of the selected loss", "[losses]") {
  for_each_loss([]<class L>(const L& loss, const std::vector<double>& targets) {
    CAPTURE(L::name);
    if constexpr (SmoothLoss<L>)
      check_same(AnySmoothLoss(loss), loss, targets);
    else
      check_same(AnyKinkedLoss(loss), loss, targets);
  });
}

TEST_CASE("with_loss: finds each loss by its name, with a parameter or its default", "[losses]") {
  for_each_loss([]<class L>(const L&, const std::vector<double>& targets) {
    CAPTURE(L::name);
    const auto check_as = [&](const L& loss) {
      return [&]<class Any>(const Any& any) {
        if constexpr (is_smooth_loss<Any> == is_smooth_loss<L>)
          check_same(any, loss, targets);
        else
          FAIL("a loss of the other kind");
      };
    };
    with_loss(L::name, {}, check_as(L{}));
    if constexpr (!std::is_empty_v<L>) with_loss(L::name, 0.25, check_as(L{0.25}));
  });
  CHECK(AnyKinkedLoss().is<Hinge>());
  CHECK(AnyLoss<Huber, Hinge>().value(3.0, 0.0) == Huber{}.value(3.0, 0.0));
  const auto refusal = [](const char* name, std::optional<double> parameter = {}) {
    return refusal_of([&] { with_loss(name, parameter, [](const auto&) {}); });
  };
  CHECK(refusal("zero-one") ==
        "no loss with a derivative is called 'zero-one': there are squared, log, squared-hinge, "
        "smooth-hinge, huber, hinge, perceptron, absolute, epsilon-insensitive, quantile");
  CHECK(refusal("hinge", 2) == "the loss hinge takes no parameter");
  with_loss("huber", -1, [](const auto& any) { CHECK(!any.is_valid()); });
}
