import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formClock } from '../../src/http/contact/form.ts';
import { at } from '../support/here/requests.ts';
import { backofficeHere } from '../support/here.ts';
import { type ServerProcess, serveProcess } from '../support/run/server.ts';
import { readOrChange, startSteadyLoad } from './support/load.ts';

const backoffice = backofficeHere();
const secret = 'the-secret-that-signs-when-a-form-was-shown';
const clock = formClock([secret]);
/** In its own process: this one has the client's share of the work. */
let server: ServerProcess;
let token = '';

beforeAll(async () => {
  server = await serveProcess(backoffice.service.databaseUrl, { SESSION_SECRET: secret, TRUST_PROXY: '1' });
  ({ secret: token } = await backoffice.service.createToken('admin'));
  await backoffice.superadmin.client.call('settings.update', { updates: { contact_page: '1' } });
});

afterAll(() => server.command.stop('SIGTERM'));

const seconds = 30;
const perMinute = 1_000;

/** Reads and changes as a team of ten would in a hurry. Returns the time that each takes. */
async function timesOfTeam(seconds: number): Promise<readonly number[]> {
  const times: number[] = [];
  const team = startSteadyLoad(20, async (number) => {
    const start = performance.now();
    const { status } = await readOrChange(server.url, token, number);
    if (status !== 200) throw new Error(`answered ${status}`);
    times.push(performance.now() - start);
  });
  await pause(seconds * 1_000);
  expect((await team.finish()).failures).toEqual({});
  return times;
}

const p99 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;

const rows = async () =>
  Number((await backoffice.sql<{ n: string }>('select count(*) as n from conversations'))[0]?.n);

test.for([1, 300])(
  `${perMinute} forms a minute from %d addresses for ${seconds} s leave few rows, and the team its pace`,
  { timeout: 300_000 },
  async (addresses) => {
    await backoffice.sql(`delete from rate_limits where key like '%contact-%'`);
    const rowsBefore = await rows();
    // The first seconds of a process are slower.
    await timesOfTeam(5);
    const before = await timesOfTeam(seconds / 2);
    const statuses = new Map<number, number>();
    const flood = startSteadyLoad(perMinute / 60, async (number) => {
      const { status } = await at(server.url).fetch('/contact', {
        method: 'POST',
        redirect: 'manual',
        headers: { 'x-forwarded-for': `198.51.${(number % addresses) >> 8}.${(number % addresses) & 255}` },
        body: new URLSearchParams({
          ...{
            name: `Visitor ${number}`,
            email: `${number}@example.com`,
            shown: clock.start(Date.now() - 60_000),
          },
          ...{
            message: `Message ${number} ${'word '.repeat(200)}`,
            kind: number % 2 ? 'question' : 'problem',
          },
        }),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    const during = await timesOfTeam(seconds);
    const { sent, failures } = await flood.finish();
    const added = (await rows()) - rowsBefore;
    // What else the machine does changes with the time.
    const idle = p99([...before, ...(await timesOfTeam(seconds / 2))]);
    const flooded = p99(during);
    const figures = `p99 ${idle.toFixed(1)} ms idle, ${flooded.toFixed(1)} ms under ${sent} forms from ${addresses} addresses`;
    console.log(`${figures}; ${added} rows; answers ${JSON.stringify([...statuses])}`);
    expect(failures).toEqual({});
    expect([...statuses.keys()].toSorted()).toEqual([303, 429]);
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThanOrEqual(10);
    // A busy machine adds some milliseconds to either.
    expect(flooded).toBeLessThanOrEqual(2 * idle + 5);
  },
);
