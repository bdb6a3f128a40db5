import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../bin/launcher/paths.js';
import { keepRows } from '../../bin/launcher/quick-frames/kept-rows.js';
import { run } from '../../bin/launcher/run.js';
import { tally } from '../../bin/launcher/vitest.js';
import InkOutput from '../../node_modules/ink/build/output.js';

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

describe('handing over', () => {
  const module = new URL('../../bin/launcher/hand-over.js', import.meta.url).href;

  /** Starts a Node that hands over to `program`. */
  function start(program: string, args: readonly string[]) {
    const script = `import { handOver } from '${module}'; handOver(${JSON.stringify(program)}, ${JSON.stringify(args)});`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  const startNode = (script: string) => start(process.execPath, ['-e', script]);

  test('ends as the program does: with its exit code, or from the same signal', async () => {
    expect(await once(startNode('process.exitCode = 7'), 'exit')).toEqual([7, null]);
    expect(await once(startNode("process.kill(process.pid, 'SIGTERM')"), 'exit')).toEqual([null, 'SIGTERM']);
  });

  test('passes a signal on and waits for the graceful shutdown', async () => {
    const child = startNode(
      "process.on('SIGTERM', () => { console.log('stopping'); process.exit(5); }); setInterval(() => {}, 1000); console.log('ready')",
    );
    child.stdout.once('data', () => child.kill('SIGTERM'));
    const [output, ended] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(ended).toEqual([5, null]);
    expect(output).toBe('ready\nstopping\n');
  });

  test('says what to do if the program cannot start', async () => {
    const child = start('/nowhere/node', []);
    const [errors, ended] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(ended).toEqual([1, null]);
    expect(errors).toMatch(/^Cannot start \/nowhere\/node: .*ENOENT\. Run `npm ci` again\.\n$/);
  });
});

describe('the counts of tests', () => {
  const file = (status: string, ...tests: string[]) => ({
    status,
    assertionResults: tests.map((outcome) => ({ status: outcome })),
  });
  const passed = { numPassedTests: 5 };
  const unloaded = [file('failed'), file('failed', 'failed'), file('passed', 'passed')];

  test.for([
    ['other outcomes', { ...passed, numFailedTests: 2, numPendingTests: 1, numTodoTests: 3 }, 1, [5, 2, 4]],
    ['a file that does not load as one failure', { numFailedTests: 1, testResults: unloaded }, 1, [0, 2, 0]],
    ['an unhandled rejection as one failure', passed, 1, [5, 1, 0]],
    ['a run without tests, or without a report, as one failure', {}, 0, [0, 1, 0]],
  ] as const)('count %s', ([, report, code, [passes, failed, skipped]]) => {
    expect(tally(structuredClone(report) as object, code)).toEqual({ passed: passes, failed, skipped });
  });
});

describe('quick frames', () => {
  const between = (open: number, close: number) => (text: string) => `\u001B[${open}m${text}\u001B[${close}m`;
  const piece = fc.oneof(
    fc.constantFrom('abc', ' ', 'x  ', '❯', '…', '日本', '👍🏽', 'e\u0301', '\u00AD', '\u200B', ''),
    fc.string({ maxLength: 6 }).map((text) => text.replaceAll(/\p{Cc}/gu, '')),
  );
  const plain = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
  const style = fc.constantFrom(between(1, 22), between(31, 39), between(44, 49), between(4, 24));
  const styled = (text: fc.Arbitrary<string>) => fc.tuple(style, text).map(([paint, inner]) => paint(inner));
  const joined = (...texts: fc.Arbitrary<string>[]) => fc.tuple(...texts).map((parts) => parts.join(''));
  const painted = joined(plain, styled(joined(plain, styled(plain), plain)), plain);
  const unended = joined(painted, fc.constant('\u001B[31m'), painted);
  const write = fc.record({
    x: fc.integer({ min: 0, max: 14 }),
    y: fc.integer({ min: -1, max: 3 }),
    text: fc.oneof({ arbitrary: painted, weight: 9 }, unended, fc.constant('two\nlines')),
    transformers: fc.constantFrom([], [(shown: string) => shown], [(shown: string) => shown.toUpperCase()]),
  });
  const frame = fc.record({ writes: fc.array(write, { maxLength: 6 }), isClipped: fc.boolean() });

  type Frame = ReturnType<typeof frame.generate>['value'];

  test('draws the frames that Ink draws', () => {
    const KeptOutput = keepRows(InkOutput as never) as unknown as typeof InkOutput;
    const draw = (Output: typeof InkOutput, { writes, isClipped }: Frame) => {
      const output = new Output({ width: 12, height: 3 });
      if (isClipped) output.clip({ x1: 0, x2: 8, y1: 0, y2: 2 });
      for (const { x, y, text, transformers } of writes)
        output.write(x, y, text, { transformers: [...transformers] });
      if (isClipped) output.unclip();
      return output.get();
    };
    /** As Ink writes its styles. */
    const normal = (line: string) => {
      const output = new InkOutput({ width: 40, height: 1 });
      output.write(0, 0, line, { transformers: [] });
      return output.get().output;
    };
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 3 }), (frames) => {
        for (const each of frames) {
          const [kept, ink] = [draw(KeptOutput, each), draw(InkOutput, each)];
          expect(kept.height).toBe(ink.height);
          expect(kept.output.split('\n').map(normal)).toEqual(ink.output.split('\n').map(normal));
        }
      }),
      { numRuns: 500 },
    );
  });
});
