// SPDX-License-Identifier: Apache-2.0
#include "record/facts.h"

#include "base/bytes.h"

namespace heddle::record {
namespace {

void write_texts(base::ByteWriter& out, const std::vector<std::string>& texts) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> read_texts(base::ByteReader& in) {
  std::vector<std::string> texts(in.count());
  for (std::string& text : texts) text = in.text();
  return texts;
}

}  // namespace

std::string write_facts(const Facts& facts) {
  base::ByteWriter out;
  for (const std::string* text : {&facts.program, &facts.module_hash, &facts.executable}) out.text(*text);
  for (const auto* texts :
       {&facts.inputs, &facts.cflags, &facts.arguments, &facts.environment, &facts.unknown_functions})
    write_texts(out, *texts);
  out.number(facts.functions.size());
  for (const FunctionRange& function : facts.functions) {
    out.text(function.name);
    out.number(function.address);
    out.number(function.size);
  }
  return out.bytes();
}

std::optional<Facts> read_facts(std::string_view bytes) {
  base::ByteReader in(bytes);
  Facts facts;
  for (std::string* text : {&facts.program, &facts.module_hash, &facts.executable}) *text = in.text();
  for (auto* texts : {&facts.inputs, &facts.cflags, &facts.arguments, &facts.environment, &facts.unknown_functions})
    *texts = read_texts(in);
  facts.functions.resize(in.count(3));
  for (FunctionRange& function : facts.functions) {
    function.name = in.text();
    function.address = in.number();
    function.size = in.number();
  }
  if (in.failed() || !in.at_end()) return std::nullopt;
  return facts;
}

}  // namespace heddle::record
