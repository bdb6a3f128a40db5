import { describe, expect, test } from 'vitest';
import { strokesOf } from '../../../../cli/tui/keys/strokes.ts';

describe('key presses', () => {
  const none = {
    upArrow: false,
    downArrow: false,
    leftArrow: false,
    rightArrow: false,
    pageDown: false,
    pageUp: false,
    home: false,
    end: false,
    return: false,
    escape: false,
    ctrl: false,
    shift: false,
    tab: false,
    backspace: false,
    delete: false,
    meta: false,
    super: false,
    hyper: false,
    capsLock: false,
    numLock: false,
  };

  test('are separated if several arrive together', () => {
    expect(strokesOf('ab\r\u0013é ', none).map(({ key }) => key)).toEqual([
      'a',
      'b',
      'enter',
      'ctrl+s',
      'é',
      'space',
    ]);
  });

  test('include their modifiers', () => {
    expect(strokesOf('', { ...none, tab: true, shift: true })).toEqual([{ key: 'shift+tab' }]);
    expect(strokesOf('s', { ...none, ctrl: true })).toEqual([{ key: 'ctrl+s' }]);
    expect(strokesOf('', { ...none, meta: true, return: true })).toEqual([{ key: 'alt+enter' }]);
    expect(strokesOf('', { ...none, escape: true })).toEqual([{ key: 'esc' }]);
  });

  test('have one character per grapheme', () => {
    expect(strokesOf('👩‍👩‍👧é', none).map(({ text }) => text)).toEqual(['👩‍👩‍👧', 'é']);
  });
});
