#include "ui/commands/key_overview.h"

#include "ui/commands/commands.h"
#include "ui/commands/palette_delegate.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <vector>

namespace hearth {

namespace {

constexpr int kColumns = 3;
constexpr int kRowsPerColumn = 22;

QLabel *headLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPixelSize(11);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setForegroundRole(QPalette::Dark);
    label->setContentsMargins(0, 8, 0, 2);
    return label;
}

/// Keys that are not of a command: what the mouse and the arrows do in the flame graph.
std::vector<std::pair<QString, QString>> viewKeys()
{
    return {{KeyOverview::tr("Select"), KeyOverview::tr("click, arrows")},
            {KeyOverview::tr("Fit to the width"), KeyOverview::tr("double-click, Enter")},
            {KeyOverview::tr("One step out"), KeyOverview::tr("Esc")},
            {KeyOverview::tr("Zoom"), KeyOverview::tr("Ctrl+wheel, +, −")}};
}

} // namespace

KeyOverview::KeyOverview(const Commands &commands, QWidget &window) : QFrame(&window)
{
    setObjectName(QStringLiteral("key-overview"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Keys"));
    fill(commands);
    adjustSize();
    move((window.width() - width()) / 2, std::max(0, (window.height() - height()) / 2));
    show();
    raise();
    setFocus();
}

void KeyOverview::fill(const Commands &commands)
{
    auto *columns = new QHBoxLayout(this);
    columns->setContentsMargins(24, 16, 24, 20);
    columns->setSpacing(40);
    QGridLayout *grid = nullptr;
    int row = kRowsPerColumn;
    const auto next = [&](int rows) {
        if (grid == nullptr || (row + rows > kRowsPerColumn && columns->count() < kColumns)) {
            auto *column = new QVBoxLayout;
            grid = new QGridLayout;
            grid->setHorizontalSpacing(18);
            grid->setVerticalSpacing(3);
            column->addLayout(grid);
            column->addStretch();
            columns->addLayout(column);
            row = 0;
        }
    };
    const auto add = [&](const QString &text, const QString &keys) {
        next(1);
        auto *shown = new QLabel(keys, this);
        shown->setForegroundRole(QPalette::Dark);
        grid->addWidget(new QLabel(text, this), row, 0);
        grid->addWidget(shown, row, 1, Qt::AlignRight);
        ++row;
    };
    QString group;
    for (const QAction *action : commands.all()) {
        if (action->shortcuts().isEmpty())
            continue;
        if (Commands::groupOf(*action) != group) {
            group = Commands::groupOf(*action);
            next(4);
            grid->addWidget(headLabel(group, this), row++, 0, 1, 2);
        }
        add(plainText(*action), QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)
                                    .replace(QStringLiteral("; "), QStringLiteral(", ")));
    }
    next(4);
    grid->addWidget(headLabel(tr("In the flame graph"), this), row++, 0, 1, 2);
    for (const auto &[text, keys] : viewKeys())
        add(text, keys);
}

void KeyOverview::keyPressEvent(QKeyEvent *)
{
    close();
}

void KeyOverview::mousePressEvent(QMouseEvent *)
{
    close();
}

void KeyOverview::focusOutEvent(QFocusEvent *)
{
    close();
}

void KeyOverview::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().line);
    painter.setBrush(theme().panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

} // namespace hearth
