/* Checks the layout in C. */
#include "layout.h"
