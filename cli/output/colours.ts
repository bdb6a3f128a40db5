import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours for standard output: none unless it is a terminal that wants them (`NO_COLOR`, `FORCE_COLOR`). */
export function paint(style: Style): (text: string) => string {
  return (text) => styleText(style, text, { stream: process.stdout });
}

const severities: Readonly<Record<string, Style>> = {
  Critical: ['bold', 'red'],
  High: 'red',
  Medium: 'yellow',
  Low: 'green',
  critical: ['bold', 'red'],
  warning: 'yellow',
  info: 'cyan',
};

const statuses: Readonly<Record<string, Style>> = {
  Open: 'yellow',
  'In Progress': 'cyan',
  Resolved: 'green',
  Closed: 'gray',
  open: 'yellow',
  pending: 'cyan',
  resolved: 'green',
  closed: 'gray',
  firing: 'red',
  running: 'cyan',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'gray',
};

/** The colour of a severity; an unknown one has none. */
export function paintSeverity(text: string, severity: string): string {
  return colour(severities, text, severity);
}

/** The colour of a status; an unknown one has none. */
export function paintStatus(text: string, status: string): string {
  return colour(statuses, text, status);
}

function colour(styles: Readonly<Record<string, Style>>, text: string, key: string): string {
  const style = Object.hasOwn(styles, key) ? styles[key] : undefined;
  return style === undefined ? text : paint(style)(text);
}
