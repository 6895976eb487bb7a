#pragma once

#include "model/lens/lens.h"

#include <tl/expected.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// The text of a lens: what the filter bar shows, what `--lens` takes, and what people paste into a ticket.
//
//   lens   = [ term { blanks term } ]              all of which must hold; at most 64 KiB and 1000 terms
//   term   = [ "-" ] path | [ "-" ] tag | [ "-" ] span | other       a minus negates
//   path   = word | quoted                         in a function's name, upper and lower case alike
//          | "/" RE "/" | "regex:" RE              on function names
//          | "focus:" RE | "ignore:" RE            pprof's, on name, file or binary; "-focus:" is "ignore:"
//          | "lib:" RE | "file:" RE | "type:" KIND
//          | "self:" RE                            on name, file or binary of the innermost frame
//   tag    = "tagfocus:" TAGS | "tagignore:" TAGS  pprof's, see tag_filter.h
//          | "@" key "=" VALUE | "@" key "~" RE
//          | "@" key "=" [ NUMBER ] ".." [ NUMBER ]
//   span   = "span=" NAME | "span~" RE             samples of the spans for which all of these hold, their
//          | "spanid=" HEX                         children included; "error" is their status, and
//          | "duration" ( ">" | ">=" | "<" | "<=" ) DURATION    "span@" asks for their own attributes
//          | "error"
//          | "span" tag-with-@
//   other  = "hide:" RE | "show:" RE | "from:" RE | "to:" RE | "once:" RE | "collapse:" RE | "pivot:" RE
//          | "under:" list                         names from the root on
//          | "series:" NAME
//          | "time=" [ TIME ] ".." [ TIME ]        see time_text.h
//          | "trace=" HEX
//          | "tagroot:" list | "tagleaf:" list
//          | "by:" list                            what a row is, and attributes to group by
//          | "granularity:" WORD                   what a row is, in pprof's words: functions, lines …
//          | "nochildren"                          of spans: without what ran in their children
//          | "estimated"                           samples without a link ran in the span of their thread and
//                                                  time: a guess, see link_estimate.h
//          | "noinlines" | "inverted"
//   list   = item { "," item }
//
// What a row is: function, filefunction, file, line, binary or address. Other items of `by:` are attributes.
//
// An expression in slashes ends at the first / with a blank or nothing behind it, and knows no escapes; one
// that cannot be written so takes `regex:`.
//
// Whatever follows a key, each item of a list, and the key behind "@" is either quoted or goes on to the next
// blank (an item also to the next comma, a key behind "@" to the next = or ~). Quotes only mean something at
// the beginning: `focus:a"b` is an expression of three characters. Text in quotes takes `\"` and `\\` for
// " and \, and `\u{9}` for the character with that hexadecimal number; any other backslash is itself, so that
// `focus:"a\.b"` is the expression it looks like. A range of numbers, or a word that says what a row is, is
// plain text in quotes.
//
// `:` and `=` may stand for each other behind a key. A word with `::` or `==` behind its first letters is no
// key: `json::parse` is a name. Keys that other tools use are read as well: keep, drop, show_from, show-from,
// sample_index, and Perfetto's SS, HS, HF, SFF, P.
//
// A duration is a number with a unit: 1.5s, 100ms, 20us; without one it counts seconds. A function called
// `error` is in quotes.
//
// Printing uses one spelling. For every lens whose terms are valid, parsing what was printed gives that lens;
// bytes that are no UTF-8 pass through.

namespace hearth {

struct LensError {
    std::string message;
    std::size_t column = 0; ///< in characters (Unicode code points) from 0; a byte that is no UTF-8 is one
};

tl::expected<Lens, LensError> parseLens(std::string_view text);

std::string printLens(const Lens &lens);

/// Two lines for a terminal: the text (a part of it, if it is long), and the message behind a caret under its
/// column.
std::string pointAt(std::string_view text, const LensError &error);

} // namespace hearth
