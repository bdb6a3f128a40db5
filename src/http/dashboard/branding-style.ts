import { shadesOf } from '../../contract/known-settings/accent-shades.ts';

/**
 * Returns the style sheet of an accent. It replaces the colours of the theme and those of Mantine's primary colour,
 * whichever style sheet is loaded first.
 */
export function brandingStyle(accent: string | null): string {
  if (accent === null) return '';
  const { light, dark, filled, filledHover } = shadesOf(accent);
  const theme = (name: string, shades: typeof light) => `:root:root[data-mantine-color-scheme="${name}"] {
  --accent: ${shades.accent};
  --accent-soft: ${shades.selection};
  --mantine-color-anchor: ${shades.accent};
  --mantine-color-blue-filled: ${filled};
  --mantine-color-blue-filled-hover: ${filledHover};
  --mantine-color-blue-text: ${shades.accent};
  --mantine-color-blue-outline: ${shades.accent};
  --mantine-color-blue-outline-hover: ${shades.selection};
  --mantine-color-blue-light: ${shades.selection};
  --mantine-color-blue-light-hover: ${shades.selection};
  --mantine-color-blue-light-color: ${shades.accent};
}
`;
  return theme('light', light) + theme('dark', dark);
}
