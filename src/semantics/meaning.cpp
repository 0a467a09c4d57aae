// SPDX-License-Identifier: Apache-2.0
//
// The table, and the switch with which scripts/mutate_meanings makes sure that tests notice a wrong row:
//
//   HEDDLE_TEST_MEANING=MUTEX_TRYLOCK.form=BLOCKING heddle check ...
#include "semantics/meaning.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace heddle::semantics {
namespace {

constexpr std::pair<std::string_view, uint8_t> kKindNames[] = {
#define HEDDLE_KIND_NAME(KIND, ...) {#KIND, HEDDLE_##KIND},
    HEDDLE_MEANINGS(HEDDLE_KIND_NAME)
#undef HEDDLE_KIND_NAME
};

constexpr std::pair<std::string_view, uint8_t> kFamilyNames[] = {
#define HEDDLE_FAMILY_NAME(KIND, FAMILY, ...) {#FAMILY, HEDDLE_FAMILY_##FAMILY},
    HEDDLE_MEANINGS(HEDDLE_FAMILY_NAME)
#undef HEDDLE_FAMILY_NAME
};

constexpr std::pair<std::string_view, uint8_t> kEffectNames[] = {
#define HEDDLE_EFFECT_NAME(KIND, FAMILY, EFFECT, ...) {#EFFECT, HEDDLE_EFFECT_##EFFECT},
    HEDDLE_MEANINGS(HEDDLE_EFFECT_NAME)
#undef HEDDLE_EFFECT_NAME
};

constexpr std::pair<std::string_view, uint8_t> kFormNames[] = {{"PROMPT", HEDDLE_FORM_PROMPT},
                                                               {"BLOCKING", HEDDLE_FORM_BLOCKING},
                                                               {"ATTEMPT", HEDDLE_FORM_ATTEMPT},
                                                               {"TIMED", HEDDLE_FORM_TIMED}};

constexpr std::pair<std::string_view, uint8_t> kLearnsNames[] = {{"NOTHING", HEDDLE_LEARNS_NOTHING},
                                                                 {"VALUE", HEDDLE_LEARNS_VALUE},
                                                                 {"OUTCOME", HEDDLE_LEARNS_OUTCOME},
                                                                 {"EXCEPTION", HEDDLE_LEARNS_EXCEPTION}};

template <size_t kCount>
uint8_t number(const std::pair<std::string_view, uint8_t> (&names)[kCount], std::string_view name) {
  for (const auto& [known, value] : names)
    if (known == name) return value;
  HEDDLE_CHECK(false, "HEDDLE_TEST_MEANING names what is in the table");
  return 0;
}

// KIND.FIELD=NAME
void replace(Meanings& meanings, std::string_view change) {
  const size_t dot = change.find('.'), equals = change.find('=');
  HEDDLE_CHECK(dot < equals && equals != change.npos, "HEDDLE_TEST_MEANING is KIND.FIELD=NAME");
  HeddleMeaning& meaning = meanings[number(kKindNames, change.substr(0, dot))];
  const std::string_view field = change.substr(dot + 1, equals - dot - 1), name = change.substr(equals + 1);
  if (field == "family") {
    meaning.family = number(kFamilyNames, name);
  } else if (field == "effect") {
    meaning.effect = number(kEffectNames, name);
  } else if (field == "form") {
    meaning.form = number(kFormNames, name);
  } else {
    HEDDLE_CHECK(field == "learns", "HEDDLE_TEST_MEANING names a field of the table");
    meaning.learns = number(kLearnsNames, name);
  }
}

Meanings make_meanings() {
  Meanings meanings{};
#define HEDDLE_FILL_ROW(KIND, ...) meanings[HEDDLE_##KIND] = heddle_meaning(HEDDLE_##KIND);
  HEDDLE_MEANINGS(HEDDLE_FILL_ROW)
#undef HEDDLE_FILL_ROW
  if (const char* change = std::getenv("HEDDLE_TEST_MEANING")) replace(meanings, change);
  return meanings;
}

}  // namespace

const Meanings kMeanings = make_meanings();

uint8_t blocking_form(uint8_t kind) {
  for (size_t other = 0; other < kMeanings.size(); ++other)
    if (kMeanings[other].family == kMeanings[kind].family && kMeanings[other].effect == kMeanings[kind].effect &&
        kMeanings[other].form == HEDDLE_FORM_BLOCKING)
      return static_cast<uint8_t>(other);
  return kind;
}

}  // namespace heddle::semantics
