/** Terminals drop longer sequences: xterm reads 100,000 characters, and base64 takes a third more than the text. */
export const maxCopiedBytes = 74_000;
/**
 * tmux has two settings for it: `set-clipboard on` takes the sequence itself, and `allow-passthrough` passes on a wrapped one.
 * Each ignores the other.
 */
const forTmux = (sequence: string) =>
  `${sequence}\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\`;
/** GNU screen passes on shorter pieces only. */
const maxScreenPiece = 500;

/**
 * Returns the control sequence (OSC 52) by which a terminal puts a text on its clipboard, also over SSH; undefined if the
 * text is too long for that.
 *
 * @param within - the program between this one and the terminal, which may pass on only a wrapped sequence
 */
export function clipboardSequence(text: string, within: 'tmux' | 'screen' | undefined): string | undefined {
  const bytes = Buffer.from(text);
  if (bytes.length > maxCopiedBytes) return undefined;
  const sequence = `\u001B]52;c;${bytes.toString('base64')}\u0007`;
  if (within === 'tmux') return forTmux(sequence);
  if (within === undefined) return sequence;
  const pieces = sequence.match(new RegExp(`[\\s\\S]{1,${maxScreenPiece}}`, 'g')) ?? [];
  return pieces.map((piece) => `\u001BP${piece}\u001B\\`).join('');
}
