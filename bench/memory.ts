import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from './contender.ts';

const lists = 5;
const probeIntervalMs = 5;

/** The cost of consecutive whole lists on a server that has just started. */
export interface ListCost {
  /** Undefined if the system does not report it. */
  readonly peakMemoryMb: number | undefined;
  /** The time of the slowest other request. */
  readonly maxDelayMs: number;
}

/** Reads a long list several times while small requests on another connection measure the delay. */
export async function measureLists(contender: Contender, list: string, probe: string): Promise<ListCost> {
  const probeAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  const listAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  // The first requests of a server are always slower.
  for (let warmUp = 0; warmUp < 20; warmUp++) await read(contender, probe, probeAgent);
  let reading = true;
  let maxDelayMs = 0;

  async function probeRepeatedly(): Promise<void> {
    while (reading) {
      const start = performance.now();
      await read(contender, probe, probeAgent);
      maxDelayMs = Math.max(maxDelayMs, performance.now() - start);
      await sleep(probeIntervalMs);
    }
  }

  const probing = probeRepeatedly();
  for (let done = 0; done < lists; done++) await read(contender, list, listAgent);
  reading = false;
  await probing;
  for (const agent of [probeAgent, listAgent]) agent.destroy();
  return { peakMemoryMb: await contender.peakMemoryMb(), maxDelayMs };
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
