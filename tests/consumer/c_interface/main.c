/* SPDX-License-Identifier: MIT */
/* Compiled as C11 and as C++11. */
#include <stdio.h>
#include <string.h>

#include "guide/c_interface.h"

int main(void) {
  const double x[] = {2, 1, 3, 2, -1, -2, -3, 0};
  const double y[] = {7, 7, 4, 4};
  const double one_class[] = {7, 7, 7, 7};
  double labels[4];
  classifier* trained = NULL;
  const char* error = classifier_train(x, one_class, 4, 2, 0.01, &trained);
  if (!error || !strstr(error, "two classes are needed") || trained) {
    printf("one class: %s\n", error ? error : "no error");
    return 1;
  }
  error = classifier_train(x, y, 4, 2, 0.01, &trained);
  if (!error) error = classifier_predict(trained, x, 4, labels);
  classifier_free(trained);
  if (error) {
    printf("%s\n", error);
    return 1;
  }
  printf("%g %g %g %g\n", labels[0], labels[1], labels[2], labels[3]);
  return memcmp(labels, y, sizeof y) == 0 ? 0 : 1;
}
