#include "model/views/short_name.h"

#include <QTest>

using namespace hearth;

/// How much of a function's name is shown.
class TestShortName : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesHaveLevelsOfDetail_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("noArguments");
        QTest::addColumn<QByteArray>("noTemplates");
        QTest::addColumn<QByteArray>("last");
        const auto row = [](const char *name, const char *noArguments, const char *noTemplates,
                            const char *last) {
            QTest::newRow(name) << QByteArray(name) << QByteArray(noArguments) << QByteArray(noTemplates)
                                << QByteArray(last);
        };
        row("void a::b<std::vector<int>>::c<3>(a::d<int> const&) const", "void a::b<std::vector<int>>::c<3>",
            "void a::b::c", "b::c");
        row("(anonymous namespace)::run()", "(anonymous namespace)::run", "(anonymous namespace)::run",
            "(anonymous namespace)::run");
        row("a::{lambda(int)#1}::operator()(int) const", "a::{lambda(int)#1}::operator()",
            "a::{lambda(int)#1}::operator()", "a::{lambda(int)#1}::operator()");
        row("bool a::operator<(a::b<int>, a::b<int>)", "bool a::operator<", "bool a::operator<",
            "bool a::operator<");
        row("<alloc::vec::Vec<T> as core::ops::Drop>::drop", "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
            "<alloc::vec::Vec as core::ops::Drop>::drop", "<alloc::vec::Vec as core::ops::Drop>::drop");
        row("net/http.(*conn).serve", "net/http.(*conn).serve", "net/http.(*conn).serve",
            "http.(*conn).serve");
        row("example.com/a.(*Tree[go.shape.int]).Get", "example.com/a.(*Tree[go.shape.int]).Get",
            "example.com/a.(*Tree).Get", "a.(*Tree).Get");
        row("main.Map[...]", "main.Map[...]", "main.Map", "main.Map");
        row("foo() [clone .cold]", "foo", "foo", "foo");
        row("[libc.so.6]", "[libc.so.6]", "[libc.so.6]", "[libc.so.6]");
        row("main", "main", "main", "main");
    }
    void namesHaveLevelsOfDetail()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, noArguments);
        QFETCH(QByteArray, noTemplates);
        QFETCH(QByteArray, last);
        const auto shown = [&](const char *word) {
            return QByteArray::fromStdString(detailedName(name.toStdString(), nameDetail(word).value()));
        };
        QCOMPARE(shown("full"), name);
        QCOMPARE(shown("no-args"), noArguments);
        QCOMPARE(shown("no-templates"), noTemplates);
        QCOMPARE(shown("short"), last);
        QVERIFY(!nameDetail("long"));
    }
};

QTEST_GUILESS_MAIN(TestShortName)
#include "tst_short_name.moc"
