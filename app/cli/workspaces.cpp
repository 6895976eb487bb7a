#include "app/cli/workspaces.h"

#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "app/workspace/workspace_file.h"
#include "model/lens/lens_text.h"

#include <algorithm>
#include <optional>

namespace hearth::cli {

namespace {

QString pathOf(const std::string &file)
{
    return QString::fromStdString(file);
}

std::string_view nameOf(SourceState state)
{
    switch (state) {
    case SourceState::Same:
        return "unchanged";
    case SourceState::Changed:
        return "changed";
    case SourceState::Gone:
        break;
    }
    return "gone";
}

std::string printLensOrAll(const Lens &lens)
{
    const std::string text = printLens(lens);
    return text.empty() ? "everything" : text;
}

/// Null after complaining.
std::optional<ParsedWorkspace> readOrComplain(const std::string &file)
{
    auto read = readWorkspace(pathOf(file));
    if (read)
        return *std::move(read);
    complain(read.error().message);
    return std::nullopt;
}

/// What is looked at: the source in front, else the first that has files.
const WorkspaceSource *sourceInFront(const Workspace &workspace)
{
    if (workspace.shown)
        return &workspace.sources[*workspace.shown];
    const auto first = std::ranges::find_if(
        workspace.sources, [](const WorkspaceSource &source) { return !source.files.empty(); });
    return first == workspace.sources.end() ? nullptr : &*first;
}

/// The files that are there; complains of the others.
std::vector<std::string> filesOf(const WorkspaceSource &source)
{
    std::vector<std::string> files;
    for (const SourceFile &file : source.files) {
        const SourceState state = stateOf(file);
        const std::string path = file.path.toStdString();
        if (state != SourceState::Gone)
            files.push_back(path);
        if (state != SourceState::Same)
            complain(path + (state == SourceState::Gone ? " is gone"
                                                        : " has changed since the workspace was saved"));
    }
    return files;
}

std::string notesOf(const Workspace &workspace, const WorkspaceSource &source)
{
    const std::string note = workspace.note.toStdString();
    const std::string own = source.note.toStdString();
    return note + (note.empty() || own.empty() ? "" : "\n\n") + own;
}

bool takes(const Command &command, std::string_view option)
{
    return std::ranges::find(command.options, option, &Option::name) != command.options.end();
}

/// Commands that compare are not told by a workspace which side is which.
Exit askForSides(const std::string &file, const Workspace &workspace, const Command &command)
{
    std::string all;
    for (const WorkspaceSource &source : workspace.sources)
        for (const SourceFile &known : source.files)
            all += ' ' + known.path.toStdString();
    complain(file + ": a workspace; hearth " + std::string(command.name) +
             " compares two files. It has:" + (all.empty() ? " none" : all));
    return Exit::WrongUse;
}

std::string jsonReport(const ParsedWorkspace &read)
{
    const Workspace &workspace = read.workspace;
    Json json;
    json.beginObject().key("format").text("workspace").key("note").text(workspace.note.toStdString());
    json.key("sources").beginArray();
    for (const WorkspaceSource &source : workspace.sources) {
        json.beginObject().key("name").text(source.name.toStdString());
        json.key("lens").text(printLens(source.lens)).key("note").text(source.note.toStdString());
        json.key("files").beginArray();
        for (const SourceFile &file : source.files) {
            json.beginObject().key("path").text(file.path.toStdString());
            json.key("state").text(nameOf(stateOf(file))).endObject();
        }
        json.endArray().endObject();
    }
    json.endArray();
    if (workspace.shown)
        json.key("shown").count(*workspace.shown);
    if (workspace.baseline) {
        json.key("baseline").beginObject().key("source").count(workspace.baseline->source);
        if (workspace.baseline->lens)
            json.key("lens").text(printLens(*workspace.baseline->lens));
        json.endObject();
    }
    json.key("view").text(workspace.window.view.toStdString()).key("problems").beginArray();
    for (const QString &problem : read.problems)
        json.text(problem.toStdString());
    return json.endArray().endObject().str() + '\n';
}

using Lines = std::vector<std::pair<std::string, std::string>>;

/// Each line of a text, the first behind a name.
void addText(Lines &lines, const std::string &name, const QString &text)
{
    if (text.isEmpty())
        return;
    const QStringList parts = text.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < parts.size(); ++i)
        lines.emplace_back(i == 0 ? name : "", parts[i].toStdString());
}

Lines linesOf(const ParsedWorkspace &read)
{
    const Workspace &workspace = read.workspace;
    Lines lines{{"format", "workspace of Hearth"}};
    addText(lines, "note", workspace.note);
    for (std::size_t i = 0; i < workspace.sources.size(); ++i) {
        const WorkspaceSource &source = workspace.sources[i];
        lines.emplace_back("source",
                           source.name.toStdString() + (workspace.shown == i ? " (in front)" : "") +
                               (source.files.empty() ? ": received or recorded, and in no file" : ""));
        for (const SourceFile &file : source.files)
            lines.emplace_back("  file", file.path.toStdString() + ": " + std::string(nameOf(stateOf(file))));
        lines.emplace_back("  lens", printLensOrAll(source.lens));
        addText(lines, "  note", source.note);
    }
    if (const auto &baseline = workspace.baseline)
        lines.emplace_back(
            "baseline", workspace.sources[baseline->source].name.toStdString() +
                            (baseline->lens ? ", lens " + printLensOrAll(*baseline->lens) : ", same lens"));
    addText(lines, "view", workspace.window.view);
    for (const QString &problem : read.problems)
        addText(lines, "problem", problem);
    return lines;
}

} // namespace

bool hasWorkspace(const Arguments &arguments)
{
    return std::ranges::any_of(arguments.files(),
                               [](const std::string &file) { return isWorkspace(pathOf(file)); });
}

Exit takeWorkspace(Arguments &arguments, const Command &command)
{
    if (!takes(command, "lens") || !hasWorkspace(arguments))
        return Exit::Done;
    const std::string file = arguments.files().front();
    if (arguments.files().size() > 1 || !isWorkspace(pathOf(file))) {
        complain("a workspace goes by itself, without other files");
        return Exit::WrongUse;
    }
    const auto read = readOrComplain(file);
    if (!read)
        return Exit::Unreadable;
    for (const QString &problem : read->problems)
        complain(file + ": " + problem.toStdString());
    if (&command == &kDiff || &command == &kCheck)
        return askForSides(file, read->workspace, command);
    const WorkspaceSource *source = sourceInFront(read->workspace);
    std::vector<std::string> files = source != nullptr ? filesOf(*source) : std::vector<std::string>();
    if (files.empty()) {
        complain(file + ": nothing of it can be opened; hearth info " + file + " tells what it has");
        return Exit::Unreadable;
    }
    if (read->workspace.sources.size() > 1)
        complain(file + ": " + source->name.toStdString() + ", the one in front of " +
                 std::to_string(read->workspace.sources.size()));
    arguments.setFiles(std::move(files));
    if (const std::string lens = printLens(source->lens); !lens.empty()) {
        complain(file + ": with its lens " + lens);
        arguments.add("lens", lens);
    }
    if (const std::string notes = notesOf(read->workspace, *source);
        takes(command, "note") && !arguments.has("note") && !notes.empty())
        arguments.add("note", notes);
    return Exit::Done;
}

Exit runWorkspaceInfo(const Arguments &arguments)
{
    std::string text;
    for (const std::string &file : arguments.files()) {
        if (!isWorkspace(pathOf(file))) {
            complain(file + ": a profile; hearth info takes workspaces or profiles, not both");
            return Exit::WrongUse;
        }
        const auto read = readOrComplain(file);
        if (!read)
            return Exit::Unreadable;
        if (arguments.has("json")) {
            text += jsonReport(*read);
            continue;
        }
        const bool isCsv = arguments.has("csv");
        text += isCsv ? "name,value\n" : "";
        for (const auto &[name, value] : linesOf(*read))
            text += isCsv ? csvField(name) + ',' + csvField(value) + '\n'
                          : padded(name, 15) + printable(value) + '\n';
    }
    print(text);
    return Exit::Done;
}

} // namespace hearth::cli
