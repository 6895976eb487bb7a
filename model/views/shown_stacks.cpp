#include "model/views/shown_stacks.h"

#include "model/lens/compiled_lens.h"
#include "model/views/frame_filter.h"
#include "model/views/tree_shape.h"

namespace hearth {

Result<std::vector<bool>> shownStacks(const std::shared_ptr<const Snapshot> &snapshot, const Lens &lens,
                                      const std::stop_token &stop)
{
    std::vector<bool> isShown;
    if (lens.paths.empty() && lens.frames.empty() && lens.under.empty())
        return isShown;
    const auto compiled = compile(lens);
    if (!compiled)
        return tl::unexpected(compiled.error());
    auto filter = FrameFilter::create(*compiled, lens, *snapshot);
    if (!filter)
        return tl::unexpected(filter.error());
    filter->extend(snapshot);
    TreeShape shape;
    if (!shape.extend(snapshot->stacks.span(), *filter, stop))
        return isShown;
    isShown.resize(snapshot->stacks.size());
    for (std::size_t stack = 0; stack < isShown.size(); ++stack)
        isShown[stack] = !shape.nodeOf(StackId(stack)).isNone();
    return isShown;
}

} // namespace hearth
