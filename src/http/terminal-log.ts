import { isRecord } from '../shared/is-record.ts';
import { printable, printableLines } from '../shared/text.ts';

const errorLevel = 50;

/**
 * Returns what writes the log on a terminal, as a line for each entry. Unless it is `detailed`, requests have none, and errors
 * do not say where in the code they arose: what the start has printed stays in sight.
 */
export function terminalDestination(detailed: boolean) {
  return {
    write(json: string) {
      const line = terminalLine(JSON.parse(json), detailed);
      if (line !== undefined) process.stderr.write(`${line}\n`);
    },
  };
}

/** Returns the line of an entry of the log, or undefined if it has none. */
export function terminalLine(entry: Record<string, unknown>, detailed: boolean): string | undefined {
  const { time, level, msg, err, requestId: _id, trace_id: _trace, span_id: _span, ...details } = entry;
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  if (msg === 'request') {
    const { req, res, ms } = details as { req: Record<string, string>; res: { status: number }; ms: number };
    return detailed ? printable(`${clock} ${req.method} ${req.path} ${res.status} ${ms} ms`) : undefined;
  }
  const isError = Number(level) >= errorLevel;
  const more = Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : '';
  const text = String(msg).trimEnd();
  const cause = isRecord(err) ? String((detailed && isError && err.stack) || err.message) : '';
  const reason = text.includes(cause) ? '' : `\n${cause}`;
  return printableLines(`${clock} ${isError ? 'Error: ' : ''}${text}${more}${reason}`);
}
