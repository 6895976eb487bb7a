#pragma once

#include "ingest/formats/profile_builder.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hearth {

/// What a trace says that a thread did, from when to when.
struct TraceSlice {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    StringId name;
    AttributeSetId attributes;
    std::uint32_t depth = 0; ///< of those of equal times, the deeper are within the others
};

/// The slices of a trace by thread, or by what else they follow one another on. They become spans, of which
/// those are parents that enclose others; those of threads become samples, too, of the time that they leave
/// to themselves.
class TraceSlices {
public:
    explicit TraceSlices(ProfileBuilder &builder) : m_builder(&builder) {}
    /// The same for a copy of the builder.
    TraceSlices copyFor(ProfileBuilder &builder) const
    {
        TraceSlices copy = *this;
        copy.m_builder = &builder;
        return copy;
    }

    /// Numbers of a thread, and of slices that are joined by an id.
    std::uint32_t thread(std::int64_t process, std::int64_t thread);
    std::uint32_t asyncTrack(std::int64_t process, std::string_view id);

    void setProcessName(std::int64_t process, std::string_view name) { m_processNames[process] = name; }
    void setThreadName(std::int64_t process, std::int64_t thread, std::string_view name)
    {
        m_threadNames[{process, thread}] = name;
    }

    void add(std::uint32_t track, const TraceSlice &slice);
    void begin(std::uint32_t track, const TraceSlice &slice);
    /// Ends the slice that was begun last, or the last one of this name.
    void end(std::uint32_t track, std::int64_t timeNs, StringId name, AttributeSetId attributes);

    ContextId threadContext(std::int64_t process, std::int64_t thread);
    /// Of a span or another record of a thread that has attributes of its own.
    ContextId recordContext(std::int64_t process, std::int64_t thread, AttributeSetId own)
    {
        return m_builder->context(ownerOf(process, thread), own);
    }

    void finish();

private:
    struct Track {
        std::int64_t process = 0;
        std::int64_t thread = 0;
        bool isAsync = false;
        std::vector<TraceSlice> slices;
        std::vector<TraceSlice> open;
    };

    std::vector<Attribute> processAttributes(std::int64_t process);
    std::vector<Attribute> threadAttributes(std::int64_t process, std::int64_t thread);
    AttributeSetId ownerOf(std::int64_t process, std::int64_t thread);
    void closeOpen(Track &track);
    void addSpans(std::uint32_t number, Track &track);
    ContextId spanContext(std::uint32_t track, AttributeSetId owner, AttributeSetId own);

    /// Of spans with these attributes, in the track that was last to have any.
    struct TrackContext {
        std::uint32_t track = ~0U;
        ContextId context;
    };

    ProfileBuilder *m_builder;
    std::vector<Track> m_tracks;
    std::vector<TrackContext> m_contextOf; ///< by attributes of a slice
    std::vector<FrameId> m_frames;         ///< by the name of a slice
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> m_trackOfThread;
    DigestMap m_trackOfId;
    std::map<std::int64_t, std::string> m_processNames;
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> m_threadNames;
    std::int64_t m_latestNs = 0;
    std::uint64_t m_spans = 0;
};

} // namespace hearth
