/** The order of a list: that of a column, or the reverse of it. */
export interface Sort {
  readonly column: string;
  readonly isReversed: boolean;
}

/** A column that rows can be sorted by. */
export interface SortColumn<Row> {
  /** Compares two rows in the order that people look for first. */
  readonly compare: (one: Row, other: Row) => number;
  /** In that order, the highest value comes first. */
  readonly isDescending?: true;
}

/** The orders that a list can have. */
export interface Sorting<Row> {
  /** The columns, in the order of the key that sorts by the next one. */
  readonly columns: readonly string[];
  /** The names of the orders in a file: a column, lowest first, or with `-` before it highest first. */
  readonly names: readonly string[];
  /** The order of the service. */
  readonly start: Sort;
  /** Returns a function that puts rows into an order, or undefined if the service returns them in it. */
  arrangement(sort: Sort): ((rows: readonly Row[]) => readonly Row[]) | undefined;
  /** Returns the sign of an order: whether the values grow or shrink from line to line. */
  sign(sort: Sort): '▲' | '▼';
  /** Returns the order by a column, reversed if the list already has it. */
  by(column: string, before: Sort): Sort;
  /** Returns the order by the next column. */
  next(before: Sort): Sort;
  /** Returns the order that a file names. */
  named(name: string): Sort;
  /** Returns the name of an order in a file. */
  nameOf(sort: Sort): string;
}

/** @param all - the columns by their names; the service returns rows in the order of the first one */
export function createSorting<Row>(all: Readonly<Record<string, SortColumn<Row>>>): Sorting<Row> {
  const columns = Object.keys(all);
  const start: Sort = { column: columns[0] ?? '', isReversed: false };
  const isDescending = ({ column, isReversed }: Sort) => (all[column]?.isDescending === true) !== isReversed;
  return {
    columns,
    names: columns.flatMap((column) => [column, `-${column}`]),
    start,
    arrangement({ column, isReversed }) {
      const compare = all[column]?.compare;
      if (compare === undefined || (column === start.column && !isReversed)) return undefined;
      return (rows) => rows.toSorted(isReversed ? (one, other) => compare(other, one) : compare);
    },
    sign: (sort) => (isDescending(sort) ? '▼' : '▲'),
    by: (column, before) => ({ column, isReversed: before.column === column && !before.isReversed }),
    next({ column }) {
      const index = columns.indexOf(column) + 1;
      return { column: columns[index % columns.length] ?? start.column, isReversed: false };
    },
    named(name) {
      const column = columns.find((each) => each === name.replace(/^-/, ''));
      if (column === undefined) return start;
      return { column, isReversed: (all[column]?.isDescending === true) !== name.startsWith('-') };
    },
    nameOf: (sort) => `${isDescending(sort) ? '-' : ''}${sort.column}`,
  };
}

/** Compares code units, because a collator takes ten times as long for a hundred thousand titles. */
export const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Returns a comparison by the position of a word, such as a status. Unknown words come last. */
export function comparisonByRank<Row>(
  words: readonly string[],
  wordOf: (row: Row) => string,
): (one: Row, other: Row) => number {
  const ranks = new Map(words.map((word, rank) => [word, rank]));
  const rankOf = (row: Row) => ranks.get(wordOf(row)) ?? words.length;
  return (one, other) => rankOf(one) - rankOf(other);
}
