import { median } from '../compare-rates.ts';
import { startService } from '../servers/contender.ts';
import { backoffice, runNode } from './command.ts';
import { createToken } from './token.ts';

const rounds = 11;

/** How long a command takes, beside the least that a program on Node takes for the same. */
export interface Latency {
  readonly command: string;
  readonly through: 'nothing' | 'the database' | 'a server';
  readonly ms: number;
  readonly floorMs: number;
  /** How many times as long as the floor it may take. */
  readonly target?: number;
}

/** Measures commands, each right before and after the floor that it is compared with. */
export async function measureLatency(databaseUrl: string): Promise<Latency[]> {
  const service = await startService(databaseUrl);
  try {
    const token = await createToken(databaseUrl);
    const local = { DATABASE_URL: databaseUrl };
    const remote = { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: token };
    const bare = ['--eval', '0'];
    // What `gh` does at least: it starts, asks once and prints the answer.
    const request = [
      '--eval',
      `require('node:http').get('${service.url}/healthz', (answer) => answer.pipe(process.stdout))`,
    ];
    const cases = [
      { command: '--version', through: 'nothing', env: {}, floor: bare, target: 2.5 },
      { command: '--help', through: 'nothing', env: {}, floor: bare, target: 4 },
      { command: 'whoami', through: 'a server', env: remote, floor: request },
      { command: 'issues list', through: 'a server', env: remote, floor: request },
      { command: 'issues list', through: 'the database', env: local, floor: request },
    ] as const;
    const measured: Latency[] = [];
    for (const { floor, env, ...each } of cases) {
      const times: number[] = [];
      const floors: number[] = [];
      // The first fills the compile cache.
      await runNode(backoffice(each.command), env);
      for (let round = 0; round < rounds; round++) {
        floors.push((await runNode(floor, {})).ms);
        times.push((await runNode(backoffice(each.command), env)).ms);
      }
      measured.push({ ...each, ms: median(times), floorMs: median(floors) });
    }
    return measured;
  } finally {
    await service.stop();
  }
}
