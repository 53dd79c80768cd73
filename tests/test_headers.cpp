// Nothing but the owner of the precompiled headers that the tests share.
int main() {}
