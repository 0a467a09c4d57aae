// SPDX-License-Identifier: Apache-2.0
//
// Order problems as SMT-LIB 2 text, to look at or to give to another solver.
#include <string>

#include "solve/order_problem.h"
#include "solve/translate.h"

namespace heddle::solve {
namespace {

class SmtlibText {
 public:
  using Term = std::string;

  Term before(Event first, Event second) { return "(< " + event(first) + " " + event(second) + ")"; }
  Term choice(uint32_t variable, bool value) {
    const std::string name = "c" + std::to_string(variable);
    return value ? name : "(not " + name + ")";
  }
  Term all(const std::vector<Term>& terms) { return joined("and", terms, "true"); }
  Term any(const std::vector<Term>& terms) { return joined("or", terms, "false"); }
  void heading(const std::string& what) { text_ += "; " + what + "\n"; }
  void require(const Term& term) { text_ += "(assert " + term + ")\n"; }

  static std::string event(Event event) { return "e" + std::to_string(event); }
  std::string& text() { return text_; }

 private:
  static Term joined(const char* connective, const std::vector<Term>& terms, const char* empty) {
    if (terms.empty()) return empty;
    if (terms.size() == 1) return terms[0];
    Term result = "(" + std::string(connective);
    for (const Term& term : terms) result += " " + term;
    return result + ")";
  }

  std::string text_;
};

}  // namespace

std::string to_smtlib(const OrderProblem& problem) {
  SmtlibText language;
  std::string& text = language.text();
  text = "; An order problem: eN is the place of event N, cN a choice.\n(set-logic QF_IDL)\n";
  for (Event event = 0; event < problem.events; ++event) {
    text += "(declare-const " + SmtlibText::event(event) + " Int)\n";
  }
  for (uint32_t i = 0; i < problem.choices; ++i) text += "(declare-const c" + std::to_string(i) + " Bool)\n";
  Translation<SmtlibText>(language).translate(problem);
  return text + "(check-sat)\n";
}

}  // namespace heddle::solve
