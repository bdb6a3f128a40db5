import type { Rgb } from '../colours/contrast.ts';

/**
 * Asks for the background (OSC 11), then for the attributes of the terminal, which every terminal answers: after that
 * answer, none about the background follows.
 */
export const backgroundQuestion = '\u001B]11;?\u0007\u001B[c';

/**
 * Reads the colour that a terminal answers: `rgb:1e1e/1e1e/1e1e` with one to four digits each, `rgba:…` or `#1e1e1e`.
 * Returns undefined for anything else.
 */
export function parseColour(answer: string): Rgb | undefined {
  const short = /^#[\da-f]{6}$/i.exec(answer);
  if (short !== null) return answer.toLowerCase() as Rgb;
  const parts = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(answer);
  if (parts === null) return undefined;
  const channels = parts.slice(1).map((digits) => {
    const share = Number.parseInt(digits, 16) / (16 ** digits.length - 1);
    return Math.round(share * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
