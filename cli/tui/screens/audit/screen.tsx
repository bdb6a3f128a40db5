import { Box } from 'ink';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import { apart, wrap } from '../../../output/cells.ts';
import { whoDidIt } from '../../../output/change.ts';
import { printable } from '../../../output/text.ts';
import type { App } from '../../app.ts';
import { ageColumn } from '../../components/age-column.ts';
import { titleRule } from '../../components/frame.tsx';
import { Lines } from '../../components/lines.tsx';
import { Table, type TableColumn } from '../../components/table.tsx';
import { filterDialog } from '../../dialogs/filter.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import { createList, typingPause } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import type { Screen, Size } from '../../screen-types.ts';
import { createStore, useStore } from '../../store.ts';
import { moment } from '../../text/age.ts';
import { theme } from '../../theme.ts';

type AuditRecord = OutputOf<'audit.list'>['audit'][number];

interface State {
  readonly filter: string;
  readonly isOpen: boolean;
  /** The cursor stays at the newest record. */
  readonly isTail: boolean;
}

const detailRows = 9;

export function auditScreen(app: App): Screen {
  const store = createStore<State>({ filter: '', isOpen: false, isTail: true });
  const list = createList<AuditRecord>({
    async load(cursor, limit) {
      const { filter } = store.get();
      const page = await app.call('audit.list', {
        limit,
        ...parseAuditFilter(filter),
        ...(cursor === null ? {} : { cursor }),
      });
      return { rows: page.audit, nextCursor: page.nextCursor ?? null };
    },
    keyOf: ({ id }) => id,
    // Records are listed in the order of their ids.
    timeOf: ({ id }) => id,
    explain: app.explain,
    now: app.now,
  });
  const narrow = (filter: string, pause = 0) => {
    store.set({ filter });
    void list.reload(pause);
  };
  return {
    id: 'audit',
    title: 'Audit',
    chain: () => 'audit',
    minds: () => true,
    async refresh() {
      await list.refresh();
      if (store.get().isTail) list.toFirst();
    },
    back() {
      const { isOpen, filter } = store.get();
      if (isOpen) store.set({ isOpen: false });
      else if (filter !== '') narrow('');
      else return false;
      return true;
    },
    perform(action) {
      if (moveList(list, action)) return store.set({ isTail: list.store.get().index === 0 });
      if (action === 'audit.open') store.set({ isOpen: !store.get().isOpen });
      else if (action === 'audit.follow') {
        const isTail = !store.get().isTail;
        store.set({ isTail });
        if (isTail) list.toFirst();
      } else if (action === 'search.open') {
        app.open(
          filterDialog(app, {
            text: store.get().filter,
            note: 'actor:grace@example.com  event:issue.updated  door:tui  subject:7',
            change: (filter) => narrow(filter, typingPause),
          }),
        );
      }
    },
    View: ({ width, height }: Size) => {
      const { filter, isOpen, isTail } = useStore(store);
      const { shown, index } = useStore(list.store);
      const { now } = useStore(app.store);
      const record = shown[index];
      const details = isOpen && record !== undefined ? describe(record, width) : [];
      const below = Math.min(details.length, detailRows, Math.floor(height / 2));
      const searched = filter === '' ? '' : theme.accent(`/ ${filter} `);
      const tail = isTail
        ? theme.good('▾ at the newest')
        : theme.quiet(keyHints(app, ['audit.follow', 'goes to the newest']).join(''));
      return (
        <Box flexDirection="column">
          <Lines lines={[apart(`  ${tail}`, searched, width)]} height={1} />
          <Table
            list={list}
            columns={columnsAt(now)}
            keyOf={({ id }) => id}
            width={width}
            height={height - 1 - below}
            empty={
              filter === ''
                ? ['Nothing was changed yet.']
                : ['Nothing of that kind was done.', ...keyHints(app, ['everywhere.back', 'shows the rest.'])]
            }
          />
          <Lines lines={details} height={below} />
        </Box>
      );
    },
  };
}

const filterNames: Readonly<Record<string, string>> = {
  actor: 'actor',
  event: 'event',
  door: 'door',
  operation: 'operation',
  subject: 'subject_id',
  id: 'subject_id',
};

/** `event:issue.updated door:tui grace` as the service is asked it. */
export function parseAuditFilter(text: string): Readonly<Record<string, string>> {
  const words: string[] = [];
  const filter: Record<string, string> = {};
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const [, name = '', value = ''] = /^(\w+):(.+)$/.exec(word) ?? [];
    const field = Object.hasOwn(filterNames, name) ? filterNames[name] : undefined;
    if (field === undefined) words.push(word);
    else filter[field] = value;
  }
  return words.length === 0 ? filter : { ...filter, q: words.join(' ') };
}

function columnsAt(now: number): readonly TableColumn<AuditRecord>[] {
  return [
    ageColumn(({ created_at }) => created_at, now, { heading: 'age', width: 4 }),
    { heading: 'actor', value: whoDidIt, width: 20 },
    { heading: 'door', value: ({ door }) => door, width: 4, dropAs: 2, paint: () => theme.quiet },
    {
      heading: 'event',
      value: ({ event }) => event,
      width: 21,
      paint: ({ event }) => (event.endsWith('.deleted') ? theme.bad : theme.accent),
    },
    { heading: 'on', value: ({ subject_id }) => subject_id ?? '', width: 12, dropAs: 1 },
    { heading: 'change', value: changeOf, width: 'rest' },
  ];
}

/** `status: Open → Resolved`, in a line. */
function changeOf({ before, after }: AuditRecord): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .filter((name) => before?.[name] === undefined || plain(before[name]) !== plain(after?.[name]))
    .map((name) => {
      const [was, is] = [before?.[name], after?.[name]].map((value) =>
        value === undefined ? '' : plain(value),
      );
      if (was === '') return `${name}: ${is}`;
      return is === '' ? `${name}: ${was} → gone` : `${name}: ${was} → ${is}`;
    })
    .join(', ');
}

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function describe(record: AuditRecord, width: number): string[] {
  const { id, created_at, actor_kind, actor_name, actor_id, door, address, operation, event, subject_id } =
    record;
  const who = `${actor_kind} ${actor_name}${actor_id === null ? '' : ` (${actor_id})`}`;
  const from = address === '' ? door : `${door}, ${address}`;
  const facts = [
    ['When', `${moment(created_at)} UTC`],
    ['Who', who],
    ['From', from],
    ['What', `${operation} → ${event}${subject_id === null ? '' : ` of ${subject_id}`}`],
  ] as const;
  return [
    titleRule(`Record ${id}`, width),
    ...facts.map(([name, text]) => `  ${theme.quiet(name.padEnd(6))} ${printable(text)}`),
    ...wrap(changeOf(record), width - 11).map(
      (line, at) => `  ${theme.quiet(at === 0 ? 'Change' : '      ')} ${line}`,
    ),
  ];
}
