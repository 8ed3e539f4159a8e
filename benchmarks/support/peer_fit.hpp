// SPDX-License-Identifier: MIT
#pragma once
/// \file What a peer of linea answers with.
#include <Eigen/Core>

namespace bench {

struct PeerFit {
  double seconds{0};  ///< of the fit alone: no reading, no copy into the peer's own format
  Eigen::VectorXd weights{};
};

}  // namespace bench
