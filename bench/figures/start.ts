import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../compare-rates.ts';
import { startServiceProcess } from '../servers/contender.ts';
import { atMost, type Databases, type Figure } from './figure.ts';

const starts = 9;
/** 0.4 seconds where a Node process that ends at once takes 25 ms. */
const maxFloors = 16;

/** Measures how long a built server takes from its start to its first 200 on `/readyz`. */
export async function measureStart(databases: Databases, issues: number): Promise<Figure> {
  const databaseUrl = await databases(issues);
  const times: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < starts; round++) {
    times.push(await timeToReady(databaseUrl));
    floors.push(await timeOfNode());
  }
  const ms = median(times);
  const floorMs = median(floors);
  return atMost(maxFloors, ms / floorMs, {
    name: 'start of a built server to its first 200 on /readyz, relative to a Node process that ends at once',
    issues,
    service: `${ms.toFixed(0)} ms; Node: ${floorMs.toFixed(0)} ms`,
    baseline: '',
  });
}

async function timeToReady(databaseUrl: string): Promise<number> {
  const start = performance.now();
  const service = await startServiceProcess(databaseUrl);
  try {
    while (!(await fetch(`${service.url}/readyz`)).ok) await pause(1);
    return performance.now() - start;
  } finally {
    await service.stop();
  }
}

async function timeOfNode(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ['--eval', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - start;
}
