import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { measureRate, type Request } from '../load.ts';
import { type Contender, startService } from '../servers/contender.ts';
import { type Databases, type Figure, perSecond } from './figure.ts';
import { newIssue } from './writes.ts';

const seconds = 10;
const steadyRate = 400;

/** Measures the delay of events while issues are created at a steady rate. */
export function measureSteadyEvents(databases: Databases, issues: number): Promise<Figure> {
  const load = { ...newIssue, rate: steadyRate };
  return measureDelay(databases, issues, load, `event after its change, ${steadyRate} changes/s, p99`, 100);
}

/** Measures the delay of events while 32 writers create as many issues as they can. */
export function measureEventsAtFullLoad(databases: Databases, issues: number): Promise<Figure> {
  return measureDelay(
    databases,
    issues,
    newIssue,
    'event after its change, 32 writers at full load, p99',
    250,
  );
}

/**
 * Measures how long an event takes from its change to a follower: from `created_at`, which is just before the commit, until
 * the follower has it.
 */
async function measureDelay(
  databases: Databases,
  issues: number,
  load: Request,
  name: string,
  maxMs: number,
): Promise<Figure> {
  const service = await startService(await databases(issues));
  try {
    const following = new AbortController();
    const measuring = measureRate(service, load, seconds).finally(() => following.abort());
    const [delays, rate] = await Promise.all([collectDelays(service, following.signal), measuring]);
    const sorted = delays.toSorted((a, b) => a - b);
    if (sorted.length < (rate * seconds) / 2) throw new Error('The follower missed events.');
    const percentile = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
    const ms = percentile(0.99);
    return {
      name,
      issues,
      service: `median ${percentile(0.5)} ms, p99 ${ms} ms at ${perSecond(rate)}`,
      baseline: '',
      result: `${ms} ms`,
      target: `≤ ${maxMs} ms`,
      met: ms <= maxMs,
    };
  } finally {
    await service.stop();
  }
}

/** Follows the events until the signal aborts, and returns the milliseconds from each change to its event. */
async function collectDelays(service: Contender, signal: AbortSignal): Promise<number[]> {
  const delays: number[] = [];
  try {
    const { body } = await fetch(`${service.url}/api/admin/events`, { headers: service.headers, signal });
    if (body === null) throw new Error('The event stream has no body.');
    for await (const line of createInterface({ input: Readable.fromWeb(body as ReadableStream) })) {
      const createdAt = /^data: .*"created_at": ?"([^"]+)"/.exec(line)?.[1];
      if (createdAt !== undefined) delays.push(Date.now() - Date.parse(createdAt));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return delays;
}
