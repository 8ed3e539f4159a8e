#!/usr/bin/env Rscript
# SPDX-License-Identifier: MIT
# Writes tails.csv, and standard_errors.hpp: R's standard errors of coefficients on the shipped data.
#
# Run by hand, from anywhere: Rscript tests/golden/make_standard_errors.R > tests/golden/standard_errors.hpp
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))

load_svm <- function(name, d) {
  lines <- strsplit(readLines(file.path(here, "..", "..", "examples", "data", name)), " ")
  y <- as.numeric(sapply(lines, `[`, 1))
  x <- matrix(0, length(y), d)
  for (i in seq_along(lines)) {
    for (entry in strsplit(lines[[i]][-1], ":")) x[i, as.integer(entry[1])] <- as.numeric(entry[2])
  }
  list(x = x, y = y)
}

diabetes <- load_svm("diabetes.svm", 10)
wdbc <- load_svm("wdbc.svm", 30)
x <- diabetes$x
y <- diabetes$y
few <- x[, c(3, 4, 9)]                # body mass index, blood pressure, ltg
cells <- wdbc$x[, c(2, 5, 9, 10)]     # texture, smoothness, symmetry, fractal dimension
benign <- as.numeric(wdbc$y > 0)
some <- (seq_along(y) - 1) %% 4       # weights 0, 1, 2, 3, 0, ...
times <- 1 + (seq_along(benign) - 1) %% 3
precise <- glm.control(epsilon = 1e-15, maxit = 100)

number <- function(v) paste(trimws(formatC(v, digits = 17, format = "g")), collapse = ", ")
list_of <- function(v) paste0("{", number(v), "}")

# Once more from its own answer: summary() takes the curvatures of the iteration before the last.
settled <- function(fit) update(fit, start = coef(fit))

# The offset comes first, as R has it.
show <- function(name, fit) {
  s <- summary(fit)
  cat(sprintf("inline const Coefficients %s{\n    %s,\n    %s,\n    %s,\n    %s,\n    %s, %s};\n", name,
              list_of(s$coefficients[, 1]), list_of(s$coefficients[, 2]), list_of(s$coefficients[, 3]),
              list_of(s$coefficients[, 4]),
              number(if (is.null(s$sigma)) 1 else s$sigma^2), number(s$df[2])))
}

cat(sep = "", "// SPDX-License-Identifier: MIT
#pragma once
/// \\file Standard errors by another program. Written by make_standard_errors.R, which says how, with
/// ", R.version.string, ".
#include <string>
#include <vector>

#include \"golden/table.hpp\"

// clang-format off

namespace golden {

struct Coefficients {
  std::vector<double> estimate, standard_error, ratio, p_value;  // the offset first, where there is one
  double dispersion, freedom;
};

// Diabetes, as it is stored: lm; with weights i mod 4 of row i; without offset.
")
show("lm_plain", lm(y ~ x))
show("lm_weighted", lm(y ~ x, weights = some))
show("lm_no_offset", lm(y ~ x - 1))
cat("// Columns 2, 5, 9 and 10 of the breast cancer data, from 1: glm, binomial; with weights 1 + i mod 3; without offset.\n")
show("glm_plain", settled(glm(benign ~ cells, family = binomial, control = precise)))
show("glm_weighted", settled(glm(benign ~ cells, family = binomial, weights = times, control = precise)))
show("glm_no_offset", settled(glm(benign ~ cells - 1, family = binomial, control = precise)))
cat("// Columns 3, 4 and 9 of the diabetes data, from 1: glm, poisson.\n")
show("glm_poisson", settled(glm(y ~ few, family = poisson, control = precise)))
cat("
struct Tail { double t, freedom, p; };
inline const std::vector<Tail> tails = [] {
  std::vector<Tail> rows;
  for (const auto& c : table(\"tails.csv\")) rows.push_back({std::stod(c[0]), std::stod(c[1]), std::stod(c[2])});
  return rows;
}();

}  // namespace golden
")
tails <- paste0("# 2*pt(-t, freedom) by ", R.version.string, ": written by make_standard_errors.R.\nt,freedom,p")
for (freedom in c(1, 1.5, 2, 3, 7, 30, 197.5, 431, 1e4, 1e6, 1e9)) {
  for (t in c(1e-3, 0.1, 0.7, 1, 1.96, 4, 12, 37)) tails <- c(tails, gsub(" ", "", number(c(t, freedom, 2 * pt(-t, freedom)))))
}
writeLines(tails, file.path(here, "tails.csv"))
