import { darkened, lightened, luminanceOf, mix, nearest } from '../../shared/colors.ts';

/** The least contrast of texts and links (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

/** The lightest surface of each theme in `theme.css`, and the selection, which is nearest to texts on it. */
const light = { surface: '#ffffff', selection: '#e7f0fa' };
const dark = { surface: '#1d2025', selection: '#1b3048' };

/** The colours of a theme that the accent gives. */
export interface ThemeShades {
  /** Links and the page that one is on. */
  readonly accent: string;
  /** What is selected. Texts on it are the accent and those of the theme. */
  readonly selection: string;
}

export interface AccentShades {
  readonly light: ThemeShades;
  readonly dark: ThemeShades;
  /** Buttons, in both themes. Their texts are white. */
  readonly filled: string;
  readonly filledHover: string;
}

/**
 * Returns the nearest shades of an accent that can be read. Contrast depends on luminance alone, so a selection that is as
 * light as that of the theme keeps the contrast of all texts on it.
 */
export function shadesOf(accent: string): AccentShades {
  const onLight = darkened(accent, (luminanceOf(light.selection) + 0.05) / minContrast - 0.05);
  const onDark = lightened(accent, (luminanceOf(dark.selection) + 0.05) * minContrast - 0.05);
  const lightest = luminanceOf(dark.selection);
  const darkest = luminanceOf(light.selection);
  return {
    light: {
      accent: onLight,
      selection: nearest(onLight, light.surface, (mixed) => luminanceOf(mixed) >= darkest),
    },
    dark: {
      accent: onDark,
      selection: nearest(onDark, dark.surface, (mixed) => luminanceOf(mixed) <= lightest),
    },
    filled: onLight,
    filledHover: mix(onLight, '#000000', 0.12),
  };
}
