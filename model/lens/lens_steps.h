#pragma once

#include "model/lens/lens.h"

#include <string>
#include <string_view>
#include <vector>

// The steps that people take with one key or click: each makes a new lens of the one before.

namespace hearth {

/// What a step is about: a row or box as views name it.
struct StepSubject {
    std::string_view name;   ///< "[libc.so.6]" if nothing but the binary is known
    std::string_view binary; ///< path; empty if unknown

    bool isBinary() const { return name.starts_with('[') && name.ends_with(']'); }
};

/// An expression that matches exactly this text.
std::string exactly(std::string_view text);

/// An expression for the binary that a subject is in: its file's name at the end of a path. Empty if there is
/// none.
std::string binaryExpression(const StepSubject &subject);

/// An expression for the function, or for the binary if nothing else is known.
std::string expressionOf(const StepSubject &subject);

Lens keepStacksThrough(Lens lens, const StepSubject &subject);
Lens dropStacksThrough(Lens lens, const StepSubject &subject);

/// Of stacks, those through the binary with this path.
Lens keepStacksIn(Lens lens, std::string_view path);

/// Stacks begin at it; those without it go.
Lens beginAt(Lens lens, const StepSubject &subject);

/// Samples that were taken in it.
Lens keepSelf(Lens lens, const StepSubject &subject);

/// Stacks that begin like this; replaces the beginning there is.
Lens keepUnder(Lens lens, std::vector<std::string> names);

/// What it called is its own.
Lens endAt(Lens lens, const StepSubject &subject);

/// Its recursive calls go, and what is between them.
Lens collapseRecursion(Lens lens, const StepSubject &subject);

/// Its binary is shown as one. Without a binary the lens stays as it is.
Lens collapseBinary(Lens lens, const StepSubject &subject);

/// It goes, what it called hangs from its caller, which gets its self time.
Lens mergeIntoCaller(Lens lens, const StepSubject &subject);

/// The same for all of its binary. Without a binary the lens stays as it is.
Lens mergeBinaryIntoCallers(Lens lens, const StepSubject &subject);
Lens keepBinary(Lens lens, const StepSubject &subject);

/// Callers above it, callees below; replaces the pivot there is, and takes it away if it is the same.
Lens pivotOn(Lens lens, const StepSubject &subject);
Lens withoutPivot(Lens lens);

Lens inverted(Lens lens);

/// Samples with this attribute; the same step again takes the condition away. Another value of the key
/// replaces the one there is.
Lens withAttribute(Lens lens, std::string_view key, std::string_view value);
Lens withoutAttribute(Lens lens, std::string_view key, std::string_view value);
bool hasAttribute(const Lens &lens, std::string_view key, std::string_view value, bool isNegated);

/// Only series and granularity stay.
Lens withoutTerms(Lens lens);

/// Takes the term away that was the last to be added, as far as its kind tells. The same lens if none is
/// left.
Lens withoutLastTerm(Lens lens);

} // namespace hearth
