// SPDX-License-Identifier: MIT
// The main of all test programs. Catch2's implementation takes seconds to compile, so it is here
// only.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

int main(int argc, char* argv[]) { return Catch::Session().run(argc, argv); }
