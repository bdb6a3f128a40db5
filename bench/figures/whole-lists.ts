import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contender, startBaseline, startService, withContenders } from '../servers/contender.ts';
import type { Databases, Figure } from './figure.ts';
import { adminsPage, wholeList } from './reads.ts';

const probeIntervalMs = 5;
const maxDelayMs = 250;

/** The cost of whole lists on a server that has just started. */
interface ListCost {
  /** Undefined if the system does not report it. */
  readonly peakMemoryMb: number | undefined;
  /** The time of the slowest other request. */
  readonly maxDelayMs: number;
}

/** Measures the memory that five whole lists need, one after the other, and how long they delay other requests. */
export async function measureLongLists(databases: Databases, issues: number): Promise<Figure> {
  const maxMemoryMb = 250;
  const url = await databases(issues);
  return await withContenders([startService(url), startBaseline(url)], async (service, baseline) => {
    const fiveTimes = async (contender: Contender, agent: Agent) => {
      for (let done = 0; done < 5; done++) await read(contender, wholeList.path, agent);
    };
    const cost = await measureWhile(service, fiveTimes);
    const floor = describe(await measureWhile(baseline, fiveTimes));
    return figureOf('five whole lists, peak memory', issues, cost, floor, maxMemoryMb);
  });
}

/** Measures the memory that twenty whole lists for one account need, all at once, and how long they delay other requests. */
export async function measureManyReaders(databases: Databases, issues: number): Promise<Figure> {
  const maxMemoryMb = 300;
  const service = await startService(await databases(issues));
  try {
    const cost = await measureWhile(service, async (contender, agent) => {
      await Promise.all(Array.from({ length: 20 }, () => read(contender, wholeList.path, agent)));
    });
    return figureOf('twenty whole lists at once for one account, peak memory', issues, cost, '', maxMemoryMb);
  } finally {
    await service.stop();
  }
}

function figureOf(
  name: string,
  issues: number,
  cost: ListCost,
  baseline: string,
  maxMemoryMb: number,
): Figure {
  const { peakMemoryMb } = cost;
  return {
    name,
    issues,
    service: describe(cost),
    baseline,
    result: `${peakMemoryMb?.toFixed(0) ?? '?'} MB`,
    target: `≤ ${maxMemoryMb} MB, ≤ ${maxDelayMs} ms`,
    met: peakMemoryMb !== undefined && peakMemoryMb <= maxMemoryMb && cost.maxDelayMs <= maxDelayMs,
  };
}

function describe({ peakMemoryMb, maxDelayMs }: ListCost): string {
  return `${peakMemoryMb?.toFixed(0) ?? '?'} MB, other requests up to ${maxDelayMs.toFixed(0)} ms`;
}

/**
 * Reads lists while small requests on another connection measure the delay.
 *
 * @throws the first error of either. Nothing asks the server afterwards: the caller stops it.
 */
export async function measureWhile(
  contender: Contender,
  readLists: (contender: Contender, agent: Agent) => Promise<void>,
): Promise<ListCost> {
  const probeAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  const listAgent = new Agent({ keepAlive: true });
  // The first requests of a server are always slower.
  for (let warmUp = 0; warmUp < 20; warmUp++) await read(contender, adminsPage.path, probeAgent);
  let reading = true;
  let slowestMs = 0;

  async function probeRepeatedly(): Promise<void> {
    while (reading) {
      const start = performance.now();
      await read(contender, adminsPage.path, probeAgent);
      slowestMs = Math.max(slowestMs, performance.now() - start);
      await sleep(probeIntervalMs);
    }
  }

  const lists = readLists(contender, listAgent).finally(() => {
    reading = false;
  });
  try {
    await Promise.all([lists, probeRepeatedly()]);
  } finally {
    for (const agent of [probeAgent, listAgent]) agent.destroy();
  }
  return { peakMemoryMb: await contender.peakMemoryMb(), maxDelayMs: slowestMs };
}

/** Reads an answer to its end and discards it. */
async function read(contender: Contender, path: string, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(contender.url + path, { agent, headers: contender.headers }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`${path} failed with status ${response.statusCode}.`));
      response.on('error', reject).on('end', resolve).resume();
    }).on('error', reject);
  });
}
