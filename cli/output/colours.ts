import { styleText } from 'node:util';
import { severityTone, statusTone, type Tone } from './tones.ts';

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<Tone, Style>> = {
  alarm: ['bold', 'red'],
  bad: 'red',
  warning: 'yellow',
  accent: 'cyan',
  good: 'green',
  quiet: 'gray',
};

/** Colours for standard output: none unless it is a terminal that wants them (`NO_COLOR`, `FORCE_COLOR`). */
export function paint(style: Style): (text: string) => string {
  return (text) => styleText(style, text, { stream: process.stdout });
}

/** The colour of a severity; an unknown one has none. */
export function paintSeverity(text: string, severity: string): string {
  return paintTone(text, severityTone(severity));
}

/** The colour of a status; an unknown one has none. */
export function paintStatus(text: string, status: string): string {
  return paintTone(text, statusTone(status));
}

function paintTone(text: string, tone: Tone | undefined): string {
  return tone === undefined ? text : paint(styles[tone])(text);
}
