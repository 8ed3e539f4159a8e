// SPDX-License-Identifier: MIT
// The main function of all test programs. Catch2's implementation takes seconds to compile, so it
// is in this file only.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

#ifdef UNICODE  // Windows passes the names of tests in wide characters
extern "C" int wmain(int argc, wchar_t* argv[]) { return Catch::Session().run(argc, argv); }
#else
int main(int argc, char* argv[]) { return Catch::Session().run(argc, argv); }
#endif
