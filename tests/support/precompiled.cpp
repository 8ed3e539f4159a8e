// SPDX-License-Identifier: MIT
// The test programs' precompiled header is built along with this source, which needs nothing of it.
