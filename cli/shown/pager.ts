import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readBashLine } from '../completion/bash-line.ts';
import { divertOutput, divertRemarks, isOnTerminal, type OutputSink, remark } from '../terminal.ts';

/**
 * Runs work and shows what it prints in a pager if it is longer than the terminal. Who closes the pager early has seen
 * enough: the work ends without an error.
 */
export async function inPager(work: () => Promise<void>): Promise<void> {
  const { isDumbTerminal, readPager } = await import('../../src/config.ts');
  const [program = '', ...args] = readBashLine(`${readPager()} `, '').words;
  if (!isOnTerminal() || isDumbTerminal() || program === '' || program === 'cat') return await work();

  const page = new Page(program, args);
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

const isClosed = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EPIPE';

/** Keeps what is printed until it is longer than the terminal, then starts the pager. */
class Page implements OutputSink {
  readonly #program: string;
  readonly #args: readonly string[];
  #kept = '';
  #pager: ChildProcess | undefined;
  /** Whether the pager could not be started. */
  #isPlain = false;

  constructor(program: string, args: readonly string[]) {
    this.#program = program;
    this.#args = args;
  }

  write(text: string, done: (error?: Error | null) => void): void {
    if (this.#isPlain) {
      process.stdout.write(text, done);
    } else if (this.#pager !== undefined) {
      this.#pager.stdin?.write(text, done);
    } else {
      this.#kept += text;
      if (this.#isLong()) this.#start(done);
      else done();
    }
  }

  #isLong(): boolean {
    return this.#kept.split('\n').length > (process.stdout.rows || 24);
  }

  #start(done: (error?: Error | null) => void): void {
    const pager = spawn(this.#program, this.#args, { stdio: ['pipe', 'inherit', 'inherit'] });
    this.#pager = pager;
    // Ctrl-C is for the pager, which the terminal sends it too.
    process.on('SIGINT', ignore);
    // Reported to whoever writes.
    pager.stdin.on('error', ignore);
    pager.once('error', () => {
      this.#isPlain = true;
      process.stdout.write(this.#kept, done);
    });
    pager.once('spawn', () => pager.stdin.write(this.#kept, done));
  }

  /** Shows what is kept, or waits until the person closes the pager. */
  async end(): Promise<void> {
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
