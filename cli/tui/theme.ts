import { styleText } from 'node:util';
import { severityTone, statusTone, type Tone } from '../output/tones.ts';

type Style = Parameters<typeof styleText>[0];

/**
 * Uses the terminal's own sixteen colours and sets no background, so that text is readable on light and dark terminals.
 * `hasColors` honours NO_COLOR. Bold, dim and inverse are not colours and stay.
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

/** Returns a line of names in which a sign marks the chosen one, so that the style is not the only mark. */
export function picker(names: readonly string[], chosen: number): string {
  return ` ${names
    .map((name, at) => (at === chosen ? `▸${style(['bold', 'underline'])(name)}` : ` ${style('dim')(name)}`))
    .join('  ')}`;
}

export type Paint = (text: string) => string;

const asIs: Paint = (text) => text;
const painted = (tone: Tone | undefined): Paint => (tone === undefined ? asIs : theme[tone]);

/** Returns the colour of a severity. An unknown severity has none. */
export const severityPaint = (severity: string): Paint => painted(severityTone(severity));

/** Returns the colour of a status. An unknown status has none. */
export const statusPaint = (status: string): Paint => painted(statusTone(status));
