// Bounds that forms and commands know without the schemas.

/** The rows that one call changes at most. */
export const maxChangedRows = 10_000;
/** The rows that one change has at most, over all its calls: an undo is one transaction. */
export const maxRowsOfChange = 50_000;

/** The rows that one call deletes at most. */
export const maxDeletedRows = 1_000;

/** The characters of a search. */
export const maxSearchLength = 200;

/** The days of a trend. */
export const defaultTrendDays = 30;
/** A leap year. */
export const maxTrendDays = 366;

/** Events of one answer that lists the latest ones. */
export const maxLatestEvents = 100;
