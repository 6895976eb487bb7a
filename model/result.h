#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace hearth {

/// Why an operation could not be done: lower-case prose that names the thing and the place.
struct Error {
    std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(std::string message)
{
    return tl::unexpected(Error{std::move(message)});
}

} // namespace hearth
