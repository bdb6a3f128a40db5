import pg from 'pg';
import { atMost } from '../../shared/waiting/wait.ts';

const answerTimeoutMs = 5_000;
const maxDisconnectMs = 1_000;

/**
 * How long Postgres keeps the lock of an instance that has frozen or cannot be reached. A change of authority waits that
 * long in the worst case. The instance itself stops relying on the lock much earlier.
 */
const abandonedAfterMs = 1_000;

const hold = `
  begin read only;
  set local idle_in_transaction_session_timeout = ${abandonedAfterMs};
  select hold_authority() as version
`;

/** Holds the lock against changes of authority (see the migration of `authority_changes`), on a connection of its own. */
export class AuthorityLock {
  readonly #databaseUrl: string;
  readonly #onLost: () => void;
  #connected: Promise<pg.Client> | undefined;
  #isInTransaction = false;

  /** @param onLost - called as soon as the connection is lost, and the lock with it */
  constructor(databaseUrl: string, onLost: () => void) {
    this.#databaseUrl = databaseUrl;
    this.#onLost = onLost;
  }

  /**
   * Releases the lock for changes that wait for it, then takes it again. Resolves with the number of changes of authority
   * so far, or with null, without the lock, if a change is being made.
   */
  async renew(): Promise<string | null> {
    const client = await this.#client();
    const text = this.#isInTransaction ? `commit; ${hold}` : hold;
    this.#isInTransaction = true;
    const results = (await client.query(text)) as unknown as pg.QueryResult<{ version: string | null }>[];
    return results.at(-1)?.rows[0]?.version ?? null;
  }

  async release(): Promise<void> {
    if (!this.#isInTransaction) return;
    this.#isInTransaction = false;
    const client = await this.#connected;
    await client?.query('commit');
  }

  /** Closes the connection. The next `renew` opens another. */
  async disconnect(): Promise<void> {
    const connected = this.#connected;
    this.#forget();
    const client = await connected?.catch(() => undefined);
    // A server that has frozen does not answer the goodbye.
    if (client !== undefined) await atMost(maxDisconnectMs, client.end());
  }

  #client(): Promise<pg.Client> {
    if (this.#connected !== undefined) return this.#connected;
    const connected = connect(this.#databaseUrl, () => {
      if (this.#connected !== connected) return;
      this.#forget();
      this.#onLost();
    });
    this.#connected = connected;
    return connected;
  }

  #forget(): void {
    this.#connected = undefined;
    this.#isInTransaction = false;
  }
}

async function connect(databaseUrl: string, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  client.on('error', onLost);
  client.on('end', onLost);
  await client.connect();
  return client;
}
