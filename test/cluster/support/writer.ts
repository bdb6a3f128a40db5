import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../../src/contract/client/client.ts';

/** What the service has acknowledged, and what it has refused. */
export class Ledger {
  /** The title of each issue whose creation was acknowledged, by id. */
  readonly created = new Map<number, string>();
  /** The issues whose change to Resolved was acknowledged. */
  readonly resolved = new Set<number>();
  /** The latest value of the setting that was acknowledged. */
  setting = 0;
  acknowledged = 0;
  /** The start of the latest request that was acknowledged. */
  lastStart = 0;
  /** How often each answer came that is not a success: the status and the body, or the error of the connection. */
  readonly refusals = new Map<string, number>();
  slowestRefusalMs = 0;

  /** Runs a request. Returns its answer if it was acknowledged. */
  async try(request: () => Promise<Response>): Promise<unknown> {
    const start = Date.now();
    try {
      const response = await request();
      const body = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${body}`);
      this.acknowledged++;
      this.lastStart = Math.max(this.lastStart, start);
      return JSON.parse(body);
    } catch (error) {
      const { message } = error as Error;
      this.refusals.set(message, (this.refusals.get(message) ?? 0) + 1);
      this.slowestRefusalMs = Math.max(this.slowestRefusalMs, Date.now() - start);
      return undefined;
    }
  }
}

interface Writer {
  readonly url: string;
  /** Those that authenticate. */
  readonly headers: Readonly<Record<string, string>>;
  readonly ledger: Ledger;
  readonly stop: AbortSignal;
}

/** So many changes that each moment of a failure meets some, and so few that a small machine keeps up. */
const pauseMs = 60;

/** Creates issues and resolves each, one after the other. Repeats nothing: a refused change may have been made. */
export async function writeIssues(writer: Writer): Promise<void> {
  const { ledger, stop } = writer;
  while (!stop.aborted) {
    const title = `Written ${crypto.randomUUID()}`;
    const created = await send(writer, 'POST', '/api/admin/issues', { title });
    if (created !== undefined) {
      const { id } = created as { id: number };
      ledger.created.set(id, title);
      const resolved = await send(writer, 'PUT', '/api/admin/issues', { id, status: 'Resolved' });
      if (resolved !== undefined) ledger.resolved.add(id);
    }
    await pause(pauseMs);
  }
}

/** Counts up a setting, whose events a webhook receives. */
export async function countSetting(writer: Writer, key: string): Promise<void> {
  const { ledger, stop } = writer;
  for (let value = 1; !stop.aborted; value++) {
    const answer = await send(writer, 'PUT', '/api/admin/settings', { key, value: String(value) });
    if (answer !== undefined) ledger.setting = value;
    await pause(pauseMs * 5);
  }
}

/**
 * Creates issues with the client, which repeats a request under its `Idempotency-Key`.
 *
 * @returns the titles of those that were acknowledged
 */
export async function writeOnce(client: Client, stop: AbortSignal): Promise<string[]> {
  const titles: string[] = [];
  while (!stop.aborted) {
    const title = `Once ${crypto.randomUUID()}`;
    await client.call('issues.create', { title }).then(
      () => titles.push(title),
      () => {},
    );
    await pause(pauseMs);
  }
  return titles;
}

async function send({ url, headers, ledger }: Writer, method: string, path: string, body: object) {
  return await ledger.try(() =>
    fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    }),
  );
}
