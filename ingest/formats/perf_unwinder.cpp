#include "ingest/formats/perf_unwinder.h"

#include <string_view>

namespace hearth::perf {

namespace {

bool isOtherBuild(std::string_view buildId, const ElfFile &file)
{
    return !buildId.empty() && !file.buildId().empty() && buildId != file.buildId();
}

SearchPlaces placesIn(std::vector<std::string> folders)
{
    SearchPlaces places;
    places.folders = std::move(folders);
    return places;
}

} // namespace

Unwinder::Unwinder(ProfileBuilder &builder, std::vector<std::string> folders)
    : m_builder(builder), m_folders(std::move(folders))
{}

void Unwinder::walk(const AddressSpace &space, Sample &sample)
{
    const CopiedStack &copy = *sample.copy;
    const Walk walk =
        walkStack({.ip = copy.ip, .sp = copy.sp, .fp = copy.fp, .isReturnAddress = 0, .reserved = 0},
                  {copy.sp, copy.bytes}, [&](std::uint64_t address) { return ruleAt(space, address); });
    count(walk, space);
    sample.chain.push_back(kUserMark);
    sample.chain.push_back(walk.places.front());
    // Chains have of callers where they will go on, which is behind the call.
    for (std::size_t caller = 1; caller < walk.places.size(); ++caller)
        sample.chain.push_back(walk.places[caller] + 1);
}

UnwindRule Unwinder::ruleAt(const AddressSpace &space, std::uint64_t address)
{
    const MappedBinary *binary = space.find(address);
    if (binary == nullptr)
        return m_book[kRuleByFramePointer];
    const Image &image = imageOf(*binary);
    const auto inFile =
        image.file ? image.file->addressOfOffset(address - binary->start + binary->offset) : std::nullopt;
    return m_book[inFile ? image.table.ruleAt(*inFile) : std::uint16_t(kRuleByFramePointer)];
}

Unwinder::Image &Unwinder::imageOf(const MappedBinary &mapped)
{
    const Batch &batch = m_builder.batch();
    const std::size_t number = batch.mappings[mapped.mapping.value].binary.value;
    if (number >= m_images.size())
        m_images.resize(number + 1);
    Image &image = m_images[number];
    if (image.isKnown)
        return image;
    image.isKnown = true;
    if (!m_finder)
        m_finder = std::make_unique<ProgramFinder>(placesIn(std::move(m_folders)));
    const Binary &binary = batch.binaries[number];
    BinaryIdentity identity;
    identity.path = batch.strings[binary.path.value];
    identity.buildId = batch.strings[binary.buildId.value];
    image.file = m_finder->find(identity, {}, 0, false).files.program;
    if (image.file)
        image.table = unwindTableOf(*image.file, m_book);
    return image;
}

void Unwinder::count(const Walk &walk, const AddressSpace &space)
{
    ++m_stops[walk.stop];
    const MappedBinary *binary = walk.stop == kStopLost ? space.find(walk.places.back()) : nullptr;
    if (binary == nullptr)
        return;
    if (Image &image = imageOf(*binary); !image.file)
        ++image.misses;
}

void Unwinder::finish()
{
    Losses &losses = m_builder.losses();
    const auto say = [&losses](std::uint64_t stacks, const std::string &why) {
        if (stacks == 0)
            return;
        losses.add(Loss::CutStacks, std::to_string(stacks) + " stacks: " + why);
        losses.add(Loss::CutStacks, stacks - 1);
    };
    const Batch &batch = m_builder.batch();
    say(m_stops[kStopUnreadable], "no more of them was copied; `--call-graph dwarf,65528` copies most");
    say(m_stops[kStopTooDeep], "they have more than " + std::to_string(kMostUserFrames) + " frames");
    std::uint64_t lost = m_stops[kStopLost];
    for (std::size_t number = 0; number < m_images.size(); ++number) {
        const Image &image = m_images[number];
        const Binary &binary = batch.binaries[number];
        const std::string path(batch.strings[binary.path.value]);
        say(image.misses, "no file of " + path + " is here to unwind them by");
        lost -= image.misses;
        if (image.file && isOtherBuild(batch.strings[binary.buildId.value], *image.file))
            losses.add(Loss::CutStacks, image.file->name() + " is another build of " + path +
                                            ": stacks through it may be wrong");
    }
    say(lost, "they lead to code that says nothing of its frames");
}

} // namespace hearth::perf
