// Tells of some of its own addresses in which functions and lines they are, the innermost first:
//
//     401176 inner:21 middle:28 outer:35

#include <cstdint>
#include <cstdio>

namespace known {

/// The address of the call itself: one before where it returns to.
[[gnu::noinline]] std::uintptr_t here()
{
    const auto returns = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    asm volatile("");
    return returns - 1;
}

[[gnu::always_inline]] inline std::uintptr_t inner(int &line)
{
    const std::uintptr_t address = (line = __LINE__, here());
    return address;
}

template <class Number>
[[gnu::always_inline]] inline std::uintptr_t middle(Number &innerLine, int &line)
{
    const std::uintptr_t address = (line = __LINE__, inner(innerLine));
    return address;
}

[[gnu::noinline]] void outer()
{
    int innerLine = 0, middleLine = 0;
    int line = 0;
    const std::uintptr_t address = (line = __LINE__, middle(innerLine, middleLine));
    std::printf(
        "%zx known::inner(int&):%d unsigned long known::middle<int>(int&, int&):%d known::outer():%d\n",
        static_cast<std::size_t>(address), innerLine, middleLine, line);
}

struct Shape {
    virtual ~Shape() = default;
    [[gnu::noinline]] virtual void draw() const
    {
        int line = 0;
        const std::uintptr_t address = (line = __LINE__, here());
        std::printf("%zx known::Shape::draw() const:%d\n", static_cast<std::size_t>(address), line);
    }
};

static void hidden()
{
    int line = 0;
    const std::uintptr_t address = (line = __LINE__, here());
    std::printf("%zx known::hidden():%d\n", static_cast<std::size_t>(address), line);
}

/// Whose local class has a function of its own.
[[gnu::noinline]] void around()
{
    const auto lambda = [](int &innerLine, int &line) __attribute__((noipa)) {
        const std::uintptr_t address = (line = __LINE__, inner(innerLine));
        asm volatile(""); // or the call might become a jump, from which nothing returns here
        return address;
    };
    int innerLine = 0, line = 0;
    const std::uintptr_t address = lambda(innerLine, line);
    std::printf("%zx known::inner(int&):%d known::around()::{lambda(int&, int&)#1}::operator()(int&, int&) "
                "const:%d\n",
                static_cast<std::size_t>(address), innerLine, line);
}

} // namespace known

extern "C" [[gnu::noinline]] void plainC()
{
    int line = 0;
    const std::uintptr_t address = (line = __LINE__, known::here());
    std::printf("%zx plainC:%d\n", static_cast<std::size_t>(address), line);
}

int main()
{
    known::outer();
    known::around();
    known::Shape().draw();
    void (*volatile call)() = known::hidden;
    call();
    plainC();
    return 0;
}
