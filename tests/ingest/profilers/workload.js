// Work in functions of known names, for V8's profilers to look at.
'use strict';

function fibonacci(n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

function joins()
{
    let text = '';
    for (let i = 0; i < 20000; ++i)
        text += i.toString(36);
    return text.length;
}

const kept = [];
function keeps()
{
    for (let i = 0; i < 2000; ++i)
        kept.push({ number: i, list: new Array(10).fill(i) });
}

for (let i = 0; i < 40; ++i) {
    fibonacci(20);
    joins();
    keeps();
}
