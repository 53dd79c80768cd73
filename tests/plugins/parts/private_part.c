/* The private library of private_dependency. */
__attribute__((visibility("default"))) const char *private_part(void);

const char *private_part(void) { return "[{\"text\":\"from the private part\"}]"; }
