// SPDX-License-Identifier: MIT
#pragma once
/// \file Which fitted values files can hold, and how each is made empty, to be filled from a file.
#include <linea/core/activation.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/types.hpp>
#include <linea/data/labels.hpp>
#include <linea/io/stored_model.hpp>
#include <vector>

namespace linea {

// Defined in models/: who stores one has included that.
template <Scalar T>
struct LinearModel;
template <Scalar T>
struct Regressor;
template <Scalar T, Activation G>
struct ActivatedModel;
template <Scalar T>
struct Classifier;
template <Scalar T>
struct ProbabilisticClassifier;
template <Scalar T, class Model>
struct OneVsRestClassifier;
template <Scalar T>
struct SoftmaxClassifier;
template <Scalar T>
struct MultiTargetRegressor;

namespace io {

/// The kind of a fitted value, its scalar, and `make`, one without weights.
template <class Model>
struct KindOf {};

template <class T, ModelKind K>
struct KindOfScalar {
  using Real = T;
  static constexpr ModelKind kind = K;
  static constexpr ModelKind part_kind = K;
};

template <class T>
struct KindOf<LinearModel<T>> : KindOfScalar<T, ModelKind::linear> {
  static LinearModel<T> make(const std::vector<double>&) { return {}; }
};

template <class T>
struct KindOf<Regressor<T>> : KindOfScalar<T, ModelKind::regressor> {
  static Regressor<T> make(const std::vector<double>&) { return {}; }
};

template <class T, class G>
struct KindOf<ActivatedModel<T, G>> : KindOfScalar<T, ModelKind::activated> {
  static ActivatedModel<T, G> make(const std::vector<double>&) { return {}; }
};

/// Of labels that are sound.
template <class T>
ClassLabels labels_from(const std::vector<T>& labels) {
  return ClassLabels(core::vector_of(labels));
}

template <class T>
struct KindOf<Classifier<T>> : KindOfScalar<T, ModelKind::classifier> {
  static Classifier<T> make(const std::vector<double>& labels) { return {{}, labels_from(labels)}; }
};

template <class T>
struct KindOf<ProbabilisticClassifier<T>> : KindOfScalar<T, ModelKind::probabilistic_classifier> {
  static ProbabilisticClassifier<T> make(const std::vector<double>& labels) {
    return {KindOf<Classifier<T>>::make(labels)};
  }
};

template <class T, class Model>
  requires(is_of_one_function(KindOf<Model>::kind))
struct KindOf<OneVsRestClassifier<T, Model>> : KindOfScalar<T, ModelKind::one_vs_rest> {
  static constexpr ModelKind part_kind = KindOf<Model>::kind;
  static OneVsRestClassifier<T, Model> make(const std::vector<double>& labels) {
    return {labels_from(labels), {}};
  }
};

template <class T>
struct KindOf<SoftmaxClassifier<T>> : KindOfScalar<T, ModelKind::softmax> {
  static SoftmaxClassifier<T> make(const std::vector<double>& labels) {
    return {{}, labels_from(labels)};
  }
};

template <class T>
struct KindOf<MultiTargetRegressor<T>> : KindOfScalar<T, ModelKind::multi_target> {
  static MultiTargetRegressor<T> make(const std::vector<double>&) { return {}; }
};

}  // namespace io

/// A fitted value that a file can hold: one of those that linea's recipes answer with.
template <class Model>
concept StorableModel = requires {
  io::KindOf<Model>::kind;  // LinearModel, Regressor, Classifier, …: store the part that is one
};

}  // namespace linea
