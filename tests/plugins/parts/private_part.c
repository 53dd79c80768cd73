/* What private_dependency brings along. */
__attribute__((visibility("default"))) const char *private_part(void);

const char *private_part(void) { return "[{\"text\":\"from the private part\"}]"; }
