#include "ingest/formats/callgrind_graph.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace hearth {

namespace {

constexpr std::size_t kMostPlaces = 500'000;
constexpr std::size_t kMostSteps = 20'000'000;
constexpr std::size_t kDeepest = 400;
constexpr double kSmallestPart = 1e-5; ///< of all: below that, paths are not followed

std::int64_t clampedSum(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? a : sum;
}

} // namespace

std::uint32_t CallgrindGraph::addFunction(FrameId frame)
{
    m_functions.emplace_back().frame = frame;
    return static_cast<std::uint32_t>(m_functions.size() - 1);
}

CallgrindGraph::Cost &CallgrindGraph::self(std::uint32_t function, FrameId frame, std::size_t events)
{
    std::vector<Cost> &self = m_functions[function].self;
    if (self.empty() || self.back().frame != frame)
        self.push_back({frame, {}});
    if (self.back().values.size() < events)
        self.back().values.resize(events);
    return self.back();
}

void CallgrindGraph::addCall(std::uint32_t caller, std::uint32_t callee, std::int64_t cost)
{
    std::vector<Call> &calls = m_functions[caller].calls;
    if (calls.empty() || calls.back().callee != callee)
        calls.push_back({callee, 0});
    calls.back().cost += static_cast<double>(std::max<std::int64_t>(cost, 0));
}

void CallgrindGraph::sumUp()
{
    for (Function &function : m_functions) {
        std::ranges::sort(function.calls, {}, &Call::callee);
        std::vector<Call> calls;
        for (const Call &call : function.calls) {
            if (calls.empty() || calls.back().callee != call.callee)
                calls.push_back({call.callee, 0});
            calls.back().cost += call.cost;
        }
        std::ranges::stable_sort(calls, std::greater<>(), &Call::cost);
        function.calls = std::move(calls);
        for (const Cost &cost : function.self) {
            const auto value = cost.values.empty() ? 0.0 : static_cast<double>(cost.values.front());
            function.inclusive += value;
            m_total += value;
        }
        for (const Call &call : function.calls) {
            function.inclusive += call.cost;
            m_functions[call.callee].fromCallers += call.cost;
        }
    }
}

/// From every function that is called less than it costs: from main, and from where threads begin.
void CallgrindGraph::findPlaces()
{
    for (std::uint32_t root = 0; root < m_functions.size(); ++root) {
        const Function &function = m_functions[root];
        const double share =
            function.fromCallers <= 0 ? 1 : 1 - std::min(1.0, function.fromCallers / function.inclusive);
        if (share * function.inclusive > m_total * kSmallestPart || function.fromCallers <= 0)
            walk(root, share);
    }
}

void CallgrindGraph::walk(std::uint32_t root, double share)
{
    enter(root, StackId(), share);
    while (!m_path.empty()) {
        Step &step = m_path.back();
        Function &function = m_functions[step.place.function];
        const bool isOver = step.next == function.calls.size() || ++m_steps > kMostSteps ||
                            step.place.share * function.calls[step.next].cost < m_total * kSmallestPart;
        if (isOver) { // the calls behind this one cost less
            function.isOnPath = false;
            m_path.pop_back();
            continue;
        }
        const Call call = function.calls[step.next++];
        const Function &callee = m_functions[call.callee];
        if (callee.isOnPath || callee.inclusive <= 0 || m_path.size() >= kDeepest ||
            m_places.size() >= kMostPlaces)
            continue;
        const double part = step.place.share * std::min(1.0, call.cost / callee.inclusive);
        if (part * callee.inclusive > m_total * kSmallestPart)
            enter(call.callee, m_builder.child(step.place.callers, function.frame), part);
    }
}

void CallgrindGraph::enter(std::uint32_t function, StackId callers, double share)
{
    m_functions[function].isOnPath = true;
    m_places.push_back({function, callers, share});
    m_path.push_back({m_places.back(), 0});
}

void CallgrindGraph::finish(const BlockText &series)
{
    sumUp();
    findPlaces();
    const std::size_t block = m_builder.block(series);
    std::ranges::stable_sort(m_places, {}, &Place::function);
    std::size_t begin = 0;
    for (std::uint32_t function = 0; function < m_functions.size(); ++function) {
        std::size_t end = begin;
        while (end < m_places.size() && m_places[end].function == function)
            ++end;
        for (Cost &cost : m_functions[function].self)
            cost.values.resize(series.series.size());
        addSamples(m_functions[function], begin, end, block);
        begin = end;
    }
}

/// Shares out what a function cost by itself such that the parts add up to it.
void CallgrindGraph::addSamples(const Function &function, std::size_t begin, std::size_t end,
                                std::size_t block)
{
    double shares = 0;
    for (std::size_t place = begin; place < end; ++place)
        shares += m_places[place].share;
    for (const Cost &cost : function.self) {
        std::vector<std::int64_t> given(cost.values.size());
        std::vector<std::int64_t> values(cost.values.size());
        double sum = 0;
        for (std::size_t place = begin; place == begin || place < end; ++place) {
            const bool isLast = place + 1 >= end || shares <= 0;
            sum += place < end ? m_places[place].share : 0;
            for (std::size_t event = 0; event < values.size(); ++event) {
                const auto whole = static_cast<double>(cost.values[event]);
                const std::int64_t until = isLast ? cost.values[event]
                                                  : static_cast<std::int64_t>(std::clamp(
                                                        std::round(whole * sum / shares), -9.2e18, 9.2e18));
                values[event] = clampedSum(until, -given[event]);
                given[event] = until;
            }
            const StackId callers = place < end ? m_places[place].callers : StackId();
            if (std::ranges::any_of(values, [](std::int64_t value) { return value != 0; }))
                m_builder.add(block, m_builder.child(callers, cost.frame), ContextId(), 0, values);
            if (isLast)
                break;
        }
    }
}

} // namespace hearth
