// SPDX-License-Identifier: Apache-2.0
#include "schedule/policies.h"

#include "base/check.h"
#include "base/spelling.h"
#include "trace/text_syntax.h"

namespace heddle::schedule {
namespace {

constexpr std::string_view kReplay = "replay:";
constexpr PolicyKind kKinds[] = {PolicyKind::kDefault, PolicyKind::kRandom, PolicyKind::kPct};

base::Error unknown(std::string_view text) {
  // "repaly:FILE" and "replay" are compared without the file.
  constexpr std::string_view kShortWords[] = {"default", "random", "pct", "replay"};
  const std::string_view nearest = base::nearest_word(text.substr(0, text.find(':')), kShortWords);
  std::string hint = "Use default, random, pct or replay:FILE.";
  if (nearest == "replay") {
    hint = "Did you mean \"replay:FILE\"?";
  } else if (!nearest.empty()) {
    hint = "Did you mean \"" + std::string(nearest) + "\"?";
  }
  constexpr size_t kMostShown = 40;
  const std::string shown = trace::quote(text.substr(0, kMostShown)) + (text.size() > kMostShown ? "..." : "");
  return {"there is no strategy " + shown, hint};
}

}  // namespace

const char* policy_kind_name(PolicyKind kind) {
  switch (kind) {
    case PolicyKind::kDefault: return "default";
    case PolicyKind::kRandom: return "random";
    case PolicyKind::kPct: return "pct";
  }
  HEDDLE_CHECK(false, "a policy has one of the kinds of PolicyKind");
  return nullptr;
}

base::Result<Strategy> parse_strategy(std::string_view text) {
  Strategy strategy;
  if (text.starts_with(kReplay)) {
    const std::string_view path = text.substr(kReplay.size());
    if (path.empty()) return base::Error{"\"replay:\" names no file", "Write replay:FILE with the path of a schedule."};
    if (path.find('\0') != std::string_view::npos) return unknown(text);
    strategy.replay = std::string(path);
    return strategy;
  }
  for (const PolicyKind kind : kKinds) {
    if (text != policy_kind_name(kind)) continue;
    strategy.policy.kind = kind;
    return strategy;
  }
  return unknown(text);
}

std::string strategy_text(const Strategy& strategy) {
  return strategy.replay ? std::string(kReplay) + *strategy.replay : policy_kind_name(strategy.policy.kind);
}

}  // namespace heddle::schedule
