import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlledPostgres, controlledPostgres } from '../support/postgres/control.ts';
import { type ServerProcess, serveProcess } from '../support/run/server.ts';
import { createTokenIn, readOrChange, startSteadyLoad } from './support/load.ts';

const restarts = 10;
const frozenMs = 30_000;
const requestsPerSecond = 100;
const maxRecoveryMs = 2_000;
/** Requests that are sent so long after a thaw succeed. Before that, connections that hang are given up. */
const maxThawMs = 5_000;
/** A request has 10 s. The rest allows for a busy machine. */
const maxAnswerMs = 11_000;

let postgres: ControlledPostgres;
let server: ServerProcess;
let token: string;

beforeAll(async () => {
  postgres = await controlledPostgres();
  token = await createTokenIn(postgres.url);
  server = await serveProcess(postgres.url);
});

afterAll(async () => {
  await server?.command.stop('SIGKILL');
  await postgres?.remove();
});

/** The answers to requests that are sent all the time. */
class Answers {
  readonly statuses = new Map<number, number>();
  readonly wrong: string[] = [];
  slowestMs = 0;
  /** When the last request was sent that failed. */
  lastFailureAt = 0;

  /**
   * Sends reads, and changes with and without a key. Notes an answer that is not JSON, or that has another status than 200
   * or 5xx.
   */
  async send(number: number): Promise<void> {
    const sentAt = performance.now();
    const { status, text } = await readOrChange(server.url, token, number);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - sentAt);
    if (status === 200) return;
    this.lastFailureAt = Math.max(this.lastFailureAt, sentAt);
    if ((status === 500 || status === 503) && /^\{"error":"[^"]+"\}$/.test(text)) return;
    this.wrong.push(`${status} ${text}`);
  }

  toString(): string {
    return `${JSON.stringify(Object.fromEntries(this.statuses))}, the slowest after ${Math.round(this.slowestMs)} ms`;
  }
}

/** Resolves with the time until the service answers a read and a change, and is ready. */
async function recoveryMs(): Promise<number> {
  const start = performance.now();
  const works = async () => {
    const answers = await Promise.all([
      ...[0, 1].map((number) => readOrChange(server.url, token, number)),
      fetch(`${server.url}/readyz`),
    ]);
    return answers.every(({ status }) => status === 200);
  };
  while (!(await works())) await pause(20);
  return performance.now() - start;
}

test('Postgres is restarted 10 times under load', async () => {
  const answers = new Answers();
  const load = startSteadyLoad(requestsPerSecond, (number) => answers.send(number));
  const times: number[] = [];
  for (let restart = 0; restart < restarts; restart++) {
    await pause(1_000);
    await postgres.stop();
    await pause(500);
    await postgres.start();
    const readyAt = performance.now();
    const ms = await recoveryMs();
    await pause(1_000);
    // No request that is sent later than that fails, as those of the load show.
    times.push(Math.max(ms, answers.lastFailureAt - readyAt));
  }
  const { failures } = await load.finish();
  console.log(`recovery after ${times.map((ms) => Math.round(ms)).join(', ')} ms; answers: ${answers}`);
  expect([failures, answers.wrong]).toEqual([{}, []]);
  expect(Math.max(...times)).toBeLessThanOrEqual(maxRecoveryMs);
  expect(server.command.process.exitCode).toBeNull();
});

test('Postgres is frozen for 30 seconds under load', async () => {
  const answers = new Answers();
  const load = startSteadyLoad(requestsPerSecond, (number) => answers.send(number));
  await pause(1_000);
  await postgres.freeze();
  await pause(frozenMs);
  await postgres.thaw();
  const thawedAt = performance.now();
  const ms = await recoveryMs();
  await pause(3_000);
  const { failures } = await load.finish();
  const lastFailureMs = answers.lastFailureAt - thawedAt;
  console.log(
    `first answers after ${Math.round(ms)} ms, the last request that failed was sent ${Math.round(lastFailureMs)} ms after the thaw; answers: ${answers}`,
  );
  expect([failures, answers.wrong]).toEqual([{}, []]);
  expect(lastFailureMs).toBeLessThanOrEqual(maxThawMs);
  expect(answers.slowestMs).toBeLessThanOrEqual(maxAnswerMs);
  expect(server.command.process.exitCode).toBeNull();
});
