/** A colour as `#rrggbb`. */
export type Rgb = `#${string}`;

/** Returns red, green and blue, from 0 to 255. */
export function channelsOf(colour: Rgb): readonly [red: number, green: number, blue: number] {
  const at = (start: number) => Number.parseInt(colour.slice(start, start + 2), 16);
  return [at(1), at(3), at(5)];
}

/** Returns the relative luminance of a colour as WCAG 2 defines it, from 0 for black to 1 for white. */
export function luminanceOf(colour: Rgb): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours as WCAG 2 defines it, from 1 for equal ones to 21 for black and white. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Reports whether white text is easier to read on the colour than black text. */
export function isDark(background: Rgb): boolean {
  return contrastOf(background, '#ffffff') > contrastOf(background, '#000000');
}
