import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { errorCode } from '../../src/shared/errors.ts';
import { readBashLine } from '../completion/shells.ts';
import { isDumbTerminal, pagerCommand, pagerEnvironment } from '../terminal/environment.ts';
import { divertOutput, divertRemarks, isOnTerminal, type OutputSink, remark } from '../terminal/terminal.ts';

/**
 * Runs work and shows what it prints in a pager if it is longer than the terminal. If the person closes
 * the pager early, the work ends without an error.
 */
export async function inPager(work: () => Promise<void>): Promise<void> {
  const [program = '', ...args] = readBashLine(`${pagerCommand()} `, '').words;
  if (!isOnTerminal() || isDumbTerminal() || program === '' || program === 'cat') return await work();

  const page = longPage(() =>
    spawn(program, args, { env: pagerEnvironment(), stdio: ['pipe', 'inherit', 'inherit'] }),
  );
  const remarks: string[] = [];
  const restoreOutput = divertOutput(page);
  const restoreRemarks = divertRemarks((text) => remarks.push(text));
  try {
    await work();
  } catch (error) {
    if (!isClosed(error)) throw error;
  } finally {
    restoreOutput();
    await page.end();
    restoreRemarks();
    for (const each of remarks) remark(each);
  }
}

/** Reports whether the pager was closed: at this write, or at one before it. */
const isClosed = (error: unknown) => ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(errorCode(error) ?? '');

/**
 * Returns what keeps what is printed until it is longer than the terminal, then starts the pager. `end` shows what is kept, or
 * waits until the person closes the pager.
 */
function longPage(spawnPager: () => ChildProcess): OutputSink & { end(): Promise<void> } {
  let kept = '';
  /** Resolves when the pager has started: with undefined if it could not. */
  let started: Promise<ChildProcess | undefined> | undefined;

  async function start(): Promise<ChildProcess | undefined> {
    const pager = spawnPager();
    // Ctrl-C is for the pager, which the terminal sends it too.
    process.on('SIGINT', ignore);
    // The writer gets the error.
    pager.stdin?.on('error', ignore);
    return await once(pager, 'spawn').then(
      () => pager,
      () => undefined,
    );
  }
  return {
    write(text, done) {
      let piece = text;
      if (started === undefined) {
        kept += text;
        if (kept.split('\n').length <= (process.stdout.rows || 24)) return done();
        piece = kept;
        started = start();
      }
      // After what is kept: several pieces may be written before the pager has started.
      void started.then((pager) => (pager?.stdin ?? process.stdout).write(piece, done));
    },
    async end() {
      const pager = await started;
      if (started === undefined) process.stdout.write(kept);
      pager?.stdin?.end();
      if (pager?.exitCode === null && pager.signalCode === null) await once(pager, 'close');
      process.off('SIGINT', ignore);
    },
  };
}

const ignore = () => {};
