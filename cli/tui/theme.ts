import { cellsOf } from '../terminal/cells.ts';
import { severityTone, statusTone, type Tone } from '../terminal/tones.ts';
import { backgroundCode, type Depth, textCode } from './colours/codes.ts';
import { isDark, type Rgb } from './colours/contrast.ts';
import { isReadableOn } from './colours/pairs.ts';
import { type BadgeColour, type Ink, type Pair, type Palette, palettes } from './colours/palettes.ts';

/** The themes that a person can choose. `auto` follows the background of the terminal. */
export const themeNames = ['auto', 'dark', 'light', 'high-contrast'] as const;
export type ThemeName = (typeof themeNames)[number];

/** What decides about the colours. */
export interface Look {
  readonly theme: ThemeName;
  readonly depth: Depth;
  /** The background of the terminal, or undefined if it did not tell. */
  readonly background: Rgb | undefined;
  /** Whether the environment says that the background is light, for a terminal that did not tell. */
  readonly isLightHint?: boolean;
}

/** Returns how many colours a terminal has. `getColorDepth` honours NO_COLOR, FORCE_COLOR and COLORTERM. */
export function depthOf(stdout: Pick<NodeJS.WriteStream, 'getColorDepth'>, has256: boolean): Depth {
  const depth = stdout.getColorDepth() as Depth;
  return depth === 4 && has256 ? 8 : depth;
}

/** The colours in use. Without a terminal there are none: the drawing starts with `changeLook`. */
let look: Look = { theme: 'auto', depth: 1, background: undefined };
let palette: Palette = palettes.dark;

/** Changes the colours of everything that is drawn from now on. */
export function changeLook(change: Partial<Look>): void {
  look = { ...look, ...change };
  palette = paletteOf(look);
}

/** Returns what the colours are decided from. */
export const currentLook = (): Look => look;

/** Returns the palette of a theme on the background of the terminal. */
export function paletteOf({ theme, background, isLightHint = false }: Look): Palette {
  const isLight = background === undefined ? isLightHint : !isDark(background);
  if (theme === 'high-contrast') return isLight ? palettes.highContrastLight : palettes.highContrastDark;
  if (theme === 'auto') return isLight ? palettes.light : palettes.dark;
  return palettes[theme];
}

/**
 * Returns the parameters of the page's own colours, or the empty string if the terminal's stay. The page has its own
 * colours if those of the theme could not be read on the background of the terminal.
 */
export function pageCode(): string {
  const { depth, background, theme } = look;
  if (depth === 1) return '';
  const isReadable = background === undefined ? theme !== 'high-contrast' : isReadableOn(background, palette);
  if (isReadable) return '';
  const isLight = !isDark(palette.background);
  const text: Ink = { rgb: palette.text, sixteen: isLight ? 30 : 97 };
  const page: Ink = { rgb: palette.background, sixteen: isLight ? 97 : 30 };
  return `${textCode(text, depth)};${backgroundCode(page, depth)}`;
}

export type Paint = (text: string) => string;

const asIs: Paint = (text) => text;

/** Returns the text between two control sequences. A style that ends within the text starts again after it. */
function between(open: string, close: string, text: string): string {
  if (open === '' || text === '') return text;
  const [start, end] = [`\u001B[${open}m`, `\u001B[${close}m`];
  return start + (text.includes(end) ? text.replaceAll(end, end + start) : text) + end;
}

const endOfText = '39';
const endOfBackground = '49';
const strong: Paint = (text) => between('1', '22', text);
const dim: Paint = (text) => between('2', '22', text);
const underlined: Paint = (text) => between('4', '24', text);
const inverse: Paint = (text) => between('7', '27', text);

/** Returns a style that draws text in a colour of the theme in use. */
const inked =
  (inkOf: (palette: Palette) => Ink): Paint =>
  (text) =>
    between(textCode(inkOf(palette), look.depth), endOfText, text);

/** Draws a text on a background of its own, or inverse where there is no such colour. */
function onPair({ text, background }: Pair, shown: string): string {
  const code = backgroundCode(background, look.depth);
  if (code === '') return inverse(shown);
  return between(code, endOfBackground, between(textCode(text, look.depth), endOfText, shown));
}

const accent = inked(({ accent }) => accent);
const bad = inked(({ bad }) => bad);
const quiet = inked(({ quiet }) => quiet);

/** Named styles. They draw in the colours of the theme in use, so that a component never names a colour. */
export const theme = {
  strong,
  // Without colours, dim is the only difference that is left.
  quiet: ((text) => (look.depth === 1 ? dim(text) : quiet(text))) as Paint,
  selected: ((text) => onPair(palette.cursor, text)) as Paint,
  underlined,
  accent,
  title: ((text) => strong(accent(text))) as Paint,
  good: inked(({ good }) => good),
  warning: inked(({ warning }) => warning),
  bad,
  alarm: ((text) => strong(bad(text))) as Paint,
};

/** Returns the style of a badge, such as the name of a context. The words in it must say the same as the colour. */
export const badge =
  (colour: BadgeColour): Paint =>
  (text) =>
    onPair(palette.badges[colour], text);

/** Returns the index of the name at a cell of the line that `picker` returns, if one is there. */
export function pickedAt(names: readonly string[], x: number): number | undefined {
  let end = 1;
  for (const [at, name] of names.entries()) {
    const start = end;
    end += cellsOf(name) + 3;
    if (x >= start && x < end - 1) return at;
  }
  return undefined;
}

/** Returns a line of names in which a sign marks the chosen one, so that the style is not the only mark. */
export function picker(names: readonly string[], chosen: number): string {
  return ` ${names
    .map((name, at) => (at === chosen ? `▸${strong(underlined(name))}` : ` ${theme.quiet(name)}`))
    .join('  ')}`;
}

const painted = (tone: Tone | undefined): Paint => (tone === undefined ? asIs : theme[tone]);

/** Returns the colour of a severity. An unknown severity has none. */
export const severityPaint = (severity: string): Paint => painted(severityTone(severity));

/** Returns the colour of a status. An unknown status has none. */
export const statusPaint = (status: string): Paint => painted(statusTone(status));
