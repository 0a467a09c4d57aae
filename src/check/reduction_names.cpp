// SPDX-License-Identifier: Apache-2.0
#include "check/reduction_names.h"

namespace heddle::check {
namespace {

struct Named {
  Reduction reduction;
  const char* name;
};
constexpr Named kNamed[] = {
    {Reduction::kMcr, "mcr"},         {Reduction::kLearn, "learn"},  {Reduction::kMcrS, "mcr-s"},
    {Reduction::kMcrSPlus, "mcr-s+"}, {Reduction::kSeMcr, "se-mcr"}, {Reduction::kMcrPublished, "mcr-published"},
    {Reduction::kDpor, "dpor"},       {Reduction::kIcb, "icb"},      {Reduction::kIcbDpor, "icb-dpor"},
    {Reduction::kNone, "none"},
};

}  // namespace

const char* reduction_name(Reduction reduction) {
  for (const Named& named : kNamed)
    if (named.reduction == reduction) return named.name;
  return "?";
}

std::optional<Reduction> find_reduction(std::string_view name) {
  for (const Named& named : kNamed)
    if (named.name == name) return named.reduction;
  return std::nullopt;
}

bool uses_dependence(Reduction reduction) {
  return reduction == Reduction::kMcrS || reduction == Reduction::kMcrSPlus || reduction == Reduction::kSeMcr;
}

std::vector<const char*> reduction_names() {
  std::vector<const char*> names;
  for (const Named& named : kNamed) names.push_back(named.name);
  return names;
}

}  // namespace heddle::check
