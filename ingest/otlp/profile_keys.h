#pragma once

#include "model/store/rows.h"

#include <array>
#include <string_view>

// Keys of attributes that stand for what the model and other formats have fields for.

namespace hearth::otlp {

inline constexpr std::string_view kFrameTypeKey = "profile.frame.type";
inline constexpr std::string_view kIsFoldedKey = "pprof.location.is_folded";

struct MappingFlagKey {
    std::string_view key;
    MappingFlags flag;
};
inline constexpr std::array kMappingFlagKeys{
    MappingFlagKey{"pprof.mapping.has_functions", kHasFunctions},
    MappingFlagKey{"pprof.mapping.has_filenames", kHasFilenames},
    MappingFlagKey{"pprof.mapping.has_line_numbers", kHasLineNumbers},
    MappingFlagKey{"pprof.mapping.has_inline_frames", kHasInlineFrames}};

struct BuildIdKey {
    std::string_view key;
    StringId Binary::*member;
};
inline constexpr std::array kBuildIdKeys{
    BuildIdKey{"process.executable.build_id.gnu", &Binary::buildId},
    BuildIdKey{"process.executable.build_id.go", &Binary::goBuildId},
    BuildIdKey{"process.executable.build_id.htlhash", &Binary::fileHash}};
/// What htlhash was called before.
inline constexpr std::string_view kOldFileHashKey = "process.executable.build_id.profiling";

inline constexpr std::string_view kDropFramesKey = "pprof.profile.drop_frames",
                                  kKeepFramesKey = "pprof.profile.keep_frames",
                                  kDocUrlKey = "pprof.profile.doc_url",
                                  kCommentKey =
                                      "pprof.profile.comment", ///< often with ".0", ".1" … behind it
    kDefaultSampleTypeKey = "pprof.scope.default_sample_type";

} // namespace hearth::otlp
