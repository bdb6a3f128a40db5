/** What a word is to people who look for trouble. How it looks is a matter of where it is shown. */
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

/** The tone of a severity; an unknown one has none. */
export const severityTone = (severity: string): Tone | undefined => toneIn(severities, severity);

/** The tone of a status; an unknown one has none. */
export const statusTone = (status: string): Tone | undefined => toneIn(statuses, status);

function toneIn(tones: Readonly<Record<string, Tone>>, word: string): Tone | undefined {
  return Object.hasOwn(tones, word) ? tones[word] : undefined;
}
