#include "ui/window/top_bar.h"

#include "ui/commands/commands.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>

namespace hearth {

namespace {

constexpr int kHeight = 40;
constexpr int kSearchWidth = 300;
constexpr int kMarkSize = 10;

/// The dot of recording and the square of stopping.
QIcon recordingMark(bool isStop)
{
    QPixmap pixmap(2 * kMarkSize, 2 * kMarkSize);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().bad);
    if (isStop)
        painter.drawRoundedRect(QRectF(1, 1, kMarkSize - 2, kMarkSize - 2), 1.5, 1.5);
    else
        painter.drawEllipse(QRectF(1, 1, kMarkSize - 2, kMarkSize - 2));
    return QIcon(pixmap);
}

} // namespace

TopBar::TopBar(const Commands &commands, QWidget *parent)
    : QWidget(parent), m_commands(commands), m_open(new QPushButton(tr("Open ▾"), this)),
      m_record(new QPushButton(tr("Record ▾"), this)), m_stop(new QPushButton(tr("Stop"), this)),
      m_recording(new QLabel(this)), m_listening(new QLabel(this)),
      m_menu(new QPushButton(QStringLiteral("☰"), this))
{
    setFixedHeight(kHeight);
    m_open->setMenu(new QMenu(m_open));
    m_menu->setProperty("quiet", true);
    m_menu->setAccessibleName(tr("Menu"));
    m_menu->setMenu(new QMenu(m_menu));
    setRecentFiles({});
    fillMainMenu(commands);
    makeRecording(commands);

    // Both sides take the same room, so that the way into the palette is in the middle.
    auto *left = new QHBoxLayout;
    left->setSpacing(6);
    left->addWidget(m_open);
    left->addWidget(m_record);
    left->addWidget(m_stop);
    left->addWidget(m_recording);
    left->addWidget(m_listening, 1);
    auto *right = new QHBoxLayout;
    right->addStretch();
    right->addWidget(m_menu);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 5, 8, 6);
    layout->addLayout(left, 1);
    layout->addWidget(makeSearch(commands));
    layout->addLayout(right, 1);
}

QWidget *TopBar::makeSearch(const Commands &commands)
{
    QAction *action = commands[QStringLiteral("go-to")];
    auto *button = new QPushButton(this);
    button->setObjectName(QStringLiteral("go-to"));
    button->setFixedWidth(kSearchWidth);
    button->setAccessibleName(action->text());
    auto *text = new QLabel(tr("Go to function, thread, command…"), button);
    auto *keys = new QLabel(
        action->shortcut().toString(QKeySequence::NativeText).replace(QLatin1Char('+'), QLatin1Char(' ')),
        button);
    for (QLabel *label : {text, keys})
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    text->setProperty("faint", true);
    keys->setProperty("keys", true);
    auto *layout = new QHBoxLayout(button);
    layout->setContentsMargins(9, 0, 6, 0);
    layout->addWidget(text, 1);
    layout->addWidget(keys, 0, Qt::AlignVCenter);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

void TopBar::makeRecording(const Commands &commands)
{
    m_record->setMenu(new QMenu(m_record));
    fillRecordMenu();
    connect(m_record->menu(), &QMenu::aboutToShow, this, &TopBar::fillRecordMenu);
    m_stop->setAccessibleName(tr("Stop recording"));
    m_recording->setContentsMargins(4, 0, 8, 0);
    m_listening->setContentsMargins(8, 0, 0, 0);
    connect(m_listening, &QLabel::linkActivated, commands[QStringLiteral("show-senders")], &QAction::trigger);
    connect(m_stop, &QPushButton::clicked, commands[QStringLiteral("stop-recording")], &QAction::trigger);
    paintRecordingMarks();
    setRecording({});
}

void TopBar::fillRecordMenu()
{
    QMenu &menu = *m_record->menu();
    menu.clear();
    m_commands.fill(menu, {QStringLiteral("record"), QStringLiteral("record-machine"),
                           QStringLiteral("record-again"), QStringLiteral("record-again-compare")});
    const QList<RecordPreset> presets = recordPresets();
    if (!presets.isEmpty())
        menu.addSeparator();
    for (const RecordPreset &preset : presets) {
        QAction *action =
            menu.addAction(QString(preset.name).replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setToolTip(targetText(preset.choice));
        connect(action, &QAction::triggered, this, [this, preset] { Q_EMIT presetChosen(preset); });
    }
    menu.setToolTipsVisible(true);
}

void TopBar::paintRecordingMarks()
{
    for (QPushButton *button : {m_record, m_stop}) {
        button->setIconSize({kMarkSize, kMarkSize});
        button->setIcon(recordingMark(button == m_stop));
    }
}

void TopBar::setRecording(const RecordingState &state)
{
    m_record->setVisible(!state.isOn);
    m_stop->setVisible(state.isOn);
    m_stop->setEnabled(!state.isStopping);
    m_recording->setVisible(state.isOn);
    m_recording->setText(state.text);
    m_recording->setToolTip(state.toolTip);
    m_recording->setAccessibleName(state.text);
}

void TopBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        paintRecordingMarks();
}

void TopBar::fillMainMenu(const Commands &commands)
{
    QMenu &menu = *m_menu->menu();
    commands.fill(menu, {QStringLiteral("open-workspace"),
                         QStringLiteral("save-workspace"),
                         QStringLiteral("save-workspace-as"),
                         {},
                         QStringLiteral("save"),
                         QStringLiteral("save-part"),
                         QStringLiteral("save-flames"),
                         QStringLiteral("save-table"),
                         QStringLiteral("save-report"),
                         {},
                         QStringLiteral("new-window"),
                         QStringLiteral("help-sending"),
                         {}});
    auto *themes = menu.addMenu(tr("Theme"));
    commands.fill(*themes, {QStringLiteral("theme-system"), QStringLiteral("theme-light"),
                            QStringLiteral("theme-dark"), QStringLiteral("theme-contrast")});
    auto *panels = menu.addMenu(tr("Panels"));
    commands.fill(*panels, {QStringLiteral("show-sources"),
                            QStringLiteral("show-inspector"),
                            QStringLiteral("show-log"),
                            {},
                            QStringLiteral("reset-layout")});
    commands.fill(menu, {QStringLiteral("show-senders")});
    menu.addSeparator();
    commands.fill(menu, {QStringLiteral("commands"),
                         QStringLiteral("key-overview"),
                         QStringLiteral("settings"),
                         {},
                         QStringLiteral("quit")});
}

void TopBar::setRecentFiles(const QStringList &files)
{
    QMenu &menu = *m_open->menu();
    menu.clear();
    m_commands.fill(menu, {QStringLiteral("open"), QStringLiteral("open-demo")});
    if (files.isEmpty())
        return;
    menu.addSeparator();
    for (const QString &file : files) {
        QAction *action =
            menu.addAction(QFileInfo(file).fileName().replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setToolTip(file);
        connect(action, &QAction::triggered, this, [this, file] { Q_EMIT openRequested({file}); });
    }
    menu.setToolTipsVisible(true);
}

void TopBar::setListening(const QString &text, bool isListening)
{
    const QString address = text.section(QLatin1Char(' '), 0, 0).toHtmlEscaped();
    const QString rest = text.section(QLatin1Char(' '), 1).toHtmlEscaped();
    m_listening->setText(
        QStringLiteral("<span style='color:%1'>●</span>&nbsp;&nbsp;%2 "
                       "<a href='senders' style='color:%3; text-decoration:none'>%4</a>")
            .arg((isListening ? theme().good : theme().faint).name(), address, theme().muted.name(), rest));
}

void TopBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().raised);
    painter.fillRect(0, height() - 1, width(), 1, theme().line);
}

} // namespace hearth
