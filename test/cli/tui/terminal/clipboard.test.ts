import { describe, expect, test } from 'vitest';
import { clipboardSequence, maxCopiedBytes } from '../../../../cli/tui/terminal/clipboard.ts';

describe('the sequence for the clipboard', () => {
  test('has the text in base64, as it is and wrapped for tmux, and in short pieces for screen', () => {
    expect(clipboardSequence('Größe', undefined)).toBe('\u001B]52;c;R3LDtsOfZQ==\u0007');
    expect(clipboardSequence('a', 'tmux')).toBe(
      '\u001B]52;c;YQ==\u0007\u001BPtmux;\u001B\u001B]52;c;YQ==\u0007\u001B\\',
    );
    const pieces = clipboardSequence('a'.repeat(2_000), 'screen')?.split('\u001B\\') ?? [];
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.length).toBeLessThan(512);
  });

  test('is not there for a text that terminals would drop', () => {
    expect(clipboardSequence('a'.repeat(maxCopiedBytes), undefined)).toBeDefined();
    expect(clipboardSequence('a'.repeat(maxCopiedBytes + 1), undefined)).toBeUndefined();
  });
});
