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
