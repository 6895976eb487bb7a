#pragma once

#include "model/store/batch.h"

namespace hearth {

/// A small shop with a slow request, two minutes long: three programs and the kernel below them, made up but
/// plausible. The same in every run, so that pictures of it can be compared.
Batch demoBatch();

} // namespace hearth
