import { median } from '../compare-rates.ts';
import type { Row, Section } from '../report.ts';
import { startService } from '../servers/contender.ts';
import { backoffice, runNode } from './command.ts';
import { createToken } from './token.ts';

const rounds = 11;

interface Case {
  readonly command: string;
  readonly through: 'nothing' | 'the database' | 'a server';
  readonly env: Record<string, string>;
  readonly floor: readonly string[];
  readonly target?: number;
}

/**
 * Measures how long commands take, each right before and after the floor that it is compared with: the least that a program
 * on Node takes for the same.
 */
export async function measureLatency(databaseUrl: string): Promise<Section> {
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
    // A target is how many times as long as the floor a command may take.
    const cases: readonly Case[] = [
      { command: '--version', through: 'nothing', env: {}, floor: bare, target: 2.5 },
      { command: '--help', through: 'nothing', env: {}, floor: bare, target: 4 },
      { command: 'whoami', through: 'a server', env: remote, floor: request },
      { command: 'issues list', through: 'a server', env: remote, floor: request },
      { command: 'issues list', through: 'the database', env: local, floor: request },
    ];
    const rows: Row[] = [];
    for (const { command, through, env, floor, target } of cases) {
      const times: number[] = [];
      const floors: number[] = [];
      // The first fills the compile cache.
      await runNode(backoffice(command), env);
      for (let round = 0; round < rounds; round++) {
        floors.push((await runNode(floor, {})).ms);
        times.push((await runNode(backoffice(command), env)).ms);
      }
      const ms = median(times);
      const floorMs = median(floors);
      const ratio = ms / floorMs;
      rows.push({
        cells: [
          `\`${command}\``,
          through,
          `${ms.toFixed(0)} ms`,
          `${floorMs.toFixed(0)} ms`,
          `${ratio.toFixed(1)} ×`,
          target === undefined ? '' : `≤ ${target} ×`,
        ],
        met: target === undefined ? undefined : ratio <= target,
      });
    }
    return {
      heading: 'Latency',
      text: `The median of ${rounds} runs. The floor of a command that opens nothing is a bare Node that ends at once; of the others, a bare Node
that sends one HTTP request and prints the answer, which is the least that a program such as \`gh\` does on Node.`,
      tables: [{ columns: ['command', 'through', 'time', 'floor', 'ratio', 'target'], rows }],
    };
  } finally {
    await service.stop();
  }
}
