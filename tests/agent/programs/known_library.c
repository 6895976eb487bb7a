/* A library that known_calls loads, and one of many ways into which known_imports calls. */

int inLibrary(int (*callee)(void))
{
    return callee() + 1;
}

unsigned long returnsAtOnce(unsigned long number)
{
    return number + 1;
}
