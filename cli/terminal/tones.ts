import { styleText } from 'node:util';

/** What a severity or status means to people who look for problems. Each output decides how a tone looks. */
export type Tone = 'alarm' | 'bad' | 'warning' | 'accent' | 'good' | 'quiet';

const severities: Readonly<Record<string, Tone>> = {
  Critical: 'alarm',
  High: 'bad',
  Medium: 'warning',
  Low: 'good',
  critical: 'alarm',
  warning: 'warning',
  info: 'accent',
};

const statuses: Readonly<Record<string, Tone>> = {
  Open: 'warning',
  'In Progress': 'accent',
  Resolved: 'good',
  Closed: 'quiet',
  open: 'warning',
  pending: 'accent',
  resolved: 'good',
  closed: 'quiet',
  firing: 'bad',
  running: 'accent',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'quiet',
};

/** Returns the tone of a severity; undefined for an unknown one. */
export const severityTone = (severity: string): Tone | undefined => toneIn(severities, severity);

/** Returns the tone of a status; undefined for an unknown one. */
export const statusTone = (status: string): Tone | undefined => toneIn(statuses, status);

function toneIn(tones: Readonly<Record<string, Tone>>, word: string): Tone | undefined {
  return Object.hasOwn(tones, word) ? tones[word] : undefined;
}

export type Style = Parameters<typeof styleText>[0];

/** The styles of tones, in the terminal's own sixteen colours. */
export const toneStyles: Readonly<Record<Tone, Style>> = {
  alarm: ['bold', 'red'],
  bad: 'red',
  warning: 'yellow',
  accent: 'cyan',
  good: 'green',
  quiet: 'gray',
};

/**
 * Returns a function that styles text for standard output, if that is a terminal with colours (`NO_COLOR`,
 * `FORCE_COLOR`).
 */
export function paint(style: Style): (text: string) => string {
  return (text) => styleText(style, text, { stream: process.stdout });
}

/** Colours a severity; an unknown one has no colour. */
export function paintSeverity(text: string, severity: string): string {
  return paintTone(text, severityTone(severity));
}

/** Colours a status; an unknown one has no colour. */
export function paintStatus(text: string, status: string): string {
  return paintTone(text, statusTone(status));
}

/** Colours a text by what it means. */
export function paintTone(text: string, tone: Tone | undefined): string {
  return tone === undefined ? text : paint(toneStyles[tone])(text);
}
