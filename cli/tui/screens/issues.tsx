import { Box } from 'ink';
import type { z } from 'zod';
import type { issueSchema, issueStatisticsSchema } from '../../../src/contract/issues.ts';
import { issueStatuses } from '../../../src/contract/vocabulary.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import { Table, type TableColumn } from '../components/table.tsx';
import { choiceDialog } from '../dialogs/choice.tsx';
import { filterDialog } from '../dialogs/filter.tsx';
import { issueForm } from '../dialogs/issue-form.ts';
import type { Screen, Size } from '../layer.ts';
import { createList, moveList } from '../list/list.ts';
import { createStore, useStore } from '../store.ts';
import { age, count, counted } from '../text/age.ts';
import { apartOr } from '../text/cells.ts';
import { picker, severityPaint, statusPaint, theme } from '../theme.ts';
import { type IssueDetail, issueDetail } from './issue-detail.ts';
import { filterNote, parseFilter } from './issue-filter.ts';
import { arrangeIssues, type Sort, sortColumns } from './issue-order.ts';

type Issue = z.infer<typeof issueSchema>;

/** An issue without its long texts: a hundred thousand of them are held. */
export type IssueRow = Pick<Issue, 'id' | 'title' | 'category' | 'severity' | 'status'> & {
  /** In whole seconds, which take less than a time in milliseconds. */
  readonly created: number;
};

interface State {
  readonly filter: string;
  /** Only those of this status; null for all. */
  readonly view: string | null;
  readonly sort: Sort;
  readonly selected: ReadonlySet<number>;
  /** How many there are of each status; null before it is known. */
  readonly counts: ReadonlyMap<string, number> | null;
  readonly total: number;
  readonly detail: IssueDetail | null;
  readonly isOpen: boolean;
}

const views: readonly (string | null)[] = [null, ...issueStatuses];
const filterPause = 120;
/** From here on, details stand beside the list; below, under it. */
const wide = 120;

export function issuesScreen(app: App): Screen {
  const store = createStore<State>({
    filter: '',
    view: null,
    sort: { column: 'created', isReversed: false },
    selected: new Set(),
    counts: null,
    total: 0,
    detail: null,
    isOpen: false,
  });
  const source = {
    async load(cursor: string | null, limit: number) {
      const { filter, view } = store.get();
      const asked = { ...parseFilter(filter), ...(view === null ? {} : { status: view }) };
      const page = await app.call('issues.list', { ...asked, limit, ...(cursor === null ? {} : { cursor }) });
      if (!('issues' in page)) throw new Error('The list of issues was asked for.');
      return { rows: page.issues.map(toRow), nextCursor: page.nextCursor ?? null };
    },
    keyOf: ({ id }: IssueRow) => id,
    isBehind: (row: IssueRow, other: IssueRow) =>
      row.created < other.created || (row.created === other.created && row.id < other.id),
    explain: app.explain,
    now: app.now,
    arrange: undefined as ((rows: readonly IssueRow[]) => readonly IssueRow[]) | undefined,
  };
  const list = createList<IssueRow>(source);
  const details = issueDetail(app, (detail) => store.set({ detail }));
  const form = issueForm(app, async () => {
    await list.refresh();
    list.toFirst();
  });

  let pause: NodeJS.Timeout | undefined;
  const loadCounts = () =>
    app.attempt(async () => {
      const found = await app.call('issues.list', { period: 'all' });
      const { statusCounts, totalIssues } = found as z.infer<typeof issueStatisticsSchema>;
      store.set({
        counts: new Map(statusCounts.map(({ status, count }) => [status, count])),
        total: totalIssues,
      });
    });
  const follow = () => {
    const row = list.current();
    if (store.get().isOpen && row !== undefined) details.show(row.id);
  };
  list.store.subscribe(follow);
  const sortBy = (sort: Sort) => {
    store.set({ sort });
    const isNatural = sort.column === 'created' && !sort.isReversed;
    source.arrange = isNatural ? undefined : (rows) => arrangeIssues(rows, sort);
    list.rearrange();
  };
  const changeView = (view: string | null) => {
    store.set({ view, selected: new Set() });
    void list.reload();
  };
  const chosen = (): readonly IssueRow[] => {
    const { selected } = store.get();
    const row = list.current();
    if (selected.size > 0) return list.store.get().rows.filter(({ id }) => selected.has(id));
    return row === undefined ? [] : [row];
  };
  const changeStatus = () => {
    const rows = chosen();
    const [first] = rows;
    if (first === undefined) return app.say('There is no issue here.', 'note');
    const name = rows.length === 1 ? `#${first.id} ${first.title}` : counted(rows.length, 'issue');
    const current = rows.every(({ status }) => status === first.status) ? first.status : '';
    app.open(
      choiceDialog(app, {
        title: `Status of ${name}`,
        options: issueStatuses,
        current,
        paint: statusPaint,
        take: (status) => setStatus(rows, status as IssueRow['status']),
      }),
    );
  };
  const setStatus = async (rows: readonly IssueRow[], status: IssueRow['status']) => {
    const done = new Set<number>();
    try {
      for (const { id } of rows) {
        await app.call('issues.changeStatus', { id, status });
        done.add(id);
      }
    } catch (error) {
      // What was not changed stays selected, to be tried again.
      throw new Error(`${done.size} of ${rows.length} changed. ${app.explain(error)}`, { cause: error });
    } finally {
      list.amend((row) => (done.has(row.id) ? { ...row, status } : row));
      store.set({ selected: new Set([...store.get().selected].filter((id) => !done.has(id))) });
    }
    app.say(
      rows.length === 1 ? `#${rows[0]?.id} is ${status}.` : `${counted(rows.length, 'issue')} are ${status}.`,
    );
    details.forget();
    await Promise.all([list.refresh(), loadCounts()]);
  };

  const screen: Screen = {
    id: 'issues',
    title: 'Issues',
    chain: () => 'issues',
    minds: (type) => /^(issue|link)\./.test(type),
    async refresh() {
      details.forget();
      await Promise.all([list.refresh(), loadCounts()]);
    },
    unsent: () => (form.hasContent() ? ['The new issue is not saved.'] : []),
    back() {
      const { isOpen, selected, filter, view } = store.get();
      if (isOpen) store.set({ isOpen: false });
      else if (selected.size > 0) store.set({ selected: new Set() });
      else if (filter !== '') {
        store.set({ filter: '' });
        void list.reload();
      } else if (view !== null) changeView(null);
      else return false;
      return true;
    },
    perform(action) {
      const { sort, view, selected, isOpen } = store.get();
      if (moveList(list, action)) return;
      switch (action) {
        case 'search.open':
          return app.open(
            filterDialog(app, {
              text: store.get().filter,
              note: filterNote,
              change(filter) {
                store.set({ filter });
                clearTimeout(pause);
                pause = setTimeout(() => void list.reload(), filterPause);
              },
            }),
          );
        case 'issues.open':
          store.set({ isOpen: !isOpen });
          return follow();
        case 'issues.scrollDown':
          return details.scroll(3);
        case 'issues.scrollUp':
          return details.scroll(-3);
        case 'issues.status':
          return changeStatus();
        case 'issues.create':
          return app.open(form);
        case 'issues.select': {
          const row = list.current();
          if (row === undefined) return;
          const next = new Set(selected);
          if (!next.delete(row.id)) next.add(row.id);
          store.set({ selected: next });
          return list.move(1);
        }
        case 'issues.selectAll':
          return store.set({
            selected: selected.size > 0 ? new Set() : new Set(list.store.get().rows.map(({ id }) => id)),
          });
        case 'issues.view':
          return changeView(views[(views.indexOf(view) + 1) % views.length] ?? null);
        case 'issues.sort': {
          const at = sortColumns.indexOf(sort.column);
          return sortBy({
            column: sortColumns[(at + 1) % sortColumns.length] ?? 'created',
            isReversed: false,
          });
        }
        case 'issues.reverse':
          return sortBy({ ...sort, isReversed: !sort.isReversed });
      }
    },
    View: ({ width, height }: Size) => {
      const state = useStore(store);
      const { shown, filling, phase } = useStore(list.store);
      const { now } = useStore(app.store);
      const { selected, detail, isOpen, sort, filter } = state;
      const isBeside = isOpen && width >= wide;
      const tableWidth = isBeside ? Math.floor(width * 0.56) : width;
      const tableHeight = isOpen && !isBeside ? Math.floor((height - 1) / 2) : height - 1;
      const detailWidth = isBeside ? width - tableWidth - 2 : width;
      const detailHeight = isBeside ? height - 1 : height - 1 - tableHeight;
      const isNarrowed = filter !== '' || state.view !== null;
      const loaded = filling
        ? theme.accent(`loading ${count(shown.length)}…`)
        : isNarrowed && phase === 'ready'
          ? `${counted(shown.length, 'issue')} loaded`
          : '';
      const marked = selected.size > 0 ? theme.accent(`✓ ${selected.size} selected`) : '';
      const searched = filter === '' ? '' : theme.accent(`/ ${filter}`);
      const right = [searched, marked, loaded].filter((part) => part !== '').join('  ');
      return (
        <>
          <Lines lines={[apartOr(...viewLine(state), `${right} `, width)]} height={1} />
          <Box flexDirection={isBeside ? 'row' : 'column'} height={height - 1}>
            <Box width={tableWidth} height={tableHeight}>
              <Table
                list={list}
                columns={columnsAt(now, String(shown[0]?.id ?? 0).length)}
                keyOf={source.keyOf}
                width={tableWidth}
                height={tableHeight}
                selected={selected}
                sorted={{ heading: sort.column, sign: sort.isReversed ? '▴' : '▾' }}
                empty={
                  isNarrowed
                    ? ['No issue is of that kind.', 'Esc shows the others.']
                    : ['There are no issues. A quiet day.', 'n reports one.']
                }
              />
            </Box>
            {isOpen && (
              <Box width={detailWidth} height={detailHeight} marginLeft={isBeside ? 2 : 0}>
                <Lines lines={details.lines(detail, detailWidth, detailHeight, now)} height={detailHeight} />
              </Box>
            )}
          </Box>
        </>
      );
    },
  };
  return screen;
}

/** One text for all rows that have it: there are few severities and categories, and many rows. */
const words = new Map<string, string>();
function one(word: string): string {
  const known = words.get(word);
  if (known === undefined) words.set(word, word);
  return known ?? word;
}

function toRow({ id, title, category, severity, status, created_at }: Issue): IssueRow {
  return {
    id,
    title,
    category: one(category),
    severity: one(severity),
    status,
    created: Math.floor(Date.parse(created_at) / 1000),
  };
}

/** The statuses with how many there are of each. */
function viewLine({ view, counts, total }: State): [whole: string, short: string] {
  const sizeOf = (name: string | null) =>
    counts === null ? '' : ` ${count(name === null ? total : (counts.get(name) ?? 0))}`;
  const names = views.map((name) => `${name ?? 'All'}${sizeOf(name)}`);
  const at = views.indexOf(view);
  return [picker(names, at), picker([names[at] ?? ''], 0)];
}

function columnsAt(now: number, digits: number): readonly TableColumn<IssueRow>[] {
  return [
    {
      heading: 'id',
      value: ({ id }) => String(id),
      width: Math.max(4, digits),
      align: 'right',
      paint: () => theme.quiet,
    },
    { heading: 'title', value: ({ title }) => title, width: 'rest' },
    {
      heading: 'severity',
      value: ({ severity }) => severity,
      width: 10,
      dropAs: 1,
      paint: ({ severity }) => severityPaint(severity),
    },
    {
      heading: 'status',
      value: ({ status }) => status,
      width: 11,
      paint: ({ status }) => statusPaint(status),
    },
    { heading: 'category', value: ({ category }) => category, width: 14, dropAs: 3 },
    {
      heading: 'created',
      value: ({ created }) => age(created * 1000, now),
      width: 9,
      align: 'right',
      dropAs: 2,
      paint: () => theme.quiet,
    },
  ];
}
