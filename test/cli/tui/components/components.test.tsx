import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cellsOf } from '../../../../cli/output/cells.ts';
import { bars, columnChart } from '../../../../cli/tui/components/bars.ts';
import { fitColumns, Table, type TableColumn } from '../../../../cli/tui/components/table.tsx';
import { createForm, type FormOptions } from '../../../../cli/tui/dialogs/form.tsx';
import { createList, type List } from '../../../../cli/tui/list/list.ts';
import { type Dashboard, openDashboard } from '../../../support/terminal/dashboard.tsx';

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

describe('a table', () => {
  const rows = [
    { id: 1, title: '日本語の長い題名がここにあります', status: 'Open' },
    { id: 2, title: 'A family 👩‍👩‍👧 and a flag 🇵🇹', status: 'Closed' },
    { id: 3, title: 'Evil \u001B[2J\u0007 title', status: 'Open' },
    { id: 4, title: 'é with a mark of its own', status: 'Open' },
  ];

  test.each([40, 60, 80, 100])('fits into %i columns, each column below its heading', async (width) => {
    const list = await listOf(rows);
    const { lastFrame, unmount } = render(
      <Table list={list} columns={columns} keyOf={({ id }) => id} width={width} height={8} empty={[]} />,
    );
    const [heading = '', ...lines] = shown(lastFrame());
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(width);
    const start = cellsOf(heading.slice(0, heading.indexOf('STATUS')));
    if (heading.includes('STATUS')) {
      for (const line of lines.filter((each) => /Open|Closed/.test(each))) {
        expect(cellsOf(line.slice(0, line.search(/Open|Closed/)))).toBe(start);
      }
    }
    unmount();
  });

  test('shows control characters, and obeys none', async () => {
    const list = await listOf(rows);
    const { lastFrame, unmount } = render(
      <Table list={list} columns={columns} keyOf={({ id }) => id} width={80} height={8} empty={[]} />,
    );
    expect(lastFrame()).toContain('Evil \uFFFD[2J\uFFFD title');
    unmount();
  });

  test('makes only the rows that are seen', async () => {
    const value = vi.fn(({ title }: Row) => title);
    const many = Array.from({ length: 100_000 }, (_, id) => ({ id, title: `Issue ${id}`, status: 'Open' }));
    const list = await listOf(many);
    const { lastFrame, unmount } = render(
      <Table
        list={list}
        columns={[{ heading: 'title', value, width: 'rest' }]}
        keyOf={({ id }) => id}
        width={80}
        height={21}
        empty={[]}
      />,
    );
    expect(value).toHaveBeenCalledTimes(20);
    value.mockClear();
    list.move(50_000);
    await expect.poll(() => lastFrame()).toContain('❯   Issue 50000');
    expect(value.mock.calls.length).toBeLessThanOrEqual(40);
    unmount();
  });

  test('says by signs, not by colours, where the cursor is, what is selected and what has changed', async () => {
    const list = await listOf(rows);
    list.store.set({ marks: new Map([[2, 0]]) });
    const { lastFrame, unmount } = render(
      <Table
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        width={80}
        height={8}
        selected={new Set([1])}
        empty={[]}
      />,
    );
    expect(
      shown(lastFrame())
        .slice(1, 3)
        .map((line) => line.slice(0, 4)),
    ).toEqual(['❯✓  ', '  • ']);
    unmount();
  });

  test('says that there is nothing, and what to do', async () => {
    const list = await listOf([]);
    const { lastFrame, unmount } = render(
      <Table
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        width={80}
        height={8}
        empty={['There is nothing.', 'n adds one.']}
      />,
    );
    expect(shown(lastFrame()).join('\n')).toContain('    There is nothing.\n    n adds one.');
    unmount();
  });

  test('leaves out first what matters least', () => {
    const headings = (cells: number) => fitColumns(columns, cells).map(([{ heading }]) => heading);
    expect(headings(80)).toEqual(['id', 'title', 'status', 'more']);
    expect(headings(45)).toEqual(['id', 'title', 'status']);
    expect(headings(30)).toEqual(['id', 'title']);
  });

  test('fills the width, and is never wider', () => {
    const shared: TableColumn<object>[] = [
      { heading: 'age', value: () => '', width: 4 },
      { heading: 'one', value: () => '', width: 'rest' },
      { heading: 'other', value: () => '', width: 'rest' },
    ];
    for (let cells = 24; cells <= 120; cells++) {
      const fitted = fitColumns(shared, cells);
      expect(fitted.reduce((sum, [, width]) => sum + width + 2, -2)).toBe(cells);
    }
  });
});

describe('bars', () => {
  test('show what is more than nothing, and fit', () => {
    const lines = bars(
      [
        { label: 'High', count: 1 },
        { label: 'Low', count: 1_000 },
        { label: 'None', count: 0 },
      ],
      40,
    ).map(stripVTControlCharacters);
    expect(lines[0]).toBe('    High      1  ▏');
    expect(lines[2]?.trimEnd()).toBe('    None      0');
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(40);
  });

  test('stand upright in lines', () => {
    expect(columnChart([0, 1, 4, 8], 1, 7)).toEqual([' ▁▄█']);
    expect(columnChart([0, 1, 500, 750, 1_000], 2, 15)).toEqual(['         ▄▄ ██', '   ▁▁ ██ ██ ██']);
    expect(columnChart([0, 8], 1, 80)).toEqual(['    ███']);
    expect(columnChart([0, 0], 1, 2)).toEqual(['  ']);
    expect(columnChart([], 1, 80)).toEqual(['']);
  });
});

describe('a form', () => {
  let dashboard: Dashboard;
  afterEach(() => dashboard.close());

  const open = (send: FormOptions['send']) => {
    dashboard = openDashboard({ call: () => new Promise(() => {}) });
    const form = createForm(dashboard.app, {
      title: () => 'A new thing',
      fields: [
        { name: 'name', label: 'Name', kind: 'text', note: 'what it is called' },
        { name: 'secret', label: 'Secret', kind: 'secret' },
        { name: 'kind', label: 'Kind', kind: 'choice', options: ['small', 'large'], initial: 'small' },
        { name: 'text', label: 'Text', kind: 'lines' },
      ],
      send,
    });
    dashboard.app.open(form);
    return form;
  };

  test('takes what is written, hides a secret, and sends it all', async () => {
    const send = vi.fn(async () => undefined);
    open(send);
    dashboard.write('Ünïcode q?:1');
    dashboard.press('tab');
    dashboard.write('hidden');
    dashboard.press('tab', 'right', 'tab');
    dashboard.write('one');
    dashboard.press('enter');
    dashboard.write('two');
    const frame = await dashboard.shows('two');
    expect(frame).toContain('••••••');
    expect(frame).not.toContain('hidden');
    dashboard.press('ctrl+s');
    await expect
      .poll(() => send.mock.calls)
      .toEqual([[{ name: 'Ünïcode q?:1', secret: 'hidden', kind: 'large', text: 'one\ntwo' }]]);
    await expect.poll(() => dashboard.app.store.get().dialogs).toEqual([]);
  });

  test('stays with what was written when it fails, and says why', async () => {
    open(async () => {
      throw new Error('The database is unavailable.');
    });
    dashboard.write('Kept');
    dashboard.press('ctrl+s');
    expect(await dashboard.shows('✗ The database is unavailable.')).toContain('Kept');
  });

  test('keeps what was written when one goes back, but no secret', async () => {
    const form = open(async () => undefined);
    dashboard.write('Kept');
    dashboard.press('tab');
    dashboard.write('secret');
    dashboard.press('esc');
    expect(form.hasContent()).toBe(true);
    dashboard.app.open(form);
    const frame = await dashboard.shows('Kept');
    expect(frame).not.toContain('•');
  });

  test('shows what others began with its control characters, and obeys none', async () => {
    const form = open(async () => undefined);
    form.fill({
      name: 'First\n\u001B[7msecond',
      text: 'A \u001B[7mdraft\u001B]8;;http://evil.example\u0007 link',
    });
    const draft = 'A \uFFFD[7mdraft\uFFFD]8;;http://evil.example\uFFFD link';
    const frame = await dashboard.shows('First [7msecond');
    expect(frame).toContain(draft);
    dashboard.press('tab', 'tab', 'tab', 'home');
    await expect.poll(() => dashboard.raw()).toContain('\u001B[7mA\u001B[27m');
    expect(await dashboard.shows('Ctrl-S save')).toContain(draft);
    expect(dashboard.raw()).not.toContain('http://evil.example\u0007');
  });

  test('has room for every line as soon as it is written, and the hints of the field that it is in', async () => {
    open(async () => undefined);
    // From here on nothing is drawn that was not told.
    dashboard.app.stop();
    await dashboard.shows('Tab next field');
    dashboard.press('tab', 'tab', 'tab');
    await dashboard.hides('next field');
    for (const line of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) {
      dashboard.write(line);
      dashboard.press('enter');
    }
    dashboard.write('eight');
    const frame = await dashboard.shows('eight');
    for (const line of ['Name ', 'one', 'two', 'seven']) expect(frame).toContain(line);
    expect(frame.split('\n')).toHaveLength(23);
  });

  test('makes room for its error, below all the fields', async () => {
    open(async () => {
      throw new Error('It is too small.');
    });
    dashboard.app.stop();
    await dashboard.shows('── A new thing');
    dashboard.write('Kept');
    dashboard.press('ctrl+s');
    const lines = (await dashboard.shows('✗ It is too small.')).split('\n');
    expect(lines.slice(-6).map((line) => line.trim().split(/ +/).slice(0, 2).join(' '))).toEqual([
      '❯ Name',
      'Secret',
      'Kind ❯',
      'Text',
      '✗ It',
      'Esc back',
    ]);
  });

  test('says its keys, whatever was said before it was opened', async () => {
    open(async () => undefined);
    dashboard.press('esc');
    dashboard.app.say('There is no issue here.', 'note');
    dashboard.press('n');
    expect(dashboard.app.store.get().message).toBeNull();
    await dashboard.shows('Ctrl-S save');
  });
});
