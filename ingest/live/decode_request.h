#pragma once

#include "ingest/live/live_store.h"

namespace hearth {

/// The decoder of a live store: OTLP of every signal, encoding and generation.
Result<DecodedRequest> decodeRequest(const Request &request);

} // namespace hearth
