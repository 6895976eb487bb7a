#pragma once

#include "ingest/bytes/packing.h"
#include "ingest/client/client.h"
#include "ingest/journal/message_file.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace hearth::agent {

struct DeliveryCounts {
    std::uint64_t delivered = 0;
    std::uint64_t dropped = 0; ///< messages that were refused, or that the queue had no room for
    std::string lastError;
};

/// Where profiles go: a receiver or a file. Sending has a thread of its own, so that a slow receiver does not
/// hold up the recording. One thread adds, any may ask for the counts.
class Delivery {
public:
    Delivery() = default;
    Delivery(const Delivery &) = delete;
    Delivery &operator=(const Delivery &) = delete;
    virtual ~Delivery() = default;

    virtual void add(std::string message) = 0;

    /// Waits until everything is where it should be, or there is no hope. Nothing is added any more.
    virtual void finish() = 0;

    virtual DeliveryCounts counts() const = 0;
};

std::unique_ptr<Delivery> deliveryTo(std::unique_ptr<Client> client);
std::unique_ptr<Delivery> deliveryInto(MessageFile file, Packing packing);

} // namespace hearth::agent
