// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes Catch2 in version 2 or 3.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
#else
#include <catch2/catch.hpp>
using Catch::WithinAbs;
using Catch::WithinRel;
inline auto ContainsSubstring(const std::string& part) { return Catch::Contains(part); }
#endif
