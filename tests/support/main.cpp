// SPDX-License-Identifier: MIT
// The main function of all test programs. Catch2's implementation takes seconds to compile, so it
// is in this file only.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

int main(int argc, char* argv[]) { return Catch::Session().run(argc, argv); }
