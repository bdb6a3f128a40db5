/** The result of a command in words, on standard output: in our colours, and with nothing else that a terminal obeys. */
export function print(text: string): void {
  process.stdout.write(`${inColours(text)}\n`);
}

/**
 * Data as it is, on standard output. A file or a pipe gets every byte; a terminal would obey the control characters in
 * it, and gets a sign for each instead.
 */
export function printData(text: string): void {
  process.stdout.write(`${process.stdout.isTTY ? harmless(text) : text}\n`);
}

/** A piece of a long result, on standard output; resolves when there is room for the next. */
export async function printPiece(text: string): Promise<void> {
  await write(process.stdout.isTTY ? harmless(text) : text);
}

/** A line of a result that goes on; rejects when nobody reads it any more. */
export async function printLine(text: string): Promise<void> {
  await write(`${process.stdout.isTTY ? inColours(text) : text}\n`);
}

async function write(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

const toStandardError = (text: string) => {
  process.stderr.write(`${inColours(text)}\n`);
};
let tell = toStandardError;

/** Progress and remarks, on standard error, so that standard output holds nothing but the result. */
export function remark(text: string): void {
  tell(text);
}

/** Has remarks told by something that holds the whole screen, which they would spoil; what is returned ends that. */
export function divertRemarks(to: (text: string) => void): () => void {
  tell = to;
  return () => {
    tell = toStandardError;
  };
}

/** What went wrong: a sentence for people, the whole error where it was asked for. */
export function printError(error: unknown): void {
  remark(harmless(`backoffice: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`));
}

/** Whether somebody sits at both ends: what they see and what they type. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** How wide a table may be, in cells: that of the terminal; without end in a file or a pipe. */
export function outputWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
}

/** How wide a chart is drawn. */
export function chartWidth(): number {
  return Math.min(outputWidth(), 80);
}

const style = '\u001B\\[[\\d;]*m';
const obeyed = new RegExp(`${style}|(?![\\n\\t])\\p{Cc}`, 'gu');

/**
 * With no control character but line ends, tabs and those of styles. What others wrote is made `printable` where it is
 * put into a sentence, and should that be forgotten, it is still shown here, not obeyed.
 */
function inColours(text: string): string {
  return text.replaceAll(obeyed, (found) => (found.length > 1 ? found : '\uFFFD'));
}

/** Without any control character but line ends and tabs. */
function harmless(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\uFFFD');
}
