#include "app/window/live_options.h"

#include "app/window/memory_budget.h"

#include <utility>

namespace hearth {

LiveOptions liveOptions(std::function<void()> published)
{
    using namespace std::chrono_literals;
    LiveOptions options;
    options.memoryBudget = memoryBudget();
    options.publishInterval = 100ms;
    options.published = std::move(published);
    // A journal that cannot be written must not keep anything from being received.
    if (auto journal = Journal::open({.directory = journalDirectory()}))
        options.journal = std::move(*journal);
    return options;
}

} // namespace hearth
