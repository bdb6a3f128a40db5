/** Prints the rows of a list as they come, a page at a time: the memory stays flat for any number of rows. */
export interface RowWriter<Row> {
  /** Prints a page, which may be empty. */
  write(rows: readonly Row[]): Promise<void>;
  /**
   * Prints what follows the last page.
   *
   * @param nextCursor - where the rows go on that the caller did not ask for
   */
  end(nextCursor: string | null): Promise<void>;
}

/** Returns a writer that prints each page that has rows, and nothing after the last. */
export function pageWriter<Row>(printPage: (rows: readonly Row[]) => Promise<void>): RowWriter<Row> {
  return {
    async write(rows) {
      if (rows.length > 0) await printPage(rows);
    },
    end: async () => {},
  };
}
