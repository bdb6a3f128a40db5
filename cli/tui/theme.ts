import { styleText } from 'node:util';
import { severityTone, statusTone, type Tone } from '../output/tones.ts';

type Style = Parameters<typeof styleText>[0];

/**
 * The terminal's own sixteen colours and no background of ours, so that it is readable on light and on dark.
 * `hasColors` minds NO_COLOR; bold, dim and inverse are no colours and stay.
 */
const hasColours = process.stdout.isTTY === true && process.stdout.hasColors();

const style = (format: Style) => (text: string) => styleText(format, text, { validateStream: false });
const colour = (format: Style, plain: Style | undefined = undefined) => {
  const wanted = hasColours ? format : plain;
  return wanted === undefined ? (text: string) => text : style(wanted);
};

export const theme = {
  strong: style('bold'),
  quiet: style('dim'),
  selected: style('inverse'),
  underlined: style('underline'),
  accent: colour('cyan'),
  title: colour(['bold', 'cyan'], 'bold'),
  good: colour('green'),
  warning: colour('yellow'),
  bad: colour('red'),
  alarm: colour(['bold', 'red'], 'bold'),
};

/** Names of which one is chosen; a sign says which, not its look alone. */
export function picker(names: readonly string[], chosen: number): string {
  return ` ${names
    .map((name, at) => (at === chosen ? `▸${style(['bold', 'underline'])(name)}` : ` ${style('dim')(name)}`))
    .join('  ')}`;
}

export type Paint = (text: string) => string;

const asIs: Paint = (text) => text;
const painted = (tone: Tone | undefined): Paint => (tone === undefined ? asIs : theme[tone]);

/** The colour of a severity; an unknown one has none. */
export const severityPaint = (severity: string): Paint => painted(severityTone(severity));

/** The colour of a status; an unknown one has none. */
export const statusPaint = (status: string): Paint => painted(statusTone(status));
