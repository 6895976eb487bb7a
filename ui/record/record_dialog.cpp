#include "ui/record/record_dialog.h"

#include "ui/record/process_picker.h"
#include "ui/record/record_presets.h"
#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace hearth {

namespace {

constexpr int kHighestFrequency = 1000;

QLabel *makeNote(const QString &text)
{
    auto *label = new QLabel(text);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::Dark);
    return label;
}

/// A field with a button that opens a dialog for folders.
QWidget *makeFolderField(QLineEdit *edit, const QString &title, const QString &start)
{
    auto *browse = new QPushButton(QObject::tr("Choose…"));
    QObject::connect(browse, &QPushButton::clicked, edit, [edit, title, start] {
        const QString folder = QFileDialog::getExistingDirectory(
            edit->window(), title, edit->text().isEmpty() ? start : edit->text());
        if (!folder.isEmpty())
            edit->setText(folder);
    });
    auto *field = new QWidget;
    auto *layout = new QHBoxLayout(field);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(edit, 1);
    layout->addWidget(browse);
    return field;
}

} // namespace

RecordDialog::RecordDialog(const RecordRights &rights, QWidget *parent)
    : QDialog(parent), m_presets(new QComboBox(this)), m_removePreset(new QPushButton(tr("Remove"), this)),
      m_targets(new QButtonGroup(this)), m_pages(new QStackedWidget(this)),
      m_processes(new ProcessPicker(this)), m_command(new QLineEdit(this)), m_directory(new QLineEdit(this)),
      m_cgroup(new QLineEdit(this)), m_frequency(new QSpinBox(this)),
      m_offCpu(new QCheckBox(tr("Also where threads wait, and for how long (off-CPU)"), this)),
      m_names(new QCheckBox(tr("The sampler names functions"), this)), m_problem(new QLabel(this)),
      m_record(new QPushButton(tr("Record"), this))
{
    setWindowTitle(tr("Record"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(820, 620);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(makePresets());
    layout->addWidget(makeTargets());
    layout->addWidget(makePages(), 1);
    layout->addLayout(makeOptions());
    layout->addWidget(makeRights(rights));
    layout->addLayout(makeButtons());
    fillPresets(lastRecordPreset());
    setChoice(lastRecordChoice());
}

QWidget *RecordDialog::makePresets()
{
    m_presets->setAccessibleName(tr("Remembered ways to record"));
    m_presets->setMinimumContentsLength(24);
    auto *save = new QPushButton(tr("Remember as…"), this);
    for (QPushButton *button : {save, m_removePreset}) {
        button->setProperty("quiet", true);
        button->setAutoDefault(false);
    }
    connect(m_presets, &QComboBox::activated, this, &RecordDialog::usePreset);
    connect(save, &QPushButton::clicked, this, &RecordDialog::askForPresetName);
    connect(m_removePreset, &QPushButton::clicked, this, &RecordDialog::removePreset);
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_presets);
    layout->addWidget(save);
    layout->addWidget(m_removePreset);
    layout->addStretch();
    return row;
}

QWidget *RecordDialog::makeTargets()
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    const QStringList names{tr("This &machine"), tr("A &process"), tr("A &command"), tr("A c&group")};
    for (int target = 0; target < names.size(); ++target) {
        auto *button = new QPushButton(names[target], this);
        button->setCheckable(true);
        button->setAutoDefault(false);
        m_targets->addButton(button, target);
        layout->addWidget(button);
    }
    layout->addStretch();
    connect(m_targets, &QButtonGroup::idClicked, this,
            [this](int target) { setTarget(static_cast<RecordTarget>(target)); });
    return row;
}

QWidget *RecordDialog::makePages()
{
    auto *machine = new QWidget(this);
    auto *layout = new QVBoxLayout(machine);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(
        makeNote(tr("Everything that runs, the kernel included. Processes, containers and threads are told "
                    "apart afterwards.")));
    layout->addStretch();
    m_pages->addWidget(machine);
    m_pages->addWidget(m_processes);
    m_pages->addWidget(makeCommandPage());
    m_pages->addWidget(makeCgroupPage());
    connect(m_processes, &ProcessPicker::chosenChanged, this, &RecordDialog::showProblem);
    connect(m_processes, &ProcessPicker::activated, this, &RecordDialog::record);
    for (QLineEdit *edit : {m_command, m_directory, m_cgroup})
        connect(edit, &QLineEdit::textChanged, this, &RecordDialog::showProblem);
    return m_pages;
}

QWidget *RecordDialog::makeCommandPage()
{
    m_command->setPlaceholderText(tr("make -j8"));
    m_command->setAccessibleName(tr("Command"));
    m_directory->setPlaceholderText(QDir::homePath());
    m_directory->setAccessibleName(tr("Working folder"));
    auto *page = new QWidget(this);
    auto *form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    form->addRow(tr("Command"), m_command);
    form->addRow(tr("Folder"), makeFolderField(m_directory, tr("Where the command runs"), QDir::homePath()));
    form->addRow(
        QString(),
        makeNote(tr("It is started as you, without a shell, and watched from its first instruction on, "
                    "with everything it starts, until it ends. What it prints goes where Hearth's own "
                    "messages go.")));
    return page;
}

QWidget *RecordDialog::makeCgroupPage()
{
    m_cgroup->setPlaceholderText(QStringLiteral("/sys/fs/cgroup/system.slice"));
    m_cgroup->setAccessibleName(tr("Cgroup"));
    auto *page = new QWidget(this);
    auto *form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->addRow(tr("Folder"),
                 makeFolderField(m_cgroup, tr("The folder of a cgroup"), QStringLiteral("/sys/fs/cgroup")));
    form->addRow(
        QString(),
        makeNote(tr("What runs in it and in those below: a service, a container, a session. Version 2 "
                    "only.")));
    return page;
}

QLayout *RecordDialog::makeOptions()
{
    m_frequency->setRange(1, kHighestFrequency);
    m_frequency->setSuffix(QStringLiteral(" Hz"));
    m_frequency->setAccessibleName(tr("Samples a second"));
    m_offCpu->setToolTip(
        tr("Costs more where threads switch often. Of the whole machine, every twentieth wait is looked "
           "at and stands for the others."));
    m_names->setToolTip(
        tr("Otherwise Hearth looks for names by itself, as for all data: files of programs that have "
           "ended, and code made at run time, remain without"));
    auto *rate = new QHBoxLayout;
    rate->setSpacing(8);
    rate->addWidget(m_frequency);
    rate->addWidget(makeNote(tr("samples a second on each processor")), 1);
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->addRow(tr("On-CPU"), rate);
    form->addRow(QString(), m_offCpu);
    form->addRow(QString(), m_names);
    return form;
}

QWidget *RecordDialog::makeRights(const RecordRights &rights)
{
    using Kind = RecordRights::Kind;
    const QColor color = rights.kind == Kind::Granted ? theme().good
                         : rights.kind == Kind::Asked ? theme().accent
                                                      : theme().warn;
    auto *label = makeNote({});
    label->setObjectName(QStringLiteral("rights"));
    label->setText(QStringLiteral("<span style='color:%1'>●</span>&nbsp; %2")
                       .arg(color.name(), rights.text.toHtmlEscaped()));
    label->setVisible(rights.kind != Kind::Unknown);
    return label;
}

QLayout *RecordDialog::makeButtons()
{
    m_problem->setForegroundRole(QPalette::Dark);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    m_record->setProperty("primary", true);
    m_record->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_record, &QPushButton::clicked, this, &RecordDialog::record);
    auto *row = new QHBoxLayout;
    row->addWidget(m_problem, 1);
    row->addWidget(cancel);
    row->addWidget(m_record);
    return row;
}

QPushButton *RecordDialog::targetButton(RecordTarget target) const
{
    return qobject_cast<QPushButton *>(m_targets->button(int(target)));
}

void RecordDialog::setTarget(RecordTarget target)
{
    targetButton(target)->setChecked(true);
    m_pages->setCurrentIndex(int(target));
    switch (target) {
    case RecordTarget::Machine:
        m_record->setFocus();
        break;
    case RecordTarget::Process:
        m_processes->setFocus();
        break;
    case RecordTarget::Command:
        m_command->setFocus();
        break;
    case RecordTarget::Cgroup:
        m_cgroup->setFocus();
        break;
    }
    showProblem();
}

RecordChoice RecordDialog::choice() const
{
    return {.target = static_cast<RecordTarget>(m_targets->checkedId()),
            .process = m_processes->process(),
            .processName = m_processes->processName(),
            .command = m_command->text().trimmed(),
            .directory = m_directory->text().trimmed(),
            .cgroup = m_cgroup->text().trimmed(),
            .frequency = m_frequency->value(),
            .isOffCpu = m_offCpu->isChecked(),
            .hasNames = m_names->isChecked()};
}

void RecordDialog::setChoice(const RecordChoice &choice)
{
    m_processes->choose(choice.process, choice.processName);
    m_command->setText(choice.command);
    m_directory->setText(choice.directory);
    m_cgroup->setText(choice.cgroup);
    m_frequency->setValue(choice.frequency);
    m_offCpu->setChecked(choice.isOffCpu);
    m_names->setChecked(choice.hasNames);
    setTarget(choice.target);
}

void RecordDialog::showProblem()
{
    const QString problem = problemOf(choice());
    m_problem->setText(problem);
    m_record->setEnabled(problem.isEmpty());
}

void RecordDialog::record()
{
    if (!problemOf(choice()).isEmpty())
        return;
    rememberRecordChoice(choice(), usedPreset());
    Q_EMIT recordRequested(choice());
    accept();
}

// ---- presets

/// The one that the choice is still the same as.
QString RecordDialog::usedPreset() const
{
    for (const RecordPreset &preset : recordPresets())
        if (preset.name == m_presets->currentData().toString() && preset.choice == choice())
            return preset.name;
    return {};
}

void RecordDialog::fillPresets(const QString &current)
{
    m_presets->clear();
    m_presets->addItem(tr("As last time"), QString());
    for (const RecordPreset &preset : recordPresets())
        m_presets->addItem(preset.name, preset.name);
    m_presets->setCurrentIndex(std::max(0, m_presets->findData(current)));
    m_removePreset->setEnabled(m_presets->currentIndex() > 0);
}

void RecordDialog::usePreset()
{
    const QString name = m_presets->currentData().toString();
    m_removePreset->setEnabled(!name.isEmpty());
    if (name.isEmpty())
        return setChoice(lastRecordChoice());
    for (const RecordPreset &preset : recordPresets())
        if (preset.name == name)
            setChoice(preset.choice);
}

void RecordDialog::askForPresetName()
{
    bool isAccepted = false;
    const QString name = QInputDialog::getText(this, tr("Remember"), tr("Name"), QLineEdit::Normal,
                                               targetText(choice()), &isAccepted);
    if (isAccepted && !name.trimmed().isEmpty())
        savePreset(name.trimmed());
}

void RecordDialog::savePreset(const QString &name)
{
    saveRecordPreset({name, choice()});
    fillPresets(name);
}

void RecordDialog::removePreset()
{
    removeRecordPreset(m_presets->currentData().toString());
    fillPresets({});
}

} // namespace hearth
