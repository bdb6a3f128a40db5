import type { Rgb } from './contrast.ts';

/** A colour of text: for terminals of many colours, and for those of sixteen. */
export interface Ink {
  readonly rgb: Rgb;
  /** The number of the foreground colour, 30 to 37 or 90 to 97, or null for the terminal's own colour of text. */
  readonly sixteen: number | null;
}

/** A text on a background of its own. On sixteen colours, a pair without numbers is drawn inverse. */
export interface Pair {
  readonly text: Ink;
  readonly background: Ink;
}

/** The colours of a badge, such as the name of a context. */
export const badgeColours = ['red', 'amber', 'green', 'blue', 'violet', 'grey'] as const;
export type BadgeColour = (typeof badgeColours)[number];

/** The named colours of a theme. Nothing else in the dashboard names a colour. */
export interface Palette {
  /** The least contrast that each pair must have. */
  readonly leastContrast: number;
  /** What the theme is made for. It is drawn only if the terminal's own background is too different. */
  readonly background: Rgb;
  readonly text: Rgb;
  readonly quiet: Ink;
  readonly accent: Ink;
  readonly good: Ink;
  readonly warning: Ink;
  readonly bad: Ink;
  /** The row under the cursor, and the cursor in a text. */
  readonly cursor: Pair;
  readonly badges: Readonly<Record<BadgeColour, Pair>>;
}

const ink = (rgb: Rgb, sixteen: number | null = null): Ink => ({ rgb, sixteen });
const white = ink('#ffffff', 97);
const black = ink('#000000', 30);

const badges: Palette['badges'] = {
  red: { text: white, background: ink('#af0000', 31) },
  amber: { text: black, background: ink('#ffaf00', 93) },
  green: { text: black, background: ink('#5faf5f', 32) },
  blue: { text: white, background: ink('#005faf', 34) },
  violet: { text: white, background: ink('#8700af', 35) },
  grey: { text: black, background: ink('#bcbcbc', 37) },
};

/** The contrast that WCAG 2 asks for at level AA, and at level AAA. */
const enough = 4.5;
const high = 7;

const cursor: Pair = { text: ink('#ffffff'), background: ink('#005faf') };

const dark: Palette = {
  leastContrast: enough,
  background: '#121212',
  text: '#e4e4e4',
  quiet: ink('#b2b2b2', 37),
  accent: ink('#5fd7ff', 96),
  good: ink('#87d787', 92),
  warning: ink('#ffd75f', 93),
  bad: ink('#ff8787', 91),
  cursor,
  badges,
};

const light: Palette = {
  leastContrast: enough,
  background: '#ffffff',
  text: '#1c1c1c',
  quiet: ink('#626262'),
  accent: ink('#005f87', 34),
  // The green and the yellow of sixteen colours cannot be read on white.
  good: ink('#005f00'),
  warning: ink('#875f00', 35),
  bad: ink('#af0000', 31),
  cursor,
  badges,
};

const highBadges: Palette['badges'] = {
  ...badges,
  red: { text: white, background: ink('#870000') },
  blue: { text: white, background: ink('#0000af', 34) },
  violet: { text: white, background: ink('#5f005f') },
};

const highContrastDark: Palette = {
  leastContrast: high,
  background: '#000000',
  text: '#ffffff',
  quiet: ink('#d0d0d0'),
  accent: ink('#87ffff', 96),
  good: ink('#87ff87', 92),
  warning: ink('#ffff5f', 93),
  bad: ink('#ffafaf'),
  cursor: { text: ink('#000000'), background: ink('#ffffff') },
  badges: highBadges,
};

const highContrastLight: Palette = {
  leastContrast: high,
  background: '#ffffff',
  text: '#000000',
  quiet: ink('#303030'),
  accent: ink('#0000af', 34),
  good: ink('#005f00'),
  warning: ink('#5f005f'),
  bad: ink('#870000'),
  cursor: { text: ink('#ffffff'), background: ink('#000000') },
  badges: highBadges,
};

/** The themes by their names. High contrast has one palette for each kind of background. */
export const palettes = { dark, light, highContrastDark, highContrastLight } as const;
export type PaletteName = keyof typeof palettes;
