#include "ui/settings/settings_dialog.h"

#include "ui/commands/commands.h"
#include "ui/commands/palette_delegate.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

namespace hearth {

namespace {

constexpr int kFollowSystem = -1;
constexpr int kRowHeight = 28;
constexpr QLatin1Char kBetween(';'); ///< of several places in one line

QString inOneLine(const QStringList &places)
{
    return places.join(kBetween + QStringLiteral(" "));
}

QStringList fromOneLine(const QString &text)
{
    QStringList places;
    for (const QString &place : text.split(kBetween, Qt::SkipEmptyParts))
        if (!place.trimmed().isEmpty())
            places += place.trimmed();
    return places;
}

} // namespace

SettingsDialog::SettingsDialog(Commands &commands, QWidget *parent)
    : QDialog(parent), m_commands(commands), m_settings(Settings::load()), m_theme(new QComboBox(this)),
      m_names(new QComboBox(this)), m_growsUp(new QCheckBox(tr("Flame graphs grow upwards"), this)),
      m_reducedMotion(new QCheckBox(tr("No animations"), this)), m_memory(new QSpinBox(this)),
      m_editor(new QLineEdit(this)), m_symbolPlaces(new QLineEdit(this)),
      m_symbolServers(new QLineEdit(this)), m_sourcePlaces(new QLineEdit(this)),
      m_keys(new QTableWidget(this)), m_problem(new QLabel(this))
{
    setWindowTitle(tr("Settings"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(620, 640);
    makeChoices();
    makeKeys();
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    form->addRow(tr("Theme"), m_theme);
    form->addRow(tr("Functions' names"), m_names);
    form->addRow(QString(), m_growsUp);
    form->addRow(QString(), m_reducedMotion);
    form->addRow(tr("Memory for data"), m_memory);
    form->addRow(tr("Editor"), m_editor);
    form->addRow(tr("Names from"), m_symbolPlaces);
    form->addRow(tr("Servers to ask"), m_symbolServers);
    form->addRow(tr("Sources from"), m_sourcePlaces);
    auto *keysHead = new QLabel(tr("Keys"), this);
    auto *restore = new QPushButton(tr("Restore keys"), this);
    auto *close = new QPushButton(tr("Close"), this);
    close->setDefault(true);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(restore);
    buttons->addWidget(m_problem, 1);
    buttons->addWidget(close);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(12);
    layout->addLayout(form);
    layout->addWidget(keysHead);
    layout->addWidget(m_keys, 1);
    layout->addLayout(buttons);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(restore, &QPushButton::clicked, this, [this] {
        m_settings.keys.clear();
        for (const QAction *action : m_commands.all())
            m_commands.setKeys(Commands::idOf(*action), m_commands.defaultKeys(Commands::idOf(*action)));
        fillKeys();
        take();
    });
}

void SettingsDialog::makeChoices()
{
    m_theme->addItem(tr("As the system"), kFollowSystem);
    m_theme->addItem(tr("Light"), int(ThemeKind::Light));
    m_theme->addItem(tr("Dark"), int(ThemeKind::Dark));
    m_theme->addItem(tr("High contrast"), int(ThemeKind::HighContrast));
    m_theme->setCurrentIndex(m_theme->findData(m_settings.theme ? int(*m_settings.theme) : kFollowSystem));
    m_names->addItem(tr("In full"), int(NameDetail::Full));
    m_names->addItem(tr("Without parameters"), int(NameDetail::NoArguments));
    m_names->addItem(tr("Without template arguments"), int(NameDetail::NoTemplates));
    m_names->addItem(tr("Their last components"), int(NameDetail::Short));
    m_names->setCurrentIndex(m_names->findData(int(m_settings.names)));
    m_names->setToolTip(
        tr("In tables and lists. What does not fit is shortened in any case, tool tips never"));
    m_growsUp->setChecked(m_settings.growsUp);
    m_reducedMotion->setChecked(m_settings.reducedMotion);
    constexpr int kMostMiB = 1 << 24;
    constexpr int kStepMiB = 256;
    m_memory->setRange(0, kMostMiB);
    m_memory->setSingleStep(kStepMiB);
    m_memory->setSuffix(QStringLiteral(" MiB"));
    m_memory->setSpecialValueText(tr("half of the machine's"));
    m_memory->setValue(m_settings.memoryMiB);
    m_memory->setToolTip(
        tr("Of a file, and of what arrives, the oldest goes when it is full. Counts for files opened "
           "from now on, and for the port from the next start on."));
    m_editor->setText(m_settings.editor);
    m_editor->setPlaceholderText(QStringLiteral("code --goto %f:%l"));
    m_editor->setToolTip(tr("A command; %f stands for the file, %l for the line"));
    connect(m_theme, &QComboBox::currentIndexChanged, this, &SettingsDialog::take);
    connect(m_names, &QComboBox::currentIndexChanged, this, &SettingsDialog::take);
    connect(m_growsUp, &QCheckBox::toggled, this, &SettingsDialog::take);
    connect(m_reducedMotion, &QCheckBox::toggled, this, &SettingsDialog::take);
    connect(m_memory, &QSpinBox::editingFinished, this, &SettingsDialog::take);
    m_symbolPlaces->setText(inOneLine(m_settings.symbolPlaces));
    m_symbolPlaces->setPlaceholderText(tr("folders and files, with ; between them"));
    m_symbolPlaces->setToolTip(tr("Programs and debug files are looked for here, too"));
    m_symbolServers->setText(inOneLine(m_settings.symbolServers));
    m_symbolServers->setPlaceholderText(tr("none"));
    m_symbolServers->setToolTip(tr(
        "debuginfod servers that you agreed to ask for debug information and sources; no others are asked"));
    m_sourcePlaces->setText(inOneLine(m_settings.sourcePlaces));
    m_sourcePlaces->setPlaceholderText(tr("folders, or FROM=TO, with ; between them"));
    m_sourcePlaces->setToolTip(
        tr("Source files are looked for here, too; FROM=TO: what was compiled in FROM is in TO now"));
    for (QLineEdit *edit : {m_editor, m_symbolPlaces, m_symbolServers, m_sourcePlaces})
        connect(edit, &QLineEdit::editingFinished, this, &SettingsDialog::take);
}

void SettingsDialog::makeKeys()
{
    m_keys->setColumnCount(2);
    m_keys->setShowGrid(false);
    m_keys->horizontalHeader()->hide();
    m_keys->verticalHeader()->hide();
    m_keys->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_keys->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_keys->setColumnWidth(1, 180);
    m_keys->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_keys->setSelectionMode(QAbstractItemView::NoSelection);
    m_keys->setAccessibleName(tr("Keys of commands"));
    fillKeys();
}

void SettingsDialog::fillKeys()
{
    m_keys->setRowCount(static_cast<int>(m_commands.all().size()));
    for (int row = 0; row < m_keys->rowCount(); ++row) {
        const QAction &action = *m_commands.all()[row];
        m_keys->setItem(row, 0,
                        new QTableWidgetItem(
                            QStringLiteral("%1 · %2").arg(Commands::groupOf(action), plainText(action))));
        auto *edit = new QKeySequenceEdit(action.shortcut(), m_keys);
        edit->setAccessibleName(plainText(action));
        connect(edit, &QKeySequenceEdit::editingFinished, this,
                [this, row, edit] { takeKeys(row, edit->keySequence()); });
        m_keys->setCellWidget(row, 1, edit);
    }
}

void SettingsDialog::takeKeys(int row, const QKeySequence &keys)
{
    const QAction &action = *m_commands.all()[row];
    if (action.shortcut() == keys)
        return;
    const QAction *owner = keys.isEmpty() ? nullptr : m_commands.owner(keys);
    if (owner != nullptr && owner != &action) {
        m_problem->setText(
            tr("%1 is for “%2” already").arg(keys.toString(QKeySequence::NativeText), plainText(*owner)));
        qobject_cast<QKeySequenceEdit *>(m_keys->cellWidget(row, 1))->setKeySequence(action.shortcut());
        return;
    }
    m_problem->clear();
    QList<QKeySequence> list;
    if (!keys.isEmpty())
        list += keys;
    m_settings.keys.insert(Commands::idOf(action), list);
    m_commands.setKeys(Commands::idOf(action), list);
    take();
}

void SettingsDialog::take()
{
    const int kind = m_theme->currentData().toInt();
    m_settings.theme = kind == kFollowSystem ? std::nullopt : std::optional(static_cast<ThemeKind>(kind));
    m_settings.names = static_cast<NameDetail>(m_names->currentData().toInt());
    m_settings.growsUp = m_growsUp->isChecked();
    m_settings.reducedMotion = m_reducedMotion->isChecked();
    m_settings.memoryMiB = m_memory->value();
    m_settings.editor = m_editor->text().trimmed();
    m_settings.symbolPlaces = fromOneLine(m_symbolPlaces->text());
    m_settings.symbolServers = fromOneLine(m_symbolServers->text());
    m_settings.sourcePlaces = fromOneLine(m_sourcePlaces->text());
    m_settings.save();
    Q_EMIT settingsChanged(m_settings);
}

} // namespace hearth
