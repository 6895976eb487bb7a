#pragma once

#include "model/store/batch.h"
#include "model/store/snapshot.h"

#include <memory>
#include <string>
#include <string_view>

// Spans as text, for tests.
//
//   1.2<1.1 10..20 checkout! GET /cart | http.route=/cart retries:2
//
// Span 2 of trace 1, a child of span 1 of that trace, from nanosecond 10 to 20, of the service "checkout",
// failed
// ("!"), called "GET /cart", with two attributes. Without "<" it is a root. Span 0 is none: no id.

namespace hearth::test {

/// "1.2": span 2 of trace 1.
Link linkNamed(std::string_view text);

Batch spansOf(std::string_view text);

/// Log records, a line each: "1.2 15 error shop the message" was written in span 2 of trace 1 at nanosecond
/// 15;
/// "-" in place of the span: in none.
Batch logsOf(std::string_view text);

/// Samples (profile_text.h) and spans as one data set.
std::shared_ptr<const Snapshot> dataSetOf(std::string_view profile, std::string_view spans);

} // namespace hearth::test
