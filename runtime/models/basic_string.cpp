// SPDX-License-Identifier: Apache-2.0
//
// std::string up to C++17 is compiled into libstdc++.so, and its header says that
// programs need no copy of their own. Here is one, made from the same header.
#include <string>

template class std::allocator<char>;
template class std::basic_string<char>;
