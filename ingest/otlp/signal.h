#pragma once

namespace hearth {

/// The four kinds of data that OTLP carries.
enum class Signal { Profiles, Traces, Logs, Metrics };

/// How an OTLP message is written.
enum class Encoding { Protobuf, Json };

} // namespace hearth
