#pragma once

#include "ingest/live/recent_requests.h"
#include "ingest/live/sender_book.h"
#include "model/result.h"
#include "model/store/store.h"
#include "ui/senders/sent_requests.h"

#include <memory>
#include <vector>

// What the port knows of senders, as the window shows it.

namespace hearth {

/// @param before what was known a while ago, for rates; null: nothing
std::vector<SenderRow> senderRows(const Senders &now, const Senders *before, double secondsBetween);

/// The newest comes first.
std::vector<RequestRow> requestRows(const RecentRequests &requests);

/// What a request brought, alone.
Result<std::shared_ptr<Store>> dataSetOf(const RecentRequest &request);

} // namespace hearth
