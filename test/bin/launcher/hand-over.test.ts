import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';

const module = new URL('../../../bin/launcher/hand-over.js', import.meta.url).href;

/** Starts a Node that hands over to `program`. */
function start(program: string, args: readonly string[]): ChildProcess {
  const script = `import { handOver } from '${module}'; handOver(${JSON.stringify(program)}, ${JSON.stringify(args)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const startNode = (script: string) => start(process.execPath, ['-e', script]);

test("exits with the program's exit code", async () => {
  expect(await once(startNode('process.exitCode = 7'), 'exit')).toEqual([7, null]);
});

test('dies from the same signal as the program', async () => {
  expect(await once(startNode("process.kill(process.pid, 'SIGTERM')"), 'exit')).toEqual([null, 'SIGTERM']);
});

test('passes a signal on and waits for the graceful shutdown', async () => {
  const child = startNode(
    "process.on('SIGTERM', () => { console.log('stopping'); process.exit(5); }); setInterval(() => {}, 1000); console.log('ready')",
  );
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
    if (output === 'ready\n') child.kill('SIGTERM');
  });
  expect(await once(child, 'close')).toEqual([5, null]);
  expect(output).toBe('ready\nstopping\n');
});

test('says what to do if the program cannot start', async () => {
  const child = start('/nowhere/node', []);
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(errors).toMatch(/^Cannot start \/nowhere\/node: .*ENOENT\. Run `npm ci` again\.\n$/);
});
