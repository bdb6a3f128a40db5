export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** What a list knows of its rows. */
export interface Order<Row> {
  keyOf(row: Row): string | number;
  /**
   * What the service orders the list by, the highest first. Rows of the same time may stand in any order: the service
   * has finer times than are read, and compares texts in its own way.
   */
  timeOf(row: Row): string | number;
}

/** Where a list has its rows from. */
export interface ListSource<Row, Found extends Page<Row> = Page<Row>> extends Order<Row> {
  load(cursor: string | null, limit: number): Promise<Found>;
  /** Told of each page whose rows are taken, and of none that came too late: for what else came with it. */
  taken?(page: Found): void;
  /** In which order the rows are shown; absent: as they come. */
  arrange?: ((rows: readonly Row[]) => readonly Row[]) | undefined;
  /** What a person reads of a failure. */
  explain(error: unknown): string;
  now(): number;
}
