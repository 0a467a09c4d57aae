// SPDX-License-Identifier: Apache-2.0
//
// A member of the archive that only hosts with a plugin need. wordcount has
// none: it would not link if this object were taken from the archive.

extern "C" int wordcount_plugin_entry(int version);

namespace wordcount {

int load_plugin() { return wordcount_plugin_entry(2); }

}  // namespace wordcount
