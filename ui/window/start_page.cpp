#include "ui/window/start_page.h"

#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QFontDatabase>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace hearth {

namespace {

QLabel *line(const QString &text, int pixels, bool isBold, bool isMuted)
{
    auto *label = new QLabel(text);
    QFont font = label->font();
    font.setPixelSize(pixels);
    if (isBold)
        font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setWordWrap(true);
    label->setForegroundRole(isMuted ? QPalette::Dark : QPalette::WindowText);
    return label;
}

struct Card {
    QWidget *widget;
    QVBoxLayout *layout;
};

Card makeCard(const QString &title, const QString &text)
{
    auto *card = new QWidget;
    card->setObjectName(QStringLiteral("card"));
    card->setStyleSheet(QStringLiteral("#card { background: %1; border: 1px solid %2; border-radius: 8px; }")
                            .arg(theme().panel.name(), theme().line.name()));
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(18, 16, 18, 16);
    layout->setSpacing(6);
    layout->addWidget(line(title, 15, true, false));
    layout->addWidget(line(text, 13, false, true));
    layout->addSpacing(6);
    return {card, layout};
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QWidget(parent), m_title(line({}, 22, true, false)), m_subtitle(line({}, 13, false, true)),
      m_command(new QLabel)
{
    m_title->setAlignment(Qt::AlignCenter);
    m_subtitle->setAlignment(Qt::AlignCenter);

    const Card open =
        makeCard(tr("Open a file"), tr("pprof, OTLP, folded stacks, packed or not. Drop files anywhere "
                                       "in this window; Hearth looks at the content, not the name."));
    auto *button = new QPushButton(tr("Open…"));
    button->setToolTip(tr("Ctrl+O"));
    connect(button, &QPushButton::clicked, this, &StartPage::openRequested);
    auto *row = new QHBoxLayout;
    row->addWidget(button);
    row->addStretch();
    open.layout->addLayout(row);
    open.layout->addStretch();

    auto *cards = new QGridLayout;
    cards->setSpacing(16);
    cards->addWidget(makeSendCard(), 0, 0);
    cards->addWidget(open.widget, 0, 1);
    cards->setColumnStretch(0, 1);
    cards->setColumnStretch(1, 1);
    auto *centre = new QWidget;
    centre->setMaximumWidth(860);
    auto *column = new QVBoxLayout(centre);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_subtitle);
    column->addSpacing(16);
    column->addLayout(cards);
    auto *layout = new QVBoxLayout(this);
    auto *middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(centre, 20);
    middle->addStretch(1);
    layout->addStretch(2);
    layout->addLayout(middle);
    layout->addStretch(3);
    setListening({}, {});
}

QWidget *StartPage::makeSendCard()
{
    const Card card = makeCard(tr("Send data here"), tr("Point any OpenTelemetry sender at this port."));
    m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_command->setContentsMargins(10, 8, 10, 8);
    m_command->setStyleSheet(QStringLiteral("background: %1; border-radius: 5px;").arg(theme().soft.name()));
    auto *copy = new QPushButton(tr("Copy"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_command->text()); });
    card.layout->addWidget(m_command);
    auto *row = new QHBoxLayout;
    auto *ways = new QButtonGroup(this);
    const QStringList names{tr("eBPF profiler"), tr("Collector"), tr("SDK"), tr("ssh tunnel")};
    for (int way = 0; way < names.size(); ++way) {
        auto *button = new QPushButton(names[way]);
        button->setProperty("quiet", true);
        button->setCheckable(true);
        button->setChecked(way == 0);
        ways->addButton(button, way);
        row->addWidget(button);
    }
    connect(ways, &QButtonGroup::idClicked, this, &StartPage::showCommand);
    row->addStretch();
    row->addWidget(copy);
    card.layout->addLayout(row);
    card.layout->addStretch();
    return card.widget;
}

void StartPage::showCommand(int way)
{
    m_way = way;
    const QString port = m_address.section(QLatin1Char(':'), -1);
    const QStringList commands{
        QStringLiteral("ebpf-profiler -disable-tls \\\n  -collection-agent=%1").arg(m_address),
        QStringLiteral("exporters:\n  otlp:\n    endpoint: %1\n    tls: { insecure: true }").arg(m_address),
        QStringLiteral(
            "export OTEL_EXPORTER_OTLP_ENDPOINT=http://%1\nexport OTEL_EXPORTER_OTLP_PROTOCOL=grpc")
            .arg(m_address),
        QStringLiteral("ssh -R %2:%1 host").arg(m_address, port)};
    m_command->setText(commands.value(way));
}

void StartPage::setListening(const QString &address, const QString &problem)
{
    if (!address.isEmpty())
        m_address = address;
    m_title->setText(address.isEmpty() ? tr("Open a profile") : tr("Listening on %1").arg(address));
    m_subtitle->setText(!problem.isEmpty() ? problem
                        : address.isEmpty()
                            ? tr("Nothing leaves this machine")
                            : tr("OTLP profiles, traces, logs and metrics · gRPC and HTTP · nothing "
                                 "leaves this machine"));
    showCommand(m_way);
}

} // namespace hearth
