// SPDX-License-Identifier: MIT
// Two workers add to one number without synchronisation, to test the sanitizer.
#include <linea/core/workers.hpp>

int main() {
  long sum = 0;
  linea::Workers workers(2);
  workers.run([&sum](linea::Index) {
    for (int k = 0; k < 1000; ++k) sum += k;
  });
  return sum == 0;
}
