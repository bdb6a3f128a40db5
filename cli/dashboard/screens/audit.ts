import { auditRecords } from '../../../src/contract/fields/audit.ts';
import { pages } from '../../../src/contract/pages.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { wrap } from '../../terminal/cells.ts';
import { actorLabel, describeChange, describeFields, originLabel } from '../../terminal/change.ts';
import { listColumns } from '../../terminal/columns.ts';
import { printable } from '../../terminal/text.ts';
import { dateTime } from '../../terminal/time.ts';
import type { App } from '../app/app.ts';
import type { Screen } from '../app/types.ts';
import { style } from '../draw/style.ts';
import { listScreen } from '../list/list-screen.ts';
import { cursorRows } from '../list/sources.ts';
import { asking } from '../parts/asking.ts';
import { copying } from '../parts/copying.ts';
import { detail } from '../parts/detail.ts';
import { type Link, linking } from '../parts/linking.ts';

type AuditRecord = OutputOf<'audit.list'>['audit'][number];

const noun = { ...auditRecords, filterExample: 'actor:grace@example.com event:issue.updated subject:7' };

const toneOf = ({ event }: AuditRecord) => (event.endsWith('.deleted') ? 'bad' : 'accent');
const columns = [
  ...listColumns<AuditRecord>(
    noun,
    { created_at: 0, actor_name: 0, door: 2, event: 0, subject_id: 1 },
    {
      actor_name: { value: actorLabel, width: 20 },
      door: { width: 4 },
      event: { width: 21, tone: toneOf },
      subject_id: { width: 12 },
    },
  ),
  {
    heading: 'change',
    cut: true,
    value: ({ before, after }: AuditRecord) => describeChange(before, after),
  },
];

/** Who changed what, when and from where. */
export function auditScreen(app: App): Screen {
  const rows = cursorRows<'audit.list', AuditRecord>(app, 'audit.list', {}, undefined, '-created_at', true);
  const asked = asking(app, rows, {
    noun,
    columns,
    hidden: ['id', 'actor_kind', 'address', 'operation'],
    views: { list: 'audit', builtIn: { All: '' } },
  });
  const screen = listScreen<AuditRecord>(
    {
      id: 'audit',
      title: 'Audit',
      calls: 'audit.list',
      columns: asked.columns,
      empty: () => (rows.asked().text === '' ? 'No changes recorded yet.' : 'No record matches.'),
    },
    rows,
    [
      detail(app, rows, { titleOf: ({ id }) => `Record ${id}`, lines: recordLines }),
      asked,
      // Every event has a record.
      { onEvents: () => app.refresh() },
      linking(app, rows, async (record) => linksOf(record)),
      copying(app, rows, {
        path: ({ id }) => `${pages.audit.path}?entry=${id}`,
        whole: (record) => JSON.stringify(record, null, 2),
      }),
    ],
  );
  asked.openView();
  return screen;
}

function recordLines(record: AuditRecord, cells: number): readonly string[] {
  const { created_at, actor_kind, actor_name, actor_id, operation, event, subject_id, before, after } =
    record;
  const facts = {
    When: `${dateTime(created_at)} UTC`,
    Who: `${actor_kind} ${actor_name}${actor_id === null ? '' : ` (${actor_id})`}`,
    From: originLabel(record),
    What: `${operation} → ${event}${subject_id === null ? '' : ` of ${subject_id}`}`,
  };
  return [
    ...Object.entries(facts).flatMap(([name, text]) =>
      wrap(text, cells - 11).map((line, at) => `  ${style.quiet((at === 0 ? name : '').padEnd(6))} ${line}`),
    ),
    '',
    ...describeFields(before, after).flatMap((field) => wrap(field, cells - 4).map((line) => `  ${line}`)),
  ];
}

/** What a record is about that has a screen: its subject, and the rows that its fields name. */
function linksOf({ event, subject_id, before, after }: AuditRecord): readonly Link[] {
  const [noun = ''] = event.split('.');
  const { issue_id, conversation_id } = { ...before, ...after };
  const ids = {
    issues: noun === 'issue' ? subject_id : issue_id,
    conversations: noun === 'conversation' ? subject_id : conversation_id,
    settings: noun === 'setting' ? subject_id : undefined,
  };
  return Object.entries(ids).flatMap(([screen, key]) =>
    typeof key === 'string' || typeof key === 'number'
      ? [{ title: `${screen[0]?.toUpperCase()}${screen.slice(1)}: ${printable(String(key))}`, screen, key }]
      : [],
  );
}
