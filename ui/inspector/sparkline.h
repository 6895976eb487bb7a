#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

namespace hearth {

/// A small picture of how much there was when; as high as its largest bin.
class Sparkline : public QWidget {
    Q_OBJECT

public:
    explicit Sparkline(QWidget *parent = nullptr);

    void setBins(std::vector<std::int64_t> bins);
    static constexpr int kBins = 92;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::vector<std::int64_t> m_bins;
};

} // namespace hearth
