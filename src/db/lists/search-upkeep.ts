import { sql } from 'slonik';
import { runAs } from '../connection/caller.ts';
import type { Database } from '../connection/pool.ts';

/** The list of new entries of an index is full after about twice as many changes. */
const dueAfterChanges = 400;

/**
 * Has the new entries of the search indexes sorted in while changes are published. Else the statement that fills the list
 * of an index does it, and all events wait if that is the publisher's.
 */
export class SearchUpkeep {
  readonly #db: Database;
  #changes = 0;
  #isRunning = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Counts published changes. */
  count(changes: number): void {
    this.#changes += changes;
    if (this.#isRunning || this.#changes < dueAfterChanges) return;
    this.#changes = 0;
    this.#isRunning = true;
    runAs(undefined, () => this.#sortIn()).finally(() => {
      this.#isRunning = false;
    });
  }

  async #sortIn(): Promise<void> {
    // If it fails, a writer or autovacuum does it, and the next changes try again.
    await this.#db.query(sql.unsafe`select sort_in_search_entries()`).catch(() => {});
  }
}
