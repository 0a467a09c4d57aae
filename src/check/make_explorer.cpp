// SPDX-License-Identifier: Apache-2.0
#include "check/make_explorer.h"

#include "check/campaign_explorer.h"
#include "check/dpor_explorer.h"
#include "check/enumeration_explorer.h"
#include "check/icb_dpor_explorer.h"
#include "check/job_source.h"
#include "check/learn/learn_explorer.h"
#include "check/mcr_explorer.h"
#include "check/published_explorer.h"

namespace heddle::check {

namespace {

std::unique_ptr<Explorer> make_explorer(const Options& options, QuerySolver& solver) {
  if (options.search != Search::kExhaustive) return std::make_unique<CampaignExplorer>(options);
  switch (options.reduction) {
    case Reduction::kNone:
    case Reduction::kIcb: return std::make_unique<EnumerationExplorer>(options);
    case Reduction::kMcrPublished: return std::make_unique<PublishedExplorer>(options, solver);
    case Reduction::kDpor: return std::make_unique<DporExplorer>(options);
    case Reduction::kIcbDpor: return std::make_unique<IcbDporExplorer>(options);
    case Reduction::kLearn:
    case Reduction::kMcr:
    case Reduction::kMcrS:
    case Reduction::kMcrSPlus:
    case Reduction::kSeMcr: break;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<WorkSource> make_source(const Options& options, causal::Histories& histories, QuerySolver& solver,
                                        Budget& budget, Naming naming) {
  if (std::unique_ptr<Explorer> explorer = make_explorer(options, solver))
    return std::make_unique<JobSource>(std::move(explorer));
  if (options.reduction == Reduction::kLearn)
    return std::make_unique<LearnExplorer>(options, histories, budget, std::move(naming));
  return std::make_unique<McrExplorer>(options, histories, budget);
}

}  // namespace heddle::check
