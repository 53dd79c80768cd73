/* The library that dependency_missing is linked with; the loader never finds it. */
__attribute__((visibility("default"))) int absent_part(void);

int absent_part(void) { return 0; }
