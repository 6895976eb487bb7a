#include "app/window/memory_budget.h"

#include "app/cli/options.h"
#include "ui/settings/settings.h"

namespace hearth {

std::size_t memoryBudget()
{
    const int chosen = Settings::load().memoryMiB;
    return chosen > 0 ? static_cast<std::size_t>(chosen) << 20 : cli::halfOfMemory();
}

} // namespace hearth
