// must fail with: RowsOf
// SPDX-License-Identifier: MIT
#include <linea/core/types.hpp>
#include <linea/rows/rows_from.hpp>
#include <linea/samples/training_set.hpp>

const auto ones = [](linea::Index, auto&& entry) { entry(0, 1.0); };
using Whole = linea::RowsFrom<double, decltype(ones)>;

struct Mine : Whole {
  Mine() : Whole(2, 1, ones) {}
#ifdef LINEA_MUST_FAIL
  void add_up() const;
#endif
};
template <>
inline constexpr bool linea::is_sample_view<Mine> = true;
Mine rows_of(const Mine& x) { return x; }

auto admitted(const linea::Vector<double>& y) {
  return linea::samples::admit_samples("fit", Mine{}, y.size(), {});
}
