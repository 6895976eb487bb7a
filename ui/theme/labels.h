#pragma once

class QLabel;
class QWidget;

namespace hearth {

/// A text that is shown as it is, whatever it looks like, and can be selected.
/// @param pixels 0: as the system has it
QLabel *plainLabel(QWidget *parent, int pixels, bool isBold, bool isMuted);

/// The small head of a section.
QLabel *sectionHead(QWidget *parent);

} // namespace hearth
