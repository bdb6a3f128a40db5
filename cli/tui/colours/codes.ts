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
export function textCode(ink: Ink, depth: Depth): string {
  return codesOf(ink, depth).text;
}

/** Returns the parameters that set a colour of the background, or none if the terminal's own stays. */
export function backgroundCode(ink: Ink, depth: Depth): string {
  return codesOf(ink, depth).background;
}

interface Codes {
  readonly text: string;
  readonly background: string;
}

/** The codes of each colour by depth: a frame needs hundreds of them, and finding the nearest colour takes long. */
const known = new WeakMap<Ink, Map<Depth, Codes>>();

function codesOf(ink: Ink, depth: Depth): Codes {
  const byDepth = known.get(ink) ?? new Map<Depth, Codes>();
  known.set(ink, byDepth);
  const codes = byDepth.get(depth) ?? makeCodes(ink, depth);
  byDepth.set(depth, codes);
  return codes;
}

function makeCodes({ rgb, sixteen }: Ink, depth: Depth): Codes {
  if (depth === 1 || (depth === 4 && sixteen === null)) return { text: '', background: '' };
  if (depth === 4) return { text: String(sixteen), background: String(Number(sixteen) + 10) };
  const parameters = manyColours(rgb, depth);
  return { text: `38;${parameters}`, background: `48;${parameters}` };
}

function manyColours(rgb: Rgb, depth: 8 | 24): string {
  return depth === 8 ? `5;${nearestOf256(rgb).number}` : `2;${channelsOf(rgb).join(';')}`;
}
