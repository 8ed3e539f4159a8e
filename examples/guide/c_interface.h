/* SPDX-License-Identifier: MIT */
/* Logistic regression of linea for C and for C++ before C++20: see c_interface.cpp. */
#ifndef CLASSIFIER_H
#define CLASSIFIER_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct classifier classifier;

/* Each function returns NULL, or the message of an error, which is valid until the next call of the
   same thread. x has `rows` rows of `columns` numbers, row by row; y has the labels of the rows. */
const char* classifier_train(const double* x, const double* y, ptrdiff_t rows, ptrdiff_t columns,
                             double lambda, classifier** trained);
const char* classifier_predict(const classifier* trained, const double* x, ptrdiff_t rows,
                               double* labels);
void classifier_free(classifier* trained);

#ifdef __cplusplus
}
#endif
#endif
