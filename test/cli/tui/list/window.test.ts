import { describe, expect, test } from 'vitest';
import { scrollWindow } from '../../../../cli/tui/list/window.ts';

describe('the visible part of a list', () => {
  const before = { top: 20, index: 25, key: 'a' };

  test('stays in place when rows are added above it', () => {
    expect(scrollWindow(before, 28, 'a', 1000, 10)).toEqual({ top: 23, index: 28, key: 'a' });
  });

  test('shows rows added at the top while the cursor is visible', () => {
    expect(scrollWindow({ top: 0, index: 0, key: 'a' }, 1, 'a', 1000, 10).top).toBe(0);
  });

  test('keeps two rows visible around the cursor', () => {
    expect(scrollWindow(before, 28, 'b', 1000, 10).top).toBe(21);
    expect(scrollWindow(before, 21, 'b', 1000, 10).top).toBe(19);
  });

  test('ends with the list', () => {
    expect(scrollWindow({ top: 990, index: 999, key: 'a' }, 5, 'b', 6, 10).top).toBe(0);
    expect(scrollWindow(before, 999, 'z', 1000, 10).top).toBe(990);
  });
});
