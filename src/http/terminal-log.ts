import { isRecord } from '../shared/is-record.ts';
import { printable, printableLines } from '../shared/text.ts';

const errorLevel = 50;

/** Returns what writes the log on a terminal, as a line for each entry. Without `requests`, requests have none. */
export function terminalDestination(requests: boolean) {
  return {
    write(json: string) {
      const line = terminalLine(JSON.parse(json), requests);
      if (line !== undefined) process.stderr.write(`${line}\n`);
    },
  };
}

/** Returns the line of an entry of the log, or undefined if it is a request and they have none. */
export function terminalLine(entry: Record<string, unknown>, requests: boolean): string | undefined {
  const { time, level, msg, err, requestId: _id, trace_id: _trace, span_id: _span, ...details } = entry;
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  if (msg === 'request') {
    const { req, res, ms } = details as { req: Record<string, string>; res: { status: number }; ms: number };
    return requests ? printable(`${clock} ${req.method} ${req.path} ${res.status} ${ms} ms`) : undefined;
  }
  const isError = Number(level) >= errorLevel;
  const more = Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : '';
  // An error that nobody expects is for whoever looks for its cause.
  const reason = isRecord(err) ? `\n${String((isError && err.stack) || err.message)}` : '';
  return printableLines(`${clock} ${isError ? 'Error: ' : ''}${msg}${more}${reason}`);
}
