#pragma once

#include "ingest/bytes/message_fields.h"
#include "ingest/otlp/envelope.h"
#include "ingest/otlp/signal.h"

#include <optional>

namespace hearth::otlp {

// The four signals have the same envelope, and nothing in a file says which it holds.

/// By one record: a profile, a span, a log record or a metric. @return nothing if it says too little
std::optional<Signal> signalOfRecord(const MessageFields &record);

/// By all records of a message; profiles if they say too little.
Signal signalOf(Bytes message);

} // namespace hearth::otlp
