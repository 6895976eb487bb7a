#include "ingest/otlp/envelope.h"

namespace hearth::otlp {

Envelope::Envelope(Bytes message)
{
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
        readable = static_cast<std::size_t>(reader.position() - message.data());
        if (!field.isBytes() || field.number >= hasField.size()) {
            isOtlp = false;
            return;
        }
        hasField[field.number] = true;
        if (field.number == field::kDataResource)
            resources.push_back(field.bytes);
        else if (field.number == field::kDataDictionary)
            dictionaryParts.push_back(field.bytes);
    }
}

} // namespace hearth::otlp
