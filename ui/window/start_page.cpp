#include "ui/window/start_page.h"

#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace hearth {

namespace {

constexpr int kPageWidth = 856;
constexpr int kTitlePixels = 22;
constexpr int kHeadPixels = 15;
constexpr qsizetype kMostRecent = 3;

QLabel *makeText(const QString &text, int pixels, bool isStrong)
{
    auto *label = new QLabel(text);
    QFont font = label->font();
    if (pixels > 0)
        font.setPixelSize(pixels);
    if (isStrong)
        font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setWordWrap(true);
    label->setForegroundRole(isStrong ? QPalette::WindowText : QPalette::Dark);
    return label;
}

/// A white sheet with a title, what it is about, and the keys that do the same.
struct Card {
    QWidget *widget;
    QVBoxLayout *layout;
};

Card makeCard(const QString &title, const QString &text, const QString &keys = {})
{
    auto *card = new QWidget;
    card->setProperty("card", true);
    card->setAttribute(Qt::WA_StyledBackground);
    auto *head = new QHBoxLayout;
    head->addWidget(makeText(title, kHeadPixels, true), 1);
    if (!keys.isEmpty()) {
        auto *label = new QLabel(keys);
        label->setProperty("keys", true);
        head->addWidget(label);
    }
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(18, 16, 18, 18);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(makeText(text, 0, false));
    layout->addSpacing(6);
    return {card, layout};
}

QPushButton *makeLink(const QString &text)
{
    auto *button = new QPushButton(text);
    button->setProperty("link", true);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QWidget(parent), m_title(makeText({}, kTitlePixels, true)), m_subtitle(makeText({}, 0, false)),
      m_otherPort(new QPushButton(tr("Listen on another port"))), m_command(new QLabel),
      m_recent(new QHBoxLayout)
{
    m_title->setAlignment(Qt::AlignCenter);
    m_subtitle->setAlignment(Qt::AlignCenter);
    m_otherPort->setProperty("primary", true);
    connect(m_otherPort, &QPushButton::clicked, this, &StartPage::otherPortRequested);

    auto *cards = new QGridLayout;
    cards->setSpacing(16);
    cards->addWidget(makeRecordCard(), 0, 0);
    cards->addWidget(makeSendCard(), 0, 1);
    cards->addWidget(makeOpenCard(), 1, 0);
    cards->addWidget(makeDemoCard(), 1, 1);
    cards->setColumnStretch(0, 1);
    cards->setColumnStretch(1, 1);
    auto *centre = new QWidget;
    centre->setMaximumWidth(kPageWidth);
    auto *column = new QVBoxLayout(centre);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_subtitle);
    column->addWidget(m_otherPort, 0, Qt::AlignHCenter);
    column->addSpacing(20);
    column->addLayout(cards);
    auto *middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(centre, 100);
    middle->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->addStretch(1);
    layout->addLayout(middle);
    layout->addStretch(1);
    setFocusPolicy(Qt::StrongFocus); // no button looks chosen before somebody goes there
    setListening({}, {});
}

QWidget *StartPage::makeRecordCard()
{
    const Card card =
        makeCard(tr("Record this machine"),
                 tr("See what every process runs, with names, in a few seconds. Needs administrator "
                    "rights for the sampler, which gives up all others at start."),
                 tr("Ctrl R"));
    auto *machine = new QPushButton(tr("Record everything"));
    machine->setProperty("primary", true);
    auto *process = new QPushButton(tr("One process…"));
    auto *command = new QPushButton(tr("A command…"));
    connect(machine, &QPushButton::clicked, this, &StartPage::recordMachineRequested);
    connect(process, &QPushButton::clicked, this, &StartPage::recordProcessRequested);
    connect(command, &QPushButton::clicked, this, &StartPage::recordCommandRequested);
    auto *row = new QHBoxLayout;
    row->setSpacing(4);
    for (QPushButton *button : {machine, process, command})
        row->addWidget(button);
    row->addStretch();
    card.layout->addLayout(row);
    card.layout->addStretch();
    return card.widget;
}

QWidget *StartPage::makeSendCard()
{
    const Card card = makeCard(tr("Send data here"), tr("Point any OpenTelemetry sender at this port."));
    m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *copy = makeLink(tr("Copy"));
    connect(copy, &QPushButton::clicked, this, [this, copy] {
        QGuiApplication::clipboard()->setText(m_command->text());
        copy->setText(tr("Copied"));
        QTimer::singleShot(1500, copy, [copy] { copy->setText(tr("Copy")); });
    });
    auto *box = new QWidget;
    box->setProperty("code", true);
    box->setAttribute(Qt::WA_StyledBackground);
    auto *boxLayout = new QHBoxLayout(box);
    boxLayout->setContentsMargins(10, 7, 6, 7);
    boxLayout->addWidget(m_command, 1);
    boxLayout->addWidget(copy, 0, Qt::AlignBottom);
    card.layout->addWidget(box);

    auto *row = new QHBoxLayout;
    row->setSpacing(2);
    auto *ways = new QButtonGroup(this);
    const QStringList names{tr("eBPF profiler"), tr("Collector"), tr("SDK"), tr("ssh tunnel")};
    for (int way = 0; way < names.size(); ++way) {
        QPushButton *button = makeLink(names[way]);
        button->setProperty("choice", true);
        button->setCheckable(true);
        button->setChecked(way == 0);
        ways->addButton(button, way);
        row->addWidget(button);
    }
    connect(ways, &QButtonGroup::idClicked, this, &StartPage::showCommand);
    row->addStretch();
    card.layout->addLayout(row);
    card.layout->addStretch();
    return card.widget;
}

QWidget *StartPage::makeOpenCard()
{
    const Card card =
        makeCard(tr("Open a file"),
                 tr("pprof, OTLP, perf, JFR, Firefox, Chrome, callgrind, heaptrack, folded stacks and more. "
                    "Drop files anywhere in this window."),
                 tr("Ctrl O"));
    auto *button = new QPushButton(tr("Open…"));
    connect(button, &QPushButton::clicked, this, &StartPage::openRequested);
    auto *row = new QHBoxLayout;
    row->addWidget(button);
    row->addStretch();
    card.layout->addLayout(row);
    m_recent->setSpacing(2);
    card.layout->addLayout(m_recent);
    card.layout->addStretch();
    return card.widget;
}

QWidget *StartPage::makeDemoCard()
{
    const Card card = makeCard(tr("Try the demo"), tr("A small shop with a slow request: three programs in "
                                                      "C++, Python and Go, and the kernel below them."));
    auto *button = new QPushButton(tr("Open the demo"));
    connect(button, &QPushButton::clicked, this, &StartPage::demoRequested);
    auto *row = new QHBoxLayout;
    row->addWidget(button);
    row->addStretch();
    card.layout->addLayout(row);
    card.layout->addStretch();
    return card.widget;
}

void StartPage::setRecentFiles(const QStringList &files)
{
    while (QLayoutItem *item = m_recent->takeAt(0)) {
        if (QWidget *widget = item->widget())
            widget->deleteLater();
        delete item;
    }
    for (const QString &file : files.mid(0, kMostRecent)) {
        QPushButton *button =
            makeLink(fontMetrics().elidedText(QFileInfo(file).fileName(), Qt::ElideMiddle, 120));
        button->setToolTip(file);
        connect(button, &QPushButton::clicked, this, [this, file] { Q_EMIT fileChosen(file); });
        m_recent->addWidget(button);
    }
    m_recent->addStretch();
}

void StartPage::showCommand(int way)
{
    m_way = way;
    const QString port = m_address.section(QLatin1Char(':'), -1);
    const QStringList commands{
        QStringLiteral("ebpf-profiler -disable-tls \\\n  -collection-agent=%1").arg(m_address),
        QStringLiteral("exporters:\n  otlp:\n    endpoint: %1\n    tls: { insecure: true }").arg(m_address),
        QStringLiteral("export OTEL_EXPORTER_OTLP_ENDPOINT=http://%1\n"
                       "export OTEL_EXPORTER_OTLP_PROTOCOL=grpc")
            .arg(m_address),
        QStringLiteral("ssh -R %2:%1 host").arg(m_address, port)};
    m_command->setText(commands.value(way));
}

void StartPage::setListening(const QString &address, const QString &problem)
{
    if (!address.isEmpty())
        m_address = address;
    m_title->setText(!address.isEmpty()   ? tr("Listening on %1").arg(address)
                     : !problem.isEmpty() ? tr("Not listening")
                                          : tr("Open a profile"));
    m_subtitle->setText(!problem.isEmpty() ? problem
                        : address.isEmpty()
                            ? tr("Nothing leaves this machine")
                            : tr("OTLP profiles, traces, logs and metrics · gRPC and HTTP · nothing leaves "
                                 "this machine"));
    m_otherPort->setVisible(!problem.isEmpty());
    showCommand(m_way);
}

} // namespace hearth
