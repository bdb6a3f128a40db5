export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  /** How many rows there are on all pages, if the page was loaded with their number. */
  readonly total?: number | undefined;
}

/** How a list identifies and orders its rows. */
export interface RowOrder<Row> {
  keyOf(row: Row): string | number;
  /**
   * Returns the value that the service orders the list by, the highest first. Rows with the same value may come in any
   * order: the service's times are finer than the ones that it sends, and it compares texts in its own way.
   */
  timeOf(row: Row): string | number;
}

/** Where a list gets its rows. */
export interface ListSource<Row, Found extends Page<Row> = Page<Row>> extends RowOrder<Row> {
  load(cursor: string | null, limit: number): Promise<Found>;
  /** Receives each page whose rows the list uses, for what else the page has. Pages that arrive too late are dropped. */
  onPage?(page: Found): void;
  /** Returns the rows as they are shown. Without it, rows are shown in the order of the service. */
  arrange?: ((rows: readonly Row[]) => readonly Row[]) | undefined;
  /** Returns the sentence that describes an error to a person. */
  explain(error: unknown): string;
  now(): number;
}
