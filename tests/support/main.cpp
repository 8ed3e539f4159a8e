// SPDX-License-Identifier: MIT
// The one main of all test programs. Catch2's implementation takes seconds to compile: here only.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

int main(int argc, char* argv[]) { return Catch::Session().run(argc, argv); }
