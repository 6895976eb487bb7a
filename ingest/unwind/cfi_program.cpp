#include "ingest/unwind/cfi_program.h"

#include "ingest/elf/cursor.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace hearth {

namespace {

// Registers of x86-64 as DWARF numbers them.
constexpr std::uint64_t kFp = 6, kSp = 7;

constexpr std::size_t kDeepestMemory = 64; ///< of DW_CFA_remember_state
constexpr std::size_t kMostRowsAFunction = std::size_t(1) << 16;

enum Opcode : std::uint8_t {
    kAdvance = 0x40, // these three carry a number in their lower bits
    kOffset = 0x80,
    kRestore = 0xc0,
    kNop = 0x00,
    kSetLocation = 0x01,
    kAdvance1 = 0x02,
    kAdvance2 = 0x03,
    kAdvance4 = 0x04,
    kOffsetExtended = 0x05,
    kRestoreExtended = 0x06,
    kUndefined = 0x07,
    kSameValue = 0x08,
    kRegister = 0x09,
    kRememberState = 0x0a,
    kRestoreState = 0x0b,
    kDefCfa = 0x0c,
    kDefCfaRegister = 0x0d,
    kDefCfaOffset = 0x0e,
    kDefCfaExpression = 0x0f,
    kExpression = 0x10,
    kOffsetExtendedSigned = 0x11,
    kDefCfaSigned = 0x12,
    kDefCfaOffsetSigned = 0x13,
    kValueOffset = 0x14,
    kValueOffsetSigned = 0x15,
    kValueExpression = 0x16,
    kGnuWindowSave = 0x2d,
    kGnuArgsSize = 0x2e,
    kGnuNegativeOffset = 0x2f,
};

enum Operation : std::uint8_t { kDeref = 0x06, kBaseRegister0 = 0x70, kBaseRegister31 = 0x8f };

/// `*(register + offset)` or `register + offset`, which is what compilers compute a frame by if not simply.
struct RegisterExpression {
    std::uint64_t base = 0;
    std::int64_t offset = 0;
    bool isDereferenced = false;
};

std::optional<RegisterExpression> registerExpression(std::span<const std::uint8_t> expression)
{
    Cursor cursor(expression);
    const auto operation = cursor.u8();
    if (operation < kBaseRegister0 || operation > kBaseRegister31)
        return std::nullopt;
    RegisterExpression found{.base = std::uint64_t(operation) - kBaseRegister0, .offset = cursor.sleb()};
    if (!cursor.isAtEnd())
        found.isDereferenced = cursor.u8() == kDeref;
    return cursor.isGood() && cursor.isAtEnd() ? std::optional(found) : std::nullopt;
}

/// The linker describes all entries of a procedure linkage table at once:
/// breg7 8; breg16 0; lit15; and; litN; ge; lit3; shl; plus. @return N
std::optional<std::int32_t> pltThreshold(std::span<const std::uint8_t> expression)
{
    constexpr std::array<std::uint8_t, 11> kPattern{0x77, 8, 0x80, 0, 0x3f, 0x1a, 0, 0x2a, 0x33, 0x24, 0x22};
    constexpr std::size_t kLiteral = 6;
    constexpr std::uint8_t kLiteral0 = 0x30, kLiteral15 = 0x3f;
    if (expression.size() != kPattern.size() || expression[kLiteral] < kLiteral0 ||
        expression[kLiteral] > kLiteral15)
        return std::nullopt;
    for (std::size_t i = 0; i < kPattern.size(); ++i)
        if (i != kLiteral && expression[i] != kPattern[i])
            return std::nullopt;
    return expression[kLiteral] - kLiteral0;
}

/// Where a register of the caller is. Only what a rule can express is told apart.
struct Saved {
    enum class Where : std::uint8_t { Unchanged, AtCfa, AtFp, Undefined, Elsewhere };

    Where where = Where::Unchanged;
    std::int64_t offset = 0;
};

struct Registers {
    enum class Cfa : std::uint8_t { Register, AtRegister, Plt, Elsewhere };

    Cfa cfa = Cfa::Elsewhere;
    std::uint64_t cfaBase = 0;
    std::int64_t cfaOffset = 0;
    Saved fp;
    Saved returnAddress{.where = Saved::Where::AtCfa, .offset = -8};
};

std::optional<UnwindKind> cfaKind(const Registers &registers)
{
    if (registers.cfa == Registers::Cfa::Plt)
        return kPlt;
    const bool isDereferenced = registers.cfa == Registers::Cfa::AtRegister;
    if (registers.cfa == Registers::Cfa::Elsewhere)
        return std::nullopt;
    if (registers.cfaBase == kSp)
        return isDereferenced ? kCfaAtSp : kCfaFromSp;
    if (registers.cfaBase == kFp)
        return isDereferenced ? kCfaAtFp : kCfaFromFp;
    return std::nullopt;
}

UnwindRule ruleOf(const Registers &registers, bool isSignalFrame)
{
    UnwindRule rule{};
    if (isSignalFrame) {
        rule.kind = kSignalFrame;
        return rule;
    }
    if (registers.returnAddress.where == Saved::Where::Undefined) {
        rule.kind = kOutermost;
        return rule;
    }
    const auto kind = cfaKind(registers);
    const Saved &fp = registers.fp;
    if (!kind || registers.returnAddress.where != Saved::Where::AtCfa ||
        registers.returnAddress.offset != -8 ||
        registers.cfaOffset != static_cast<std::int32_t>(registers.cfaOffset) ||
        fp.offset != static_cast<std::int16_t>(fp.offset))
        return rule;
    rule.kind = static_cast<__u8>(*kind);
    rule.cfaOffset = static_cast<__s32>(registers.cfaOffset);
    rule.savedFp = fp.where == Saved::Where::AtCfa  ? kFpAtCfa
                   : fp.where == Saved::Where::AtFp ? kFpAtFp
                                                    : kFpUnchanged;
    rule.fpOffset = rule.savedFp == kFpUnchanged ? __s16(0) : static_cast<__s16>(fp.offset);
    return rule;
}

/// The state of a program that runs.
class Machine {
public:
    Machine(const CfiCommon &common, std::uint64_t begin, std::uint64_t end, std::vector<CfiRow> &rows)
        : m_common(common), m_address(begin), m_end(end), m_rows(rows), m_firstRow(rows.size())
    {}

    bool run(std::span<const std::uint8_t> instructions)
    {
        Cursor cursor(instructions);
        while (!cursor.isAtEnd() && m_isGood)
            step(cursor);
        return m_isGood && cursor.isGood();
    }

    void beginFunction() { m_initial = m_now; }

    void emitRow()
    {
        if (m_address >= m_end)
            return;
        const UnwindRule rule = ruleOf(m_now, m_common.isSignalFrame);
        if (m_rows.size() > m_firstRow && m_rows.back().rule == rule)
            return;
        if (m_rows.size() > m_firstRow && m_rows.back().address == m_address)
            m_rows.back().rule = rule;
        else if (m_rows.size() - m_firstRow == kMostRowsAFunction)
            m_isGood = false;
        else
            m_rows.push_back({m_address, rule});
    }

private:
    void step(Cursor &cursor);
    void stepExtended(Cursor &cursor, std::uint8_t opcode);

    void advance(std::uint64_t delta)
    {
        emitRow();
        const std::uint64_t bytes = delta * m_common.codeAlignment;
        m_address = bytes < m_end - std::min(m_address, m_end) ? m_address + bytes : m_end;
    }

    std::int64_t factored(std::uint64_t offset) const
    {
        return static_cast<std::int64_t>(offset * static_cast<std::uint64_t>(m_common.dataAlignment));
    }

    void save(std::uint64_t number, Saved::Where where, std::int64_t offset = 0)
    {
        if (number == kFp)
            m_now.fp = {where, offset};
        else if (number == m_common.returnRegister)
            m_now.returnAddress = {where, offset};
    }

    void restore(std::uint64_t number)
    {
        if (number == kFp)
            m_now.fp = m_initial.fp;
        else if (number == m_common.returnRegister)
            m_now.returnAddress = m_initial.returnAddress;
    }

    void saveByExpression(std::uint64_t number, std::span<const std::uint8_t> expression)
    {
        const auto found = registerExpression(expression);
        if (found && !found->isDereferenced && found->base == kFp)
            save(number, Saved::Where::AtFp, found->offset);
        else
            save(number, Saved::Where::Elsewhere);
    }

    void setCfa(std::uint64_t base, std::int64_t offset)
    {
        m_now.cfa = Registers::Cfa::Register;
        m_now.cfaBase = base;
        m_now.cfaOffset = offset;
    }

    void setCfa(std::span<const std::uint8_t> expression)
    {
        m_now.cfa = Registers::Cfa::Elsewhere;
        if (const auto threshold = pltThreshold(expression)) {
            m_now.cfa = Registers::Cfa::Plt;
            m_now.cfaOffset = *threshold;
        } else if (const auto found = registerExpression(expression)) {
            setCfa(found->base, found->offset);
            if (found->isDereferenced)
                m_now.cfa = Registers::Cfa::AtRegister;
        }
    }

    void rememberState()
    {
        if (m_remembered.size() == kDeepestMemory)
            m_isGood = false;
        else
            m_remembered.push_back(m_now);
    }

    void restoreState()
    {
        if (m_remembered.empty()) {
            m_isGood = false;
            return;
        }
        m_now = m_remembered.back();
        m_remembered.pop_back();
    }

    const CfiCommon &m_common;
    std::uint64_t m_address;
    const std::uint64_t m_end;
    std::vector<CfiRow> &m_rows;
    const std::size_t m_firstRow;
    Registers m_now;
    Registers m_initial;
    std::vector<Registers> m_remembered;
    bool m_isGood = true;
};

void Machine::step(Cursor &cursor)
{
    const auto opcode = cursor.u8();
    const std::uint8_t low = opcode & 0x3f;
    switch (opcode & 0xc0) {
    case kAdvance:
        advance(low);
        break;
    case kOffset:
        save(low, Saved::Where::AtCfa, factored(cursor.uleb()));
        break;
    case kRestore:
        restore(low);
        break;
    default:
        stepExtended(cursor, opcode);
    }
}

void Machine::stepExtended(Cursor &cursor, std::uint8_t opcode)
{
    std::uint64_t number = 0;
    switch (opcode) {
    case kNop:
    case kGnuWindowSave:
        break;
    case kAdvance1:
        advance(cursor.u8());
        break;
    case kAdvance2:
        advance(cursor.u16());
        break;
    case kAdvance4:
        advance(cursor.u32());
        break;
    case kOffsetExtended:
        number = cursor.uleb();
        save(number, Saved::Where::AtCfa, factored(cursor.uleb()));
        break;
    case kOffsetExtendedSigned:
        number = cursor.uleb();
        save(number, Saved::Where::AtCfa, factored(static_cast<std::uint64_t>(cursor.sleb())));
        break;
    case kGnuNegativeOffset:
        number = cursor.uleb();
        save(number, Saved::Where::AtCfa, factored(0 - cursor.uleb()));
        break;
    case kRestoreExtended:
        restore(cursor.uleb());
        break;
    case kUndefined:
        save(cursor.uleb(), Saved::Where::Undefined);
        break;
    case kSameValue:
        save(cursor.uleb(), Saved::Where::Unchanged);
        break;
    case kRegister:
    case kValueOffset:
    case kValueOffsetSigned:
        save(cursor.uleb(), Saved::Where::Elsewhere);
        cursor.uleb(); // a signed number is as long
        break;
    case kExpression:
        number = cursor.uleb();
        saveByExpression(number, cursor.bytes(cursor.uleb()));
        break;
    case kValueExpression:
        save(cursor.uleb(), Saved::Where::Elsewhere);
        cursor.bytes(cursor.uleb());
        break;
    case kRememberState:
        rememberState();
        break;
    case kRestoreState:
        restoreState();
        break;
    case kDefCfa:
        number = cursor.uleb();
        setCfa(number, static_cast<std::int64_t>(cursor.uleb()));
        break;
    case kDefCfaSigned:
        number = cursor.uleb();
        setCfa(number, factored(static_cast<std::uint64_t>(cursor.sleb())));
        break;
    case kDefCfaRegister:
        setCfa(cursor.uleb(), m_now.cfaOffset);
        break;
    case kDefCfaOffset:
        m_now.cfaOffset = static_cast<std::int64_t>(cursor.uleb());
        break;
    case kDefCfaOffsetSigned:
        m_now.cfaOffset = factored(static_cast<std::uint64_t>(cursor.sleb()));
        break;
    case kDefCfaExpression:
        setCfa(cursor.bytes(cursor.uleb()));
        break;
    case kGnuArgsSize:
        cursor.uleb();
        break;
    default: // kSetLocation too, which no compiler for x86-64 writes
        m_isGood = false;
    }
}

} // namespace

bool runCfiProgram(const CfiCommon &common, std::span<const std::uint8_t> instructions, std::uint64_t begin,
                   std::uint64_t end, std::vector<CfiRow> &rows)
{
    Machine machine(common, begin, end, rows);
    if (!machine.run(common.instructions))
        return false;
    machine.beginFunction();
    if (!machine.run(instructions))
        return false;
    machine.emitRow();
    return true;
}

} // namespace hearth
