/** A colour as its red, green and blue, each from 0 to 255. */
type Channels = readonly [red: number, green: number, blue: number];

const white: Channels = [255, 255, 255];
const black: Channels = [0, 0, 0];
/** Halvings of an interval: more than the steps between two of 256 values. */
const precision = 12;

/** Reports whether a text is a colour such as `#1864ab`. */
export const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** Returns the relative luminance of a colour, from 0 to 1 (WCAG 2.2). */
export function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes two colours. The share is that of the second one. */
export function mix(color: string, other: string, share: number): string {
  const ends = channelsOf(other);
  const mixed = channelsOf(color).map((value, index) => value + ((ends[index] ?? 0) - value) * share);
  return textOf(mixed as unknown as Channels);
}

/** Returns the colour if it is dark enough, else the nearest shade of it that is. */
export function darkened(color: string, maxLuminance: number): string {
  return nearest(color, textOf(black), (shade) => luminanceOf(shade) <= maxLuminance);
}

/** Returns the colour if it is light enough, else the nearest tint of it that is. */
export function lightened(color: string, minLuminance: number): string {
  return nearest(color, textOf(white), (tint) => luminanceOf(tint) >= minLuminance);
}

/** Mixes the least of an end into a colour that makes it pass. The end itself passes. */
export function nearest(color: string, end: string, passes: (mixed: string) => boolean): string {
  if (passes(color)) return color;
  let fails = 0;
  let enough = 1;
  for (let step = 0; step < precision; step += 1) {
    const middle = (fails + enough) / 2;
    if (passes(mix(color, end, middle))) enough = middle;
    else fails = middle;
  }
  return mix(color, end, enough);
}

function channelsOf(color: string): Channels {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function textOf(channels: Channels): string {
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}
