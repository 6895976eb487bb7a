#pragma once

#include "ingest/bytes/packing.h"
#include "ingest/otlp/signal.h"

#include <optional>
#include <string_view>

// What Hearth makes of the head of an HTTP request, apart from reading it.

namespace hearth {

/// The signal that is posted to a path; a query and a slash at the end do not matter.
std::optional<Signal> signalOfPath(std::string_view target);

/// The signal of a gRPC method, whatever version its package has.
std::optional<Signal> signalOfMethod(std::string_view method);

/// By media type, its parameters aside.
std::optional<Encoding> encodingOfMediaType(std::string_view contentType);

std::optional<Packing> packingOf(std::string_view contentEncoding);

/// Whether a Host header means this machine: localhost or a loopback address, with any port. A page of
/// evil.example can make its own name resolve to 127.0.0.1, but it cannot change what the browser writes
/// here.
bool isLocalHost(std::string_view host);

/// Whether an Origin header names a page that this machine served.
bool isLocalOrigin(std::string_view origin);

bool equalsIgnoringCase(std::string_view a, std::string_view b);

} // namespace hearth
