import { setTimeout as pause } from 'node:timers/promises';
import { connectDatabases } from '../../../src/db/replica/databases.ts';
import { createBackoff } from '../../../src/shared/waiting.ts';
import { addAccount } from '../../support/here/accounts.ts';
import { ask, at, bearer, json, postWithKey } from '../../support/here/requests.ts';
import { createApiToken } from '../../support/here/tokens.ts';

/**
 * Sends requests at a rate, however long each takes.
 *
 * @param send - sends the request with that number, and rejects if it fails
 * @param atMost - how many may be without an answer; then the next ones wait, as those of so many clients would
 */
export function startSteadyLoad(
  perSecond: number,
  send: (number: number) => Promise<void>,
  atMost = Number.POSITIVE_INFINITY,
) {
  const failures: Record<string, number> = {};
  const running = new Set<Promise<void>>();
  let sent = 0;
  let nextAt = performance.now();
  let isFinishing = false;

  const sending = (async () => {
    while (!isFinishing) {
      while (nextAt <= performance.now() && running.size < atMost) {
        nextAt += 1_000 / perSecond;
        const one = send(sent++).catch((error: Error) => {
          const reason = `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`;
          failures[reason] = (failures[reason] ?? 0) + 1;
        });
        running.add(one);
        void one.then(() => running.delete(one));
      }
      await pause(5);
      // What was not sent because too many had no answer is not made up for.
      if (running.size >= atMost) nextAt = performance.now();
    }
  })();

  return {
    /** Sends no more, and resolves with the number of requests and how often each failure occurred. */
    async finish() {
      isFinishing = true;
      await sending;
      await Promise.all(running);
      return { sent, failures };
    },
  };
}

/** Sends a read or a change to the service at a URL, in turn. Each other change has a key. */
export async function readOrChange(url: string, token: string, number: number) {
  const path = '/api/admin/issues';
  const read = { as: bearer(token) };
  if (number % 2 === 0) return await ask(at(url), `${path}?limit=5`, read);
  const key = number % 4 === 1 ? { 'idempotency-key': crypto.randomUUID() } : {};
  const body = { title: `Reported ${number}` };
  return await ask(at(url), path, { ...read, method: 'POST', headers: { ...json, ...key }, body });
}

const firstDelayMs = 50;
const maxDelayMs = 1_000;
/** After this time without an answer, the service is lost. */
const giveUpMs = 240_000;

/** Writes under an `Idempotency-Key`, and repeats each request until it has an answer that is a success. */
export class InsistentWriter {
  readonly #url: string;
  readonly #token: string;
  /** How many requests were sent again. */
  retries = 0;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Sends a POST under `/api/admin`, and resolves with the answer that was acknowledged. */
  async post(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    const backoff = createBackoff({ firstMs: firstDelayMs, maxMs: maxDelayMs, jitter: 0.5 });
    const end = performance.now() + giveUpMs;
    for (;;) {
      const caller = bearer(this.#token);
      const answer = await postWithKey(this.#url, caller, path, body, key).catch(() => null);
      if (answer?.status === 200) return JSON.parse(answer.text);
      if (answer !== null && answer.status !== 409 && answer.status < 500)
        throw new Error(`${path} answered ${answer.status} ${answer.text}.`);
      if (performance.now() > end) throw new Error(`${path} got no answer for four minutes.`);
      this.retries++;
      await pause(backoff.next());
    }
  }
}

/** Creates an account and an API token of a superadmin in a database. */
export async function createTokenIn(databaseUrl: string): Promise<string> {
  await addAccount(databaseUrl);
  const databases = connectDatabases({ databaseUrl });
  try {
    return (await createApiToken(databases.primary, { role: 'superadmin' })).secret;
  } finally {
    await databases.close();
  }
}
