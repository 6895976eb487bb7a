#include "ingest/otlp/layout.h"

namespace hearth::otlp {

namespace {

using P = ProfileRole;
using S = SampleRole;
using L = LocationRole;
using F = FunctionRole;
using M = MappingRole;
using T = TableRole;

// Messages that stayed the same over several generations.

constexpr Roles<F> kFunction{{1, F::Name}, {2, F::SystemName}, {3, F::File}, {4, F::StartLine}};

constexpr Roles<M> kMappingWithFlags{{1, M::Start},        {2, M::Limit},          {3, M::Offset},
                                     {4, M::File},         {5, M::Attributes},     {6, M::HasFunctions},
                                     {7, M::HasFilenames}, {8, M::HasLineNumbers}, {9, M::HasInlineFrames}};
constexpr Roles<M> kMapping{{1, M::Start}, {2, M::Limit}, {3, M::Offset}, {4, M::File}, {5, M::Attributes}};

constexpr Roles<L> kLocationWithFlag{
    {1, L::Mapping}, {2, L::Address}, {3, L::Line}, {4, L::IsFolded}, {5, L::Attributes}};
constexpr Roles<L> kLocation{{1, L::Mapping}, {2, L::Address}, {3, L::Line}, {4, L::Attributes}};

constexpr Roles<S> kSampleWithRange{{1, S::LocationsBegin}, {2, S::LocationsCount}, {3, S::Values},
                                    {4, S::Attributes},     {5, S::Link},           {6, S::Times}};
constexpr Roles<S> kSampleWithStack{
    {1, S::Stack}, {2, S::Values}, {3, S::Attributes}, {4, S::Link}, {5, S::Times}};
constexpr Roles<S> kSample{{1, S::Stack}, {2, S::Attributes}, {3, S::Link}, {4, S::Values}, {5, S::Times}};

constexpr Roles<P> kProfileWithRange{{1, P::SampleType}, {2, P::Sample},     {3, P::LocationIndices},
                                     {4, P::Time},       {5, P::Duration},   {6, P::PeriodType},
                                     {7, P::Period},     {8, P::Comments},   {9, P::DefaultSampleType},
                                     {10, P::Ignored},   {11, P::Dropped},   {12, P::Ignored},
                                     {13, P::Payload},   {14, P::Attributes}};
constexpr Roles<P> kProfile{{1, P::SampleType}, {2, P::Sample},   {3, P::Time},       {4, P::Duration},
                            {5, P::PeriodType}, {6, P::Period},   {7, P::Ignored},    {8, P::Dropped},
                            {9, P::Ignored},    {10, P::Payload}, {11, P::Attributes}};

constexpr Roles<T> kDictionary{{1, T::Mappings}, {2, T::Locations},  {3, T::Functions}, {4, T::Links},
                               {5, T::Strings},  {6, T::Attributes}, {7, T::Stacks}};

constexpr Layout k1_3{
    .tablePlace = TablePlace::InProfile,
    .hasContainer = true,
    .hasNullRows = false,
    .hasUnitInAttribute = false,
    .tables = {{3, T::Mappings},
               {4, T::Locations},
               {5, T::Functions},
               {6, T::Strings},
               {16, T::Attributes},
               {17, T::AttributeUnits},
               {18, T::Links}},
    .profile = {{1, P::SampleType},
                {2, P::Sample},
                {3, P::Table},
                {4, P::Table},
                {5, P::Table},
                {6, P::Table},
                {7, P::DropFrames},
                {8, P::KeepFrames},
                {9, P::Time},
                {10, P::Duration},
                {11, P::PeriodType},
                {12, P::Period},
                {13, P::Comments},
                {14, P::DefaultSampleType},
                {15, P::LocationIndices},
                {16, P::Table},
                {17, P::Table},
                {18, P::Table}},
    .sample = {{1, S::Locations},
               {2, S::Values},
               {3, S::Label},
               {7, S::LocationsBegin},
               {8, S::LocationsCount},
               {9, S::Ignored},
               {10, S::Attributes},
               {12, S::Link},
               {13, S::Times}},
    .location = {{1, L::Ignored},
                 {2, L::Mapping},
                 {3, L::Address},
                 {4, L::Line},
                 {5, L::IsFolded},
                 {6, L::Type},
                 {7, L::Attributes}},
    .function = {{1, F::Ignored}, {2, F::Name}, {3, F::SystemName}, {4, F::File}, {5, F::StartLine}},
    .mapping = {{1, M::Ignored},
                {2, M::Start},
                {3, M::Limit},
                {4, M::Offset},
                {5, M::File},
                {6, M::BuildId},
                {7, M::HasFunctions},
                {8, M::HasFilenames},
                {9, M::HasLineNumbers},
                {10, M::HasInlineFrames},
                {11, M::BuildIdKind},
                {12, M::Attributes}},
};

constexpr Layout k1_4{
    .tablePlace = TablePlace::InProfile,
    .hasContainer = false,
    .hasNullRows = false,
    .hasUnitInAttribute = false,
    .tables = {{3, T::Mappings},
               {4, T::Locations},
               {6, T::Functions},
               {7, T::Attributes},
               {8, T::AttributeUnits},
               {9, T::Links},
               {10, T::Strings}},
    .profile =
        {{1, P::SampleType},      {2, P::Sample},         {3, P::Table},     {4, P::Table},
         {5, P::LocationIndices}, {6, P::Table},          {7, P::Table},     {8, P::Table},
         {9, P::Table},           {10, P::Table},         {11, P::Time},     {12, P::Duration},
         {13, P::PeriodType},     {14, P::Period},        {15, P::Comments}, {16, P::DefaultSampleType},
         {17, P::Ignored},        {18, P::OwnAttributes}, {19, P::Dropped},  {20, P::Ignored},
         {21, P::Payload},        {22, P::Attributes}},
    .sample = kSampleWithRange,
    .location = kLocationWithFlag,
    .function = kFunction,
    .mapping = kMappingWithFlags,
};

constexpr Layout k1_6{
    .tablePlace = TablePlace::InData,
    .hasContainer = false,
    .hasNullRows = false,
    .hasUnitInAttribute = false,
    .tables = {{2, T::Mappings},
               {3, T::Locations},
               {4, T::Functions},
               {5, T::Links},
               {6, T::Strings},
               {7, T::Attributes},
               {8, T::AttributeUnits}},
    .profile = kProfileWithRange,
    .sample = kSampleWithRange,
    .location = kLocationWithFlag,
    .function = kFunction,
    .mapping = kMappingWithFlags,
};

constexpr Layout k1_7{
    .tablePlace = TablePlace::InDictionary,
    .hasContainer = false,
    .hasNullRows = false,
    .hasUnitInAttribute = false,
    .tables = {{1, T::Mappings},
               {2, T::Locations},
               {3, T::Functions},
               {4, T::Links},
               {5, T::Strings},
               {6, T::Attributes},
               {7, T::AttributeUnits}},
    .profile = kProfileWithRange,
    .sample = kSampleWithRange,
    .location = kLocationWithFlag,
    .function = kFunction,
    .mapping = kMappingWithFlags,
};

constexpr Layout k1_8{
    .tablePlace = TablePlace::InDictionary,
    .hasContainer = false,
    .hasNullRows = true,
    .hasUnitInAttribute = true,
    .tables = kDictionary,
    .profile = {{1, P::SampleType},
                {2, P::Sample},
                {3, P::Time},
                {4, P::Duration},
                {5, P::PeriodType},
                {6, P::Period},
                {7, P::Comments},
                {8, P::Ignored},
                {9, P::Dropped},
                {10, P::Ignored},
                {11, P::Payload},
                {12, P::Attributes}},
    .sample = kSampleWithStack,
    .location = kLocation,
    .function = kFunction,
    .mapping = kMapping,
};

constexpr Layout k1_9{
    .tablePlace = TablePlace::InDictionary,
    .hasContainer = false,
    .hasNullRows = true,
    .hasUnitInAttribute = true,
    .tables = kDictionary,
    .profile = kProfile,
    .sample = kSampleWithStack,
    .location = kLocation,
    .function = kFunction,
    .mapping = kMapping,
};

constexpr Layout k1_10{
    .tablePlace = TablePlace::InDictionary,
    .hasContainer = false,
    .hasNullRows = true,
    .hasUnitInAttribute = true,
    .tables = kDictionary,
    .profile = kProfile,
    .sample = kSample,
    .location = kLocation,
    .function = kFunction,
    .mapping = kMapping,
};

} // namespace

const Layout &layoutOf(Generation generation)
{
    switch (generation) {
    case Generation::V1_3:
        return k1_3;
    case Generation::V1_4:
        return k1_4;
    case Generation::V1_6:
        return k1_6;
    case Generation::V1_7:
        return k1_7;
    case Generation::V1_8:
        return k1_8;
    case Generation::V1_9:
        return k1_9;
    case Generation::V1_10:
        break;
    }
    return k1_10;
}

std::string_view nameOf(Generation generation)
{
    constexpr std::array<std::string_view, 7> kNames{"1.3", "1.4", "1.6", "1.7", "1.8", "1.9", "1.10"};
    return kNames[static_cast<std::size_t>(generation)];
}

} // namespace hearth::otlp
