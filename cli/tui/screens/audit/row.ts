import type { OutputOf } from '../../../../src/contract/registry.ts';
import { actorLabel } from '../../../terminal/change.ts';
import { ageColumn } from '../../components/age-column.ts';
import type { TableColumn } from '../../components/table.tsx';
import { theme } from '../../theme.ts';

export type AuditRow = OutputOf<'audit.list'>['audit'][number];

export function auditTableColumns(now: number): readonly TableColumn<AuditRow>[] {
  return [
    ageColumn(({ created_at }) => created_at, now, { heading: 'age', width: 4 }),
    { heading: 'actor', value: actorLabel, width: 20 },
    { heading: 'door', value: ({ door }) => door, width: 4, dropAs: 2, paint: () => theme.quiet },
    {
      heading: 'event',
      value: ({ event }) => event,
      width: 21,
      paint: ({ event }) => (event.endsWith('.deleted') ? theme.bad : theme.accent),
    },
    { heading: 'on', value: ({ subject_id }) => subject_id ?? '', width: 12, dropAs: 1 },
    { heading: 'change', value: changeLine, width: 'rest' },
  ];
}

/** Returns a record's change in one line: `status: Open → Resolved`. */
export function changeLine({ before, after }: AuditRow): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .filter((name) => before?.[name] === undefined || plain(before[name]) !== plain(after?.[name]))
    .map((name) => {
      const [was, is] = [before?.[name], after?.[name]].map((value) =>
        value === undefined ? '' : plain(value),
      );
      if (was === '') return `${name}: ${is}`;
      return is === '' ? `${name}: ${was} → none` : `${name}: ${was} → ${is}`;
    })
    .join(', ');
}

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
