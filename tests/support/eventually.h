#pragma once

#include <QTest>

/// For what another thread or the event loop brings about: patient enough for any machine that is still
/// alive.
#define EVENTUALLY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 60'000)
#define EVENTUALLY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60'000)
