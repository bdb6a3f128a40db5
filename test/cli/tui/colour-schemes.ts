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

/** Backgrounds of widespread colour schemes, on which a theme draws no background of its own. */
export const knownBackgrounds: Readonly<Record<'dark' | 'light', Readonly<Record<string, Rgb>>>> = {
  dark: {
    black: '#000000',
    'VS Code Dark': '#1e1e1e',
    Dracula: '#282a36',
    'One Dark': '#282c34',
    'Solarized Dark': '#002b36',
    'Gruvbox Dark': '#282828',
    Ubuntu: '#300a24',
    Nord: '#2e3440',
  },
  light: {
    white: '#ffffff',
    'Solarized Light': '#fdf6e3',
    'Gruvbox Light': '#fbf1c7',
    'Catppuccin Latte': '#eff1f5',
    'One Light': '#fafafa',
  },
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
