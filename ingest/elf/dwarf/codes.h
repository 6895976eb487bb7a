#pragma once

#include <cstdint>

// Numbers of DWARF 2 to 5, chapter 7.5 to 7.8 and 7.25 of its fifth version, and GNU's of before it, as far
// as names and lines of addresses need them.

namespace hearth::dwarf {

enum Tag : std::uint16_t {
    kTagClass = 0x02,
    kTagEnumeration = 0x04,
    kTagCompileUnit = 0x11,
    kTagStructure = 0x13,
    kTagSubroutineType = 0x15,
    kTagUnion = 0x17,
    kTagInlined = 0x1d,
    kTagSubprogram = 0x2e,
    kTagInterface = 0x38,
    kTagCallSite = 0x48,
    kTagGnuCallSite = 0x4109,
};

enum AttributeName : std::uint16_t {
    kSibling = 0x01,
    kName = 0x03,
    kStatementList = 0x10,
    kLowPc = 0x11,
    kHighPc = 0x12,
    kCompilationFolder = 0x1b,
    kAbstractOrigin = 0x31,
    kDeclarationLine = 0x3b,
    kSpecification = 0x47,
    kRanges = 0x55,
    kCallColumn = 0x57,
    kCallFile = 0x58,
    kCallLine = 0x59,
    kLinkageName = 0x6e,
    kStringOffsetsBase = 0x72,
    kAddressBase = 0x73,
    kRangeListsBase = 0x74,
    kDwoName = 0x76,
    kMipsLinkageName = 0x2007,
    kGnuDwoName = 0x2130,
    kGnuDwoId = 0x2131,
    kGnuRangesBase = 0x2132,
    kGnuAddressBase = 0x2133,
};

enum Form : std::uint16_t {
    kFormAddress = 0x01,
    kFormBlock2 = 0x03,
    kFormBlock4 = 0x04,
    kFormData2 = 0x05,
    kFormData4 = 0x06,
    kFormData8 = 0x07,
    kFormString = 0x08,
    kFormBlock = 0x09,
    kFormBlock1 = 0x0a,
    kFormData1 = 0x0b,
    kFormFlag = 0x0c,
    kFormSigned = 0x0d,
    kFormStringOffset = 0x0e,
    kFormUnsigned = 0x0f,
    kFormGlobalReference = 0x10,
    kFormReference1 = 0x11,
    kFormReference2 = 0x12,
    kFormReference4 = 0x13,
    kFormReference8 = 0x14,
    kFormReferenceUnsigned = 0x15,
    kFormIndirect = 0x16,
    kFormSectionOffset = 0x17,
    kFormExpression = 0x18,
    kFormFlagPresent = 0x19,
    kFormStringIndex = 0x1a,
    kFormAddressIndex = 0x1b,
    kFormSupplementReference4 = 0x1c,
    kFormSupplementString = 0x1d,
    kFormData16 = 0x1e,
    kFormLineString = 0x1f,
    kFormSignature = 0x20,
    kFormImplicit = 0x21,
    kFormLocationListIndex = 0x22,
    kFormRangeListIndex = 0x23,
    kFormSupplementReference8 = 0x24,
    kFormStringIndex1 = 0x25,
    kFormStringIndex2 = 0x26,
    kFormStringIndex3 = 0x27,
    kFormStringIndex4 = 0x28,
    kFormAddressIndex1 = 0x29,
    kFormAddressIndex2 = 0x2a,
    kFormAddressIndex3 = 0x2b,
    kFormAddressIndex4 = 0x2c,
    kFormGnuAddressIndex = 0x1f01,
    kFormGnuStringIndex = 0x1f02,
    kFormGnuSupplementReference = 0x1f20,
    kFormGnuSupplementString = 0x1f21,
};

enum UnitType : std::uint8_t {
    kUnitCompile = 1,
    kUnitType = 2,
    kUnitPartial = 3,
    kUnitSkeleton = 4,
    kUnitSplitCompile = 5,
    kUnitSplitType = 6,
};

} // namespace hearth::dwarf
