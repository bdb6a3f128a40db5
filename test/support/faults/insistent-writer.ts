import { setTimeout as pause } from 'node:timers/promises';
import { createBackoff } from '../../../src/shared/waiting/backoff.ts';

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
  /** The statuses of the answers that made it send a request again. */
  readonly refusals = new Map<number, number>();

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Sends a POST under `/api/admin`, and resolves with the answer that was acknowledged. */
  async post(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    const backoff = createBackoff({ firstMs: firstDelayMs, maxMs: maxDelayMs, jitter: 0.5 });
    const end = performance.now() + giveUpMs;
    for (;;) {
      const response = await fetch(`${this.#url}/api/admin${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      }).catch(() => null);
      const text = await response?.text().catch(() => undefined);
      if (response?.ok && text !== undefined) return JSON.parse(text);
      if (response !== null && response.status !== 409 && response.status < 500)
        throw new Error(`${path} answered ${response.status} ${text}.`);
      if (response !== null)
        this.refusals.set(response.status, (this.refusals.get(response.status) ?? 0) + 1);
      if (performance.now() > end) throw new Error(`${path} got no answer for four minutes.`);
      this.retries++;
      await pause(backoff.next());
    }
  }
}
