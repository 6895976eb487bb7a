#include "ui/window/message_bar.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <utility>

namespace hearth {

MessageBar::MessageBar(QWidget *parent)
    : QWidget(parent), m_text(new QLabel(this)), m_button(new QPushButton(this))
{
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText); // names of files and functions are no markup
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *close = new QPushButton(QStringLiteral("✕"), this);
    close->setProperty("quiet", true);
    close->setAccessibleName(tr("Close the message"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 5, 6, 5);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button, 0, Qt::AlignTop);
    layout->addWidget(close, 0, Qt::AlignTop);
    hide();
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_button, &QPushButton::clicked, this, [this] {
        hide();
        if (const auto run = std::exchange(m_run, nullptr))
            run();
    });
}

void MessageBar::show(MessageKind kind, const QString &text)
{
    show(kind, text, {}, nullptr);
}

void MessageBar::show(MessageKind kind, const QString &text, const QString &action, std::function<void()> run)
{
    m_kind = kind;
    m_text->setText(text);
    m_button->setText(action);
    m_button->setVisible(!action.isEmpty());
    m_run = std::move(run);
    setAccessibleName(text);
    QWidget::show();
    update();
}

QString MessageBar::text() const
{
    return m_text->text();
}

void MessageBar::paintEvent(QPaintEvent *)
{
    const QColor edge = m_kind == MessageKind::Problem ? theme().bad : theme().warn;
    QPainter painter(this);
    painter.fillRect(rect(), mixed(theme().panel, edge, 0.12));
    painter.fillRect(0, 0, 3, height(), edge);
    painter.fillRect(0, height() - 1, width(), 1, mixed(theme().panel, edge, 0.5));
}

} // namespace hearth
