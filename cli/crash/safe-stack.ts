import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The messages of the engine that name no value, once what is quoted in them is left out. */
const safeMessages =
  /^(Cannot (read|set|access|destructure)|Cannot convert (undefined|object|a )|Class constructor|Invalid (array length|time value)|Maximum call stack|Reduce of empty|.* is not (a function|a constructor|iterable|defined)( \(.*\))?$)/;

/**
 * Describes an error and its causes without what users typed or stored: the kind, where it happened, and the message only
 * if the engine wrote it.
 */
export function safeStack(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  const { cause } = error;
  const code = 'code' in error && /^[A-Z0-9_]{1,40}$/.test(String(error.code)) ? ` (${error.code})` : '';
  return [
    `${/^\w{1,60}$/.test(error.name) ? error.name : 'Error'}${code}: ${safeMessage(error.message)}`,
    ...frames.map(safeFrame),
    ...(cause === undefined ? [] : ['Caused by', ...safeStack(cause)]),
  ];
}

function safeMessage(message: string): string {
  const [line = ''] = message.split('\n');
  if (!safeMessages.test(line)) return 'the message is left out, because it may contain data';
  return line.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`/g, "'…'");
}

/** Names the source of a place in the bundle, and no folder of the user. */
function safeFrame(frame: string): string {
  if (frame.includes('data:')) return frame.replace(/data:.*/, 'data:…').replace(/\(eval .*/, '(eval)');
  const [, before = '', file, line, column] =
    /^(.*?)\(?((?:file:\/\/)?\/[^():]*):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  if (file === undefined) return frame.replace(/\(eval .*/, '(eval)');
  const path = file.startsWith('file://') ? fileURLToPath(file) : file;
  const place = original(path, Number(line), Number(column)) ?? `${path}:${line}:${column}`;
  return `${before}${place.replace(/^.*\/(?=(src|cli|bin|dist|node_modules)\/)/, '').replace(homedir(), '~')}`;
}

/** Returns the place in the sources that a place in the bundle is made of. The bundle is made of compiled files. */
function original(path: string, line: number, column: number): string | undefined {
  try {
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
    const entry = map.findEntry(line - 1, column - 1);
    if (!('originalSource' in entry)) return undefined;
    const source = resolve(dirname(path), entry.originalSource);
    const [sourceLine, sourceColumn] = [entry.originalLine + 1, entry.originalColumn + 1];
    return original(source, sourceLine, sourceColumn) ?? `${source}:${sourceLine}:${sourceColumn}`;
  } catch {
    return undefined;
  }
}
