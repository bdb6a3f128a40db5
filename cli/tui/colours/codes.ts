import { channelsOf, type Rgb } from './contrast.ts';
import type { Ink } from './palettes.ts';

/** How many colours a terminal has, in bits as `getColorDepth` of Node counts them. 1 is none. */
export type Depth = 1 | 4 | 8 | 24;

/** The levels of a channel in the cube of the 256 colours, of which each has a number from 16 to 231. */
const levels = [0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff];

function nearestLevel(channel: number): number {
  const distances = levels.map((level) => Math.abs(level - channel));
  return distances.indexOf(Math.min(...distances));
}

/** Returns the number of the nearest of the 256 colours, and that colour. */
export function nearestOf256(colour: Rgb): { readonly number: number; readonly rgb: Rgb } {
  const [red, green, blue] = channelsOf(colour);
  const cube = [red, green, blue].map(nearestLevel) as [number, number, number];
  const cubeRgb = cube.map((level) => levels[level] ?? 0);
  const step = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)));
  const grey = 8 + 10 * step;
  const distance = (channels: readonly number[]) =>
    channels.reduce((sum, channel, at) => sum + (channel - ([red, green, blue][at] ?? 0)) ** 2, 0);
  return distance(cubeRgb) <= distance([grey, grey, grey])
    ? { number: 16 + 36 * cube[0] + 6 * cube[1] + cube[2], rgb: hexOf(cubeRgb) }
    : { number: 232 + step, rgb: hexOf([grey, grey, grey]) };
}

function hexOf(channels: readonly number[]): Rgb {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the parameters that set a colour of text, or none if the terminal's own colour stays. */
export function textCode({ rgb, sixteen }: Ink, depth: Depth): string {
  if (depth === 1) return '';
  if (depth === 4) return sixteen === null ? '' : String(sixteen);
  return `38;${manyColours(rgb, depth)}`;
}

/** Returns the parameters that set a colour of the background, or none if the terminal's own stays. */
export function backgroundCode({ rgb, sixteen }: Ink, depth: Depth): string {
  if (depth === 1) return '';
  if (depth === 4) return sixteen === null ? '' : String(sixteen + 10);
  return `48;${manyColours(rgb, depth)}`;
}

function manyColours(rgb: Rgb, depth: 8 | 24): string {
  return depth === 8 ? `5;${nearestOf256(rgb).number}` : `2;${channelsOf(rgb).join(';')}`;
}
