#include "ingest/code/disassembler.h"

#include <capstone/capstone.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace hearth {

namespace {

struct Machine {
    cs_arch architecture;
    cs_mode mode;
    std::size_t unit; ///< bytes of what is no instruction are taken so many at a time
};

std::optional<Machine> machineOf(ElfMachine machine)
{
    switch (machine) {
    case ElfMachine::X86_64:
        return Machine{CS_ARCH_X86, CS_MODE_64, 1};
    case ElfMachine::X86:
        return Machine{CS_ARCH_X86, CS_MODE_32, 1};
    case ElfMachine::Arm64:
        return Machine{CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, 4};
    case ElfMachine::Arm: // which instruction set it is only mapping symbols tell
    case ElfMachine::RiscV:
        break;
    }
    return std::nullopt;
}

/// capstone's engine, closed when it goes.
class Engine {
public:
    Engine(const Machine &machine, AssemblySyntax syntax)
    {
        m_isOpen = cs_open(machine.architecture, machine.mode, &m_handle) == CS_ERR_OK;
        if (!m_isOpen)
            return;
        cs_option(m_handle, CS_OPT_DETAIL, CS_OPT_ON);
        if (machine.architecture == CS_ARCH_X86)
            cs_option(m_handle, CS_OPT_SYNTAX,
                      syntax == AssemblySyntax::Att ? CS_OPT_SYNTAX_ATT : CS_OPT_SYNTAX_INTEL);
        m_instruction = cs_malloc(m_handle);
    }
    ~Engine()
    {
        if (m_instruction != nullptr)
            cs_free(m_instruction, 1);
        if (m_isOpen)
            cs_close(&m_handle);
    }
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    bool isGood() const { return m_instruction != nullptr; }

    /// The instruction that bytes begin with. @return null if they begin with none
    const cs_insn *first(std::span<const std::uint8_t> bytes, std::uint64_t address)
    {
        const std::uint8_t *code = bytes.data();
        std::size_t size = bytes.size();
        return cs_disasm_iter(m_handle, &code, &size, &address, m_instruction) ? m_instruction : nullptr;
    }
    bool isIn(cs_group_type group) const { return cs_insn_group(m_handle, m_instruction, group); }

private:
    csh m_handle = 0;
    cs_insn *m_instruction = nullptr;
    bool m_isOpen = false;
};

InstructionKind kindOf(const Engine &engine, const cs_insn &instruction, cs_arch architecture)
{
    if (engine.isIn(CS_GRP_RET) || engine.isIn(CS_GRP_IRET))
        return InstructionKind::Return;
    const bool isLinking =
        architecture == CS_ARCH_ARM64 && (instruction.id == ARM64_INS_BL || instruction.id == ARM64_INS_BLR);
    if (isLinking || engine.isIn(CS_GRP_CALL))
        return InstructionKind::Call;
    return engine.isIn(CS_GRP_JUMP) ? InstructionKind::Jump : InstructionKind::Plain;
}

/// The address that an instruction names by a number or by its distance; 0 if it names none.
std::uint64_t referenceOfX86(const cs_insn &instruction, InstructionKind kind)
{
    const cs_x86 &detail = instruction.detail->x86;
    for (std::size_t i = 0; i < std::min<std::size_t>(detail.op_count, std::size(detail.operands)); ++i) {
        const cs_x86_op &operand = detail.operands[i];
        const bool goes = kind == InstructionKind::Jump || kind == InstructionKind::Call;
        if (operand.type == X86_OP_IMM && goes)
            return static_cast<std::uint64_t>(operand.imm);
        if (operand.type == X86_OP_MEM && operand.mem.base == X86_REG_RIP)
            return instruction.address + instruction.size + static_cast<std::uint64_t>(operand.mem.disp);
    }
    return 0;
}

std::uint64_t referenceOfArm64(const cs_insn &instruction, InstructionKind kind)
{
    const cs_arm64 &detail = instruction.detail->arm64;
    const bool goes = kind == InstructionKind::Jump || kind == InstructionKind::Call;
    const bool isAddress = instruction.id == ARM64_INS_ADR || instruction.id == ARM64_INS_ADRP;
    if ((!goes && !isAddress) || detail.op_count == 0 || detail.op_count > std::size(detail.operands))
        return 0;
    const cs_arm64_op &last = detail.operands[detail.op_count - 1];
    return last.type == ARM64_OP_IMM ? static_cast<std::uint64_t>(last.imm) : 0;
}

/// Control characters and blanks are capstone's own; both parts end with a zero.
std::string textOf(const cs_insn &instruction)
{
    std::string text(instruction.mnemonic);
    if (instruction.op_str[0] != 0) {
        constexpr std::size_t kOperandColumn = 8;
        text.resize(std::max(text.size() + 1, kOperandColumn), ' ');
        text += instruction.op_str;
    }
    return text;
}

Instruction dataOf(std::span<const std::uint8_t> bytes, std::uint64_t address)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    Instruction data{.address = address,
                     .size = static_cast<std::uint32_t>(bytes.size()),
                     .kind = InstructionKind::Data,
                     .text = ".byte   "};
    for (const std::uint8_t byte : bytes) {
        data.text += data.text.back() == ' ' ? "0x" : ", 0x";
        data.text += kDigits[byte >> 4U];
        data.text += kDigits[byte & 0xfU];
    }
    return data;
}

void findTargets(std::vector<Instruction> &instructions)
{
    for (Instruction &instruction : instructions) {
        if (instruction.kind != InstructionKind::Jump || instruction.reference == 0)
            continue;
        const auto target =
            std::ranges::lower_bound(instructions, instruction.reference, {}, &Instruction::address);
        if (target != instructions.end() && target->address == instruction.reference)
            instruction.target = static_cast<std::uint32_t>(target - instructions.begin());
    }
}

} // namespace

Result<std::vector<Instruction>> instructionsOf(std::span<const std::uint8_t> bytes, std::uint64_t address,
                                                ElfMachine machine, AssemblySyntax syntax)
{
    const std::optional<Machine> known = machineOf(machine);
    if (!known)
        return failure("instructions of this kind of processor cannot be shown");
    Engine engine(*known, syntax);
    if (!engine.isGood())
        return failure("capstone, which reads instructions, cannot be started for this kind of processor");
    std::vector<Instruction> instructions;
    while (!bytes.empty()) {
        const cs_insn *const read = engine.first(bytes, address);
        if (read != nullptr) {
            const InstructionKind kind = kindOf(engine, *read, known->architecture);
            instructions.push_back({.address = address,
                                    .reference = known->architecture == CS_ARCH_X86
                                                     ? referenceOfX86(*read, kind)
                                                     : referenceOfArm64(*read, kind),
                                    .size = read->size,
                                    .kind = kind,
                                    .text = textOf(*read)});
        } else {
            instructions.push_back(dataOf(bytes.first(std::min(known->unit, bytes.size())), address));
        }
        bytes = bytes.subspan(instructions.back().size);
        address += instructions.back().size;
    }
    findTargets(instructions);
    return instructions;
}

} // namespace hearth
