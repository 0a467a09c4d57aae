// SPDX-License-Identifier: Apache-2.0
#include "program/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "program/frame.h"

namespace heddle::program {
namespace {

using base::Error;
using base::Result;
using Json = nlohmann::json;

constexpr const char* kSourceTag = "name";
constexpr const char* kTripleTag = "trpl";
constexpr const char* kUnoptimisedTag = "unop";
constexpr const char* kOptimisedTag = "opti";
constexpr const char* kJsonTag = "json";
constexpr const char* kObjectTag = "objt";

std::string place(std::string_view section, const std::string& file) {
  return fmt::format("section {} of {}", section, file);
}

Error incomplete(std::string_view section, const std::string& file) {
  return {fmt::format("{} is damaged: a record lacks a part", place(section, file)),
          "build the file again with heddle cc"};
}

// Paths may hold bytes that are not UTF-8; JSON text cannot. Such bytes are
// written as code points 128-255.
std::string to_utf8(const std::string& bytes) {
  std::string text;
  for (const unsigned char c : bytes) {
    if (c < 128) {
      text += static_cast<char>(c);
    } else {
      text += static_cast<char>(0xc0 | (c >> 6));
      text += static_cast<char>(0x80 | (c & 0x3f));
    }
  }
  return text;
}

std::string from_utf8(const std::string& text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 128 || i + 1 == text.size())
      bytes += text[i];
    else
      bytes += static_cast<char>((c & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
  }
  return bytes;
}

Json to_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(to_utf8(text));
  return list;
}

// Empty when the key is missing or holds something else.
std::vector<std::string> texts_of(const Json& json, const char* key) {
  std::vector<std::string> texts;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return texts;
  for (const Json& text : *found)
    if (text.is_string()) texts.push_back(from_utf8(text.get<std::string>()));
  return texts;
}

void add_new(std::vector<std::string>& texts, std::vector<std::string> more) {
  for (std::string& text : more)
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

}  // namespace

std::string encode_module(const ModulePart& part) {
  Frame frame;
  frame.parts.push_back({kSourceTag, part.source_name});
  frame.parts.push_back({kTripleTag, part.triple});
  frame.parts.push_back({kUnoptimisedTag, part.unoptimised});
  frame.parts.push_back({kOptimisedTag, part.optimised});
  return encode_frame(kBitcodeMagic, frame);
}

Result<std::vector<ModulePart>> decode_modules(std::string_view section, const std::string& file) {
  Result<std::vector<Frame>> frames = decode_frames(kBitcodeMagic, section, place(kBitcodeSection, file));
  if (!frames) return frames.error();
  std::vector<ModulePart> parts;
  for (const Frame& frame : *frames) {
    const std::string* source = frame.find(kSourceTag);
    const std::string* triple = frame.find(kTripleTag);
    const std::string* unoptimised = frame.find(kUnoptimisedTag);
    const std::string* optimised = frame.find(kOptimisedTag);
    if (!source || !triple || !unoptimised || !optimised) return incomplete(kBitcodeSection, file);
    parts.push_back({*source, *triple, *unoptimised, *optimised});
  }
  return parts;
}

std::string encode_link(const LinkFacts& facts) {
  Json json;
  json["language"] = facts.needs_cxx ? "c++" : "c";
  json["shared_libraries"] = to_json(facts.shared_libraries);
  json["rpaths"] = to_json(facts.rpaths);
  json["flags"] = to_json(facts.flags);
  std::vector<std::string> names;
  for (const NativeObject& object : facts.native_objects) names.push_back(object.name);
  json["native_objects"] = to_json(names);
  Frame frame;
  frame.parts.push_back({kJsonTag, json.dump()});
  for (const NativeObject& object : facts.native_objects) frame.parts.push_back({kObjectTag, object.bytes});
  return encode_frame(kLinkMagic, frame);
}

Result<std::vector<LinkFacts>> decode_links(std::string_view section, const std::string& file) {
  Result<std::vector<Frame>> frames = decode_frames(kLinkMagic, section, place(kLinkSection, file));
  if (!frames) return frames.error();
  std::vector<LinkFacts> all;
  for (Frame& frame : *frames) {
    const std::string* text = frame.find(kJsonTag);
    if (!text) return incomplete(kLinkSection, file);
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object()) return incomplete(kLinkSection, file);
    LinkFacts facts;
    const auto language = json.find("language");
    facts.needs_cxx = language != json.end() && *language == "c++";
    facts.shared_libraries = texts_of(json, "shared_libraries");
    facts.rpaths = texts_of(json, "rpaths");
    facts.flags = texts_of(json, "flags");
    const std::vector<std::string> names = texts_of(json, "native_objects");
    for (FramePart& part : frame.parts) {
      if (part.tag != kObjectTag) continue;
      const size_t index = facts.native_objects.size();
      if (index == names.size()) return incomplete(kLinkSection, file);
      facts.native_objects.push_back({names[index], std::move(part.bytes)});
    }
    if (facts.native_objects.size() != names.size()) return incomplete(kLinkSection, file);
    all.push_back(std::move(facts));
  }
  return all;
}

void add_link_facts(LinkFacts& facts, LinkFacts more) {
  facts.needs_cxx |= more.needs_cxx;
  add_new(facts.shared_libraries, std::move(more.shared_libraries));
  add_new(facts.rpaths, std::move(more.rpaths));
  add_new(facts.flags, std::move(more.flags));
  for (NativeObject& object : more.native_objects) facts.native_objects.push_back(std::move(object));
}

}  // namespace heddle::program
