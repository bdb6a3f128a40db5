import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../bin/prepare/paths.js';
import { run } from '../../bin/prepare/run.js';
import { tally } from '../support/vitest.ts';

describe('programs', () => {
  const node = (script: string, options = {}) =>
    run(process.execPath, ['-e', script], { quiet: true, ...options });

  test('returns the exit code and both outputs, or 1 with the reason', async () => {
    expect(await node("console.log('out'); process.exitCode = 3")).toEqual({ code: 3, output: 'out' });
    expect(await node("console.error('err')")).toEqual({ code: 0, output: 'err' });
    expect((await node("process.kill(process.pid, 'SIGKILL')")).code).toBe(1);
    const output = expect.stringContaining('ENOENT');
    expect(await run('/nowhere/program', [], { quiet: true })).toEqual({ code: 1, output });
  });

  test('runs in the checkout by default, with variables added and removed', async () => {
    const script = 'console.log(process.cwd(), process.env.ADDED, process.env.HOME)';
    const env = { ADDED: 'yes', HOME: undefined };
    expect((await node(script, { env })).output).toBe(`${realpathSync(root)} yes undefined`);
  });
});

describe('the executable', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backoffice-executable-'));
  afterAll(() => rm(folder, { recursive: true }));
  // A checkout with a program that does what its words say.
  const checkout = join(folder, 'checkout');
  const file = join(checkout, 'bin', 'backoffice.js');
  cpSync(join(root, 'bin'), dirname(file), { recursive: true });
  cpSync(join(root, 'package.json'), join(checkout, 'package.json'));
  await mkdir(join(checkout, 'dist', 'bundle'), { recursive: true });
  await writeFile(
    join(checkout, 'dist', 'bundle', 'main.js'),
    'Object.defineProperty(globalThis, `serve`, { get: () => console.log(process.execArgv.join()) });' +
      'export const main = ([, , words]) => (0, eval)(`(async () => {` + words + `})()`);',
  );
  const built = join(checkout, 'dist', 'version.json');
  await writeFile(built, '{"version":"1.2.3"}');
  /** A path whose Node is too old. */
  const oldPath = join(folder, 'path');
  await mkdir(oldPath);
  await writeFile(join(oldPath, 'node'), '#!/bin/sh\necho "the Node of the path"\n', { mode: 0o755 });
  const install = async () => {
    await mkdir(join(checkout, 'node_modules', '.bin'), { recursive: true });
    await symlink(process.execPath, join(checkout, 'node_modules', '.bin', 'node'));
  };

  function start(args: readonly string[], program = file) {
    const PATH = `${oldPath}:${process.env.PATH}`;
    const child = spawn(program, args, { stdio: 'pipe', env: { ...process.env, PATH } });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }
  const outputOf = async (...started: Parameters<typeof start>) =>
    (await text(start(...started).stdout)).trim();

  test('becomes the Node of the path, or the one that npm has installed, also through a link', async () => {
    expect(await outputOf(['--version'])).toBe('the Node of the path');
    await install();
    expect(await outputOf(['--version'])).toBe('1.2.3');
    const link = join(oldPath, 'backoffice');
    await symlink(file, link);
    expect(await outputOf(['--version'], link)).toBe('1.2.3');
    const child = start([
      'process.stdout.write(process.pid + " " + process.argv.slice(3)); return 0',
      'two  words',
      '*',
    ]);
    expect(await text(child.stdout)).toBe(`${child.pid} two  words,*`);
  });

  test('limits the memory for new objects of a server', async () => {
    expect(await outputOf(['serve'])).toBe('--max-semi-space-size=8');
    expect(await outputOf(['console.log(process.execArgv.length)'])).toBe('0');
  });

  test('ends as the program does: with its exit code, or from the same signal, and after its shutdown', async () => {
    expect(await once(start(['return 7']), 'exit')).toEqual([7, null]);
    expect(await once(start(["process.kill(process.pid, 'SIGTERM')"]), 'exit')).toEqual([null, 'SIGTERM']);
    const child = start([
      "process.on('SIGTERM', () => { console.log('stopping'); process.exit(5) }); console.log('ready'); await new Promise(() => setInterval(() => {}, 1000))",
    ]);
    child.stdout.once('data', () => child.kill('SIGTERM'));
    const [output, ended] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(ended).toEqual([5, null]);
    expect(output).toBe('ready\nstopping\n');
  });

  test('gives the program the standard input', async () => {
    const child = start([
      'process.stdin.pipe(process.stdout); await new Promise((end) => process.stdin.on("end", end)); return 0',
    ]);
    child.stdin.end('typed');
    expect(await text(child.stdout)).toBe('typed');
  });

  test('says what to do if the Node is too old or nothing is built', async () => {
    const old = 'Object.defineProperty(process,"versions",{value:{node:"20.1.0"}})';
    const outdated = () =>
      run(process.execPath, [`--import=data:text/javascript,${old}`, file], { quiet: true });
    const sentence = 'Backoffice needs Node 24 or newer; this is Node 20.1.0.';
    const output = `${sentence} Run ${file} without \`node\` before it.`;
    expect(await outdated()).toEqual({ code: 1, output });
    await rm(join(checkout, 'node_modules'), { recursive: true });
    expect((await outdated()).output).toBe(
      `${sentence} Run \`npm ci\` in ${checkout}/ or install a newer Node.`,
    );
    await install();
    await rm(built);
    const child = start(['--version']);
    expect(await text(child.stderr)).toMatch(
      'Backoffice is not built. Run `npm start` or `npm run build` in',
    );
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1);
  });
});

describe('the counts of tests', () => {
  const passed = { numPassedTests: 5 };

  test.for([
    ['other outcomes', { ...passed, numFailedTests: 2, numPendingTests: 1, numTodoTests: 3 }, 1, [5, 2, 4]],
    ['a file that does not load, or an unhandled rejection, as one failure', passed, 1, [5, 1, 0]],
    ['a run without tests, or without a report, as one failure', {}, 0, [0, 1, 0]],
  ] as const)('count %s', ([, report, code, [passes, failed, skipped]]) => {
    expect(tally(report, code)).toEqual({ passed: passes, failed, skipped });
  });
});
