#include "ingest/bytes/message_fields.h"

namespace hearth {

MessageFields::MessageFields(std::span<const std::uint8_t> message)
{
    const std::uint8_t *at = message.data();
    const std::uint8_t *const end = at + message.size();
    while (at != end && m_fields.size() < kMostFields) {
        WireField field;
        std::uint64_t length = 0;
        const WireOutcome outcome = readFieldHead(at, end, field, length);
        if (outcome == WireOutcome::Malformed)
            m_isMessage = false;
        if (outcome != WireOutcome::Ok)
            return;
        length = std::min<std::uint64_t>(length, static_cast<std::uint64_t>(end - at));
        field.bytes = {at, static_cast<std::size_t>(length)};
        at += length;
        m_fields.push_back(field);
    }
}

} // namespace hearth
