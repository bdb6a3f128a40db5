import type { Rgb } from '../../../cli/tui/colours/contrast.ts';
import type { NamedPair } from '../../../cli/tui/colours/pairs.ts';
import type { Ink, Palette } from '../../../cli/tui/colours/palettes.ts';

/** What terminals show for the sixteen colours, whose numbers are 30 to 37 and 90 to 97. */
export const sixteenColours: Readonly<Record<string, readonly Rgb[]>> = {
  xterm: [
    ...(['#000000', '#cd0000', '#00cd00', '#cdcd00', '#0000ee', '#cd00cd', '#00cdcd', '#e5e5e5'] as const),
    ...(['#7f7f7f', '#ff0000', '#00ff00', '#ffff00', '#5c5cff', '#ff00ff', '#00ffff', '#ffffff'] as const),
  ],
  'Linux console': [
    ...(['#000000', '#aa0000', '#00aa00', '#aa5500', '#0000aa', '#aa00aa', '#00aaaa', '#aaaaaa'] as const),
    ...(['#555555', '#ff5555', '#55ff55', '#ffff55', '#5555ff', '#ff55ff', '#55ffff', '#ffffff'] as const),
  ],
  'Windows Terminal': [
    ...(['#0c0c0c', '#c50f1f', '#13a10e', '#c19c00', '#0037da', '#881798', '#3a96dd', '#cccccc'] as const),
    ...(['#767676', '#e74856', '#16c60c', '#f9f1a5', '#3b78ff', '#b4009e', '#61d6d6', '#f2f2f2'] as const),
  ],
};

/** Returns what a terminal of sixteen colours shows for a pair of a dark or light theme. */
export function shownPair(
  { text, background }: Pick<NamedPair, 'text' | 'background'>,
  isDark: boolean,
  colours: readonly Rgb[],
): readonly [text: Rgb, background: Rgb] {
  const [own, page] = (isDark ? [colours[7], colours[0]] : [colours[0], colours[15]]) as [Rgb, Rgb];
  const shown = (ink: Ink | undefined) => {
    const code = ink?.sixteen ?? null;
    return code === null ? undefined : colours[code < 90 ? code - 30 : code - 82];
  };
  if (background === undefined) return [shown(text) ?? own, page];
  // Without a colour for the background, the pair is drawn inverse.
  const behind = shown(background);
  return behind === undefined ? [page, own] : [shown(text) ?? own, behind];
}

/** Returns the colours of a pair on a terminal of many colours. */
export function pairOf(
  { text, background }: Pick<NamedPair, 'text' | 'background'>,
  palette: Palette,
): readonly [text: Rgb, background: Rgb] {
  return [text?.rgb ?? palette.text, background?.rgb ?? palette.background];
}
