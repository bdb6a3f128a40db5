import { styleText } from 'node:util';
import { severityTone, statusTone, type Tone } from './tones.ts';

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
