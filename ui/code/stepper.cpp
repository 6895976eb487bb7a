#include "ui/code/stepper.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace hearth {

Stepper::Stepper(const QString &previous, const QString &next, QWidget *parent)
    : QWidget(parent), m_previous(new QPushButton(QStringLiteral("‹"), this)), m_label(new QLabel(this)),
      m_next(new QPushButton(QStringLiteral("›"), this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_previous);
    row->addWidget(m_label);
    row->addWidget(m_next);
    m_label->setForegroundRole(QPalette::Dark);
    m_previous->setToolTip(previous);
    m_next->setToolTip(next);
    for (QPushButton *button : {m_previous, m_next}) {
        button->setProperty("quiet", true);
        button->setAccessibleName(button->toolTip());
        button->setFixedWidth(28);
    }
    connect(m_previous, &QPushButton::clicked, this, [this] { step(false); });
    connect(m_next, &QPushButton::clicked, this, [this] { step(true); });
    hide();
}

void Stepper::setKeys(const QKeySequence &previous, const QKeySequence &next)
{
    const auto give = [](QPushButton *button, const QKeySequence &keys) {
        button->setShortcut(keys);
        button->setToolTip(
            QStringLiteral("%1 (%2)").arg(button->accessibleName(), keys.toString(QKeySequence::NativeText)));
    };
    give(m_previous, previous);
    give(m_next, next);
}

void Stepper::show(std::size_t current, std::size_t count)
{
    m_current = current;
    m_count = count;
    m_label->setText(tr("%1 of %2").arg(current + 1).arg(count));
    setVisible(count > 1);
}

/// Round and round.
void Stepper::step(bool forward)
{
    if (m_count == 0)
        return;
    m_current = (m_current + (forward ? 1 : m_count - 1)) % m_count;
    Q_EMIT stepped(m_current);
}

} // namespace hearth
