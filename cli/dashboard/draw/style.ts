import { styleText } from 'node:util';
import type { ThreadLook } from '../../terminal/thread.ts';
import { type Style, statusTone, type Tone, toneStyles } from '../../terminal/tones.ts';

export type Paint = (text: string) => string;
export type Theme = 'dark' | 'light';

const formats: Readonly<Record<Theme, Readonly<Record<Tone, Style>>>> = {
  dark: toneStyles,
  // Yellow and cyan of the sixteen colours cannot be read on a light background.
  light: { ...toneStyles, warning: 'magenta', accent: 'blue' },
};

/** Bold and inverse are drawn without colours too: inverse is the only mark of the cursor in a text. */
const always = { validateStream: false };

const asIs: Paint = (text) => text;

/** Returns a style. A style that ends within the text starts again after it. Colours follow NO_COLOR and the terminal. */
function paint(format: Style, options?: { readonly validateStream: boolean }): Paint {
  const [open = '', close = ''] = styleText(format, '\0', options).split('\0');
  if (open === '') return asIs;
  return (text) =>
    text === '' ? '' : open + (text.includes(close) ? text.replaceAll(close, close + open) : text) + close;
}

function stylesOf(theme: Theme) {
  const tones = formats[theme];
  const quiet = paint(tones.quiet);
  return {
    strong: paint('bold', always),
    selected: paint('inverse', always),
    // Without colours, dim is the only difference that is left.
    quiet: quiet === asIs ? paint('dim', always) : quiet,
    accent: paint(tones.accent),
    title: paint(['bold', tones.accent].flat() as Style),
    good: paint(tones.good),
    warning: paint(tones.warning),
    bad: paint(tones.bad),
    alarm: paint(tones.alarm),
  } satisfies Record<Tone | 'strong' | 'selected' | 'title', Paint>;
}

/** The styles of the theme in use, so that a screen never names a colour. */
export const style = stylesOf('dark');

export function chooseTheme(theme: Theme): void {
  Object.assign(style, stylesOf(theme));
}

/** Returns the style of a tone. A word without one is drawn as it is. */
export const toned = (tone: Tone | undefined): Paint => (tone === undefined ? asIs : style[tone]);

const badges = {
  red: 'red',
  amber: 'yellow',
  green: 'green',
  blue: 'blue',
  violet: 'magenta',
  grey: 'gray',
} as const;
export type BadgeColour = keyof typeof badges;

/** Draws the name of a context in its colour. */
export const badge = (colour: BadgeColour, text: string): string =>
  style.selected(styleText(badges[colour], text));

/** Returns how threads and comments look in the dashboard, in the theme in use. */
export const threadLook = (): ThreadLook => ({
  strong: style.strong,
  quiet: style.quiet,
  alarm: style.alarm,
  warning: style.warning,
  visitor: style.title,
  team: (text) => style.strong(style.good(text)),
  status: (text, status) => toned(statusTone(status))(text),
  showsIds: false,
  commentSign: '✎ ',
});
