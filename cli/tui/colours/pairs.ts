import { contrastOf, type Rgb } from './contrast.ts';
import { badgeColours, type Ink, type Palette } from './palettes.ts';

/** A colour of text on a background, as the dashboard draws them together. */
export interface NamedPair {
  readonly name: string;
  readonly text: Ink | undefined;
  /** Undefined is the background of the terminal. */
  readonly background: Ink | undefined;
}

/** The colours of text that are drawn on the background of the terminal. */
export const tones = ['quiet', 'accent', 'good', 'warning', 'bad'] as const;

/** Returns every pair of colours of a palette. A test measures each, and docs/colours.md lists them. */
export function pairsOf(palette: Palette): readonly NamedPair[] {
  return [
    { name: 'text', text: undefined, background: undefined },
    ...tones.map((tone) => ({ name: tone, text: palette[tone], background: undefined })),
    { name: 'cursor', ...palette.cursor },
    ...badgeColours.map((colour) => ({ name: `badge, ${colour}`, ...palette.badges[colour] })),
  ];
}

/** Reports whether every colour of text of the palette can be read on a background. */
export function isReadableOn(background: Rgb, { leastContrast, ...palette }: Palette): boolean {
  return tones.every((tone) => contrastOf(palette[tone].rgb, background) >= leastContrast);
}
