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

  const page = new Page(() =>
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

/** Keeps what is printed until it is longer than the terminal, then starts the pager. */
class Page implements OutputSink {
  readonly #spawn: () => ChildProcess;
  #kept = '';
  #pager: ChildProcess | undefined;
  /** Resolves when the pager has started, or could not. */
  #started: Promise<void> | undefined;
  /** Whether the pager could not be started. */
  #isPlain = false;

  constructor(spawnPager: () => ChildProcess) {
    this.#spawn = spawnPager;
  }

  write(text: string, done: (error?: Error | null) => void): void {
    if (this.#started !== undefined) {
      // After what is kept: several pieces may be written before the pager has started.
      void this.#started.then(() => this.#pass(text, done));
      return;
    }
    this.#kept += text;
    if (this.#isLong()) {
      this.#started = this.#start();
      void this.#started.then(() => this.#pass(this.#kept, done));
    } else done();
  }

  #pass(text: string, done: (error?: Error | null) => void): void {
    if (this.#isPlain) process.stdout.write(text, done);
    else this.#pager?.stdin?.write(text, done);
  }

  #isLong(): boolean {
    return this.#kept.split('\n').length > (process.stdout.rows || 24);
  }

  async #start(): Promise<void> {
    const pager = this.#spawn();
    this.#pager = pager;
    // Ctrl-C is for the pager, which the terminal sends it too.
    process.on('SIGINT', ignore);
    // The writer gets the error.
    pager.stdin?.on('error', ignore);
    await once(pager, 'spawn').catch(() => {
      this.#isPlain = true;
    });
  }

  /** Shows what is kept, or waits until the person closes the pager. */
  async end(): Promise<void> {
    await this.#started;
    const pager = this.#pager;
    if (pager === undefined) process.stdout.write(this.#kept);
    else if (!this.#isPlain) {
      pager.stdin?.end();
      if (pager.exitCode === null && pager.signalCode === null) await once(pager, 'close');
    }
    process.off('SIGINT', ignore);
  }
}

const ignore = () => {};
