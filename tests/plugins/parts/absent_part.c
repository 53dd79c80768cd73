/* What dependency_missing is linked against; never where the loader looks. */
__attribute__((visibility("default"))) int absent_part(void);

int absent_part(void) { return 0; }
