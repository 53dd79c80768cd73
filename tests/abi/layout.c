/* The layout as C sees it. */
#include "layout.h"
