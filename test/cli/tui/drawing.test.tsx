import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import type { ComponentProps } from 'react';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cellsOf } from '../../../cli/terminal/cells.ts';
import { contrastOf, isDark } from '../../../cli/tui/colours/contrast.ts';
import { pairsOf } from '../../../cli/tui/colours/pairs.ts';
import { type PaletteName, palettes } from '../../../cli/tui/colours/palettes.ts';
import { bars, columnChart } from '../../../cli/tui/components/bars.ts';
import { fitColumns, Table, type TableColumn } from '../../../cli/tui/components/table.tsx';
import { createList, type List } from '../../../cli/tui/list/list.ts';
import { badge, changeLook, currentLook, pageCode, paletteOf, theme } from '../../../cli/tui/theme.ts';
import { listOver, type Row as NamedRow, rowsFrom } from '../../support/run/dashboard-here.ts';
import { pairOf, shownPair, sixteenColours } from './colour-schemes.ts';

interface Row {
  readonly id: number;
  readonly title: string;
  readonly status: string;
}

const shown = (frame: string | undefined) => stripVTControlCharacters(frame ?? '').split('\n');

async function listOf(rows: readonly Row[]): Promise<List<Row>> {
  const list = createList<Row>({
    load: async () => ({ rows, nextCursor: null }),
    keyOf: ({ id }) => id,
    timeOf: () => 0,
    explain: String,
    now: () => 0,
  });
  await list.reload();
  return list;
}

const columns: readonly TableColumn<Row>[] = [
  { heading: 'id', value: ({ id }) => String(id), width: 6, align: 'right' },
  { heading: 'title', value: ({ title }) => title, width: 'rest' },
  { heading: 'status', value: ({ status }) => status, width: 11, dropAs: 1 },
  { heading: 'more', value: () => 'more', width: 10, dropAs: 2 },
];

/** Draws a list until the test ends. Returns a function that returns the frame. */
function draw<Shape extends { readonly id: number }>(
  list: List<Shape>,
  columns: readonly TableColumn<Shape>[],
  more: Partial<ComponentProps<typeof Table<Shape>>> = {},
): () => string | undefined {
  const { lastFrame, unmount } = render(
    <Table {...{ list, columns, width: 80, height: 8, empty: [], ...more }} keyOf={({ id }: Shape) => id} />,
  );
  onTestFinished(() => unmount());
  return lastFrame;
}

describe('a table', () => {
  const rows = [
    { id: 1, title: '日本語の長い題名がここにあります', status: 'Open' },
    { id: 2, title: 'A family 👩‍👩‍👧 and a flag 🇵🇹', status: 'Closed' },
    { id: 3, title: 'Evil \u001B[2J\u0007 title', status: 'Open' },
    { id: 4, title: 'é with a mark of its own', status: 'Open' },
  ];

  test.each([40, 80])('fits into %i columns and aligns each column with its heading', async (width) => {
    const lastFrame = draw(await listOf(rows), columns, { width });
    const [heading = '', ...lines] = shown(lastFrame());
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(width);
    const startOf = (line: string, text: RegExp) => cellsOf(line.slice(0, line.search(text)));
    for (const line of lines.filter((each) => /Open|Closed/.test(each)))
      expect(startOf(line, /Open|Closed/)).toBe(startOf(heading, /STATUS/));
  });

  test('formats only the visible rows', async () => {
    const value = vi.fn(({ title }: Row) => title);
    const many = Array.from({ length: 100_000 }, (_, id) => ({ id, title: `Issue ${id}`, status: 'Open' }));
    const list = await listOf(many);
    const lastFrame = draw(list, [{ heading: 'title', value, width: 'rest' }], { height: 21 });
    expect(value).toHaveBeenCalledTimes(20);
    value.mockClear();
    list.move(50_000);
    await expect.poll(() => lastFrame()).toContain('❯   Issue 50000');
    expect(value.mock.calls.length).toBeLessThanOrEqual(40);
  });

  test('marks the cursor, the selection and changes with signs, not only colours', async () => {
    const list = await listOf(rows);
    list.store.set({ marks: new Map([[2, 0]]) });
    const lastFrame = draw(list, columns, { selected: new Set([1]) });
    const [, first, second] = shown(lastFrame()).map((line) => line.slice(0, 4));
    expect([first, second]).toEqual(['❯✓  ', '  • ']);
  });

  test('says how many new rows are above the visible ones, until they are seen', async () => {
    const rows = { current: rowsFrom(100, 1) };
    const list = listOver(rows);
    await list.reload();
    const columns: readonly TableColumn<NamedRow>[] = [
      { heading: 'id', value: ({ id }) => String(id), width: 4 },
      { heading: 'name', value: ({ name }) => name, width: 'rest' },
    ];
    const lastFrame = draw(list, columns, { width: 40 });
    const heading = () => shown(lastFrame())[0]?.trim();
    // The first rows are visible, so new ones are seen at once.
    rows.current = rowsFrom(103, 1);
    await list.refresh();
    await expect.poll(() => lastFrame()).toContain('row 103');
    expect(heading()).toBe('ID    NAME');
    // The cursor stays on its row at the end of the screen, which hides the new ones.
    list.move(3);
    await expect.poll(() => lastFrame()).toMatch(/❯ +97/);
    rows.current = rowsFrom(115, 1);
    await list.refresh();
    await expect.poll(heading).toBe('ID    NAME  ↑ 12 new');
    rows.current = rowsFrom(117, 1);
    await list.refresh();
    await expect.poll(heading).toBe('ID    NAME  ↑ 14 new');
    list.move(-16);
    await expect.poll(heading).toBe('ID    NAME  ↑ 2 new');
    list.toFirst();
    await expect.poll(heading).toBe('ID    NAME');
  });

  test('drops the least important columns first, and fills the width exactly', () => {
    const headings = (cells: number) => fitColumns(columns, cells).map(([{ heading }]) => heading);
    expect(headings(80)).toEqual(['id', 'title', 'status', 'more']);
    expect(headings(45)).toEqual(['id', 'title', 'status']);
    expect(headings(30)).toEqual(['id', 'title']);
    const age: TableColumn<object> = { heading: 'age', value: () => '', width: 4 };
    const text: TableColumn<object> = { heading: 'text', value: () => '', width: 'rest' };
    for (let cells = 24; cells <= 120; cells++) {
      const fitted = fitColumns([age, text, text], cells);
      expect(fitted.reduce((sum, [, width]) => sum + width + 2, -2)).toBe(cells);
    }
  });
});

describe('bars', () => {
  test('show every number above zero and fit', () => {
    const counts = { High: 1, Low: 1_000, None: 0 };
    const lines = bars(
      Object.entries(counts).map(([label, count]) => ({ label, count })),
      40,
    ).map(stripVTControlCharacters);
    expect(lines).toEqual(['    High      1  ▏', `    Low   1,000  ${'█'.repeat(22)}`, '    None      0  ']);
  });

  test('are drawn as columns', () => {
    expect(columnChart([0, 1, 4, 8], 1, 7)).toEqual([' ▁▄█']);
    expect(columnChart([0, 1, 500, 750, 1_000], 2, 15)).toEqual(['         ▄▄ ██', '   ▁▁ ██ ██ ██']);
    expect(columnChart([0, 8], 1, 80)).toEqual(['         ████████']);
    expect(columnChart([0, 0], 1, 2)).toEqual(['  ']);
    expect(columnChart([], 1, 80)).toEqual(['']);
  });
});

test.each(Object.keys(palettes) as PaletteName[])('the colours of %s have enough contrast', (name) => {
  const palette = palettes[name];
  for (const pair of pairsOf(palette)) {
    const [text, background] = pairOf(pair, palette);
    expect(contrastOf(text, background), pair.name).toBeGreaterThanOrEqual(palette.leastContrast);
    for (const [terminal, colours] of Object.entries(sixteenColours)) {
      const [shown, behind] = shownPair(pair, isDark(palette.background), colours);
      expect(contrastOf(shown, behind), `${pair.name} on ${terminal}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

describe('the theme', () => {
  const before = currentLook();
  afterEach(() => changeLook(before));

  test('follows the background of the terminal, and draws its own only where it could not be read', () => {
    changeLook({ depth: 24, theme: 'auto', background: '#fdf6e3' });
    expect([paletteOf(currentLook()), pageCode()]).toEqual([palettes.light, '']);
    changeLook({ theme: 'dark', background: '#ffffff' });
    expect([paletteOf(currentLook()), pageCode()]).toEqual([palettes.dark, '38;2;228;228;228;48;2;18;18;18']);
    changeLook({ theme: 'high-contrast' });
    expect(paletteOf(currentLook())).toBe(palettes.highContrastLight);
    changeLook({ theme: 'auto', background: undefined, isLightHint: true });
    expect(paletteOf(currentLook())).toBe(palettes.light);
  });

  test('draws in as many colours as there are, and goes on after a style within it has ended', () => {
    changeLook({ theme: 'light', background: '#ffffff', depth: 24 });
    expect(theme.bad('x')).toBe('\u001B[38;2;175;0;0mx\u001B[39m');
    changeLook({ depth: 8 });
    expect(theme.bad('x')).toBe('\u001B[38;5;124mx\u001B[39m');
    changeLook({ depth: 4 });
    expect(badge('red')('x')).toBe('\u001B[41m\u001B[97mx\u001B[39m\u001B[49m');
    // Yellow on white cannot be read.
    expect(theme.warning('x')).toBe('\u001B[35mx\u001B[39m');
    changeLook({ depth: 1 });
    expect(theme.bad('x')).toBe('x');
    expect(theme.selected('x')).toBe('\u001B[7mx\u001B[27m');
    changeLook({ theme: 'dark', background: '#000000', depth: 4 });
    const quiet = theme.quiet(`a ${theme.bad('b')} c`);
    expect(quiet).toBe('\u001B[37ma \u001B[91mb\u001B[39m\u001B[37m c\u001B[39m');
  });
});
