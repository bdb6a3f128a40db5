import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../../../bin/launcher/paths.js';
import { run, timedOut } from '../../../bin/launcher/run.js';

const node = (script: string, options = {}) =>
  run(process.execPath, ['-e', script], { quiet: true, ...options });

test('returns the exit code and both outputs', async () => {
  expect(await node("console.log('out'); process.exitCode = 3")).toEqual({ code: 3, output: 'out' });
  expect(await node("console.error('err')")).toEqual({ code: 0, output: 'err' });
});

test('runs in the checkout by default', async () => {
  const { output } = await node('console.log(process.cwd())');
  expect(realpathSync(output)).toBe(realpathSync(root));
  expect((await node('console.log(process.cwd())', { cwd: '/' })).output).toBe('/');
});

test('adds and removes environment variables', async () => {
  const env = { ADDED: 'yes', HOME: undefined };
  const { output } = await node('console.log(process.env.ADDED, process.env.HOME)', { env });
  expect(output).toBe('yes undefined');
});

test('returns 1 if the program dies of a signal', async () => {
  expect((await node("process.kill(process.pid, 'SIGKILL')")).code).toBe(1);
});

test('returns 1 and the reason if the program cannot start', async () => {
  const { code, output } = await run('/nowhere/program', [], { quiet: true });
  expect(code).toBe(1);
  expect(output).toContain('ENOENT');
});

test('kills a program that takes too long', async () => {
  const { code, output } = await node("console.log('begun'); setInterval(() => {}, 1_000)", {
    timeoutMs: 3_000,
  });
  expect({ code, output }).toEqual({ code: timedOut, output: 'begun' });
});
