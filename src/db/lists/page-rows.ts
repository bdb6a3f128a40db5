/** How many rows of a long list are read at once, about 128 KB of issues: many lists are read at the same time. */
export const pageRows = 250;
/** How many are read at once if they are long, and first of all. */
export const longPageRows = 50;
