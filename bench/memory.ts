import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from './contender.ts';

const lists = 5;
const pauseBetweenProbes = 5;

/** What lists that follow each other cost a server that was just started. */
export interface ListCost {
  /** MB; undefined where the system does not tell. */
  readonly peakMemory: number | undefined;
  /** Milliseconds that the slowest other request took meanwhile. */
  readonly longestStall: number;
}

/** Reads a long list several times while small requests on another connection watch how long they have to wait. */
export async function measureLists(contender: Contender, list: string, probe: string): Promise<ListCost> {
  const probeAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  const listAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  // What is asked for the first time is slower, and no stall.
  for (let warmUp = 0; warmUp < 20; warmUp++) await read(contender, probe, probeAgent);
  let reading = true;
  let longestStall = 0;

  async function watch(): Promise<void> {
    while (reading) {
      const start = performance.now();
      await read(contender, probe, probeAgent);
      longestStall = Math.max(longestStall, performance.now() - start);
      await sleep(pauseBetweenProbes);
    }
  }

  const watching = watch();
  for (let done = 0; done < lists; done++) await read(contender, list, listAgent);
  reading = false;
  await watching;
  for (const agent of [probeAgent, listAgent]) agent.destroy();
  return { peakMemory: await contender.peakMemory(), longestStall };
}

/** Reads an answer to its end, keeping nothing of it. */
async function read(contender: Contender, path: string, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(contender.url + path, { agent, headers: contender.headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}.`));
      response.on('error', reject).on('end', resolve).resume();
    }).on('error', reject);
  });
}
