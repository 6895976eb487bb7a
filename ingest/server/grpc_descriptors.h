#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// A service of the port as Protocol Buffers describe it: a FileDescriptorProto that needs no other file.
struct DescribedService {
    std::string name;                 ///< with its package
    std::string file;                 ///< what the description is called
    std::string descriptor;           ///< FileDescriptorProto
    std::vector<std::string> symbols; ///< what is described: the service, its methods and messages
};

/// All services. Each has the messages that it needs in its own package, enumerations as numbers, made of the
/// tables that JSON is read by.
const std::vector<DescribedService> &describedServices();

} // namespace hearth
