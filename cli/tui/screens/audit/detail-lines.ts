import { wrap } from '../../../terminal/cells.ts';
import { printable } from '../../../terminal/text.ts';
import { titleRule } from '../../components/title-rule.ts';
import { dateTime } from '../../text/age.ts';
import { theme } from '../../theme.ts';
import { type AuditRow, changeLine } from './row.ts';

/** Returns everything about one audit record. */
export function auditDetailLines(record: AuditRow, width: number): string[] {
  const { id, created_at, actor_kind, actor_name, actor_id, door, address, operation, event, subject_id } =
    record;
  const who = `${actor_kind} ${actor_name}${actor_id === null ? '' : ` (${actor_id})`}`;
  const from = address === '' ? door : `${door}, ${address}`;
  const facts = [
    ['When', `${dateTime(created_at)} UTC`],
    ['Who', who],
    ['From', from],
    ['What', `${operation} → ${event}${subject_id === null ? '' : ` of ${subject_id}`}`],
  ] as const;
  return [
    titleRule(`Record ${id}`, width),
    ...facts.map(([name, text]) => `  ${theme.quiet(name.padEnd(6))} ${printable(text)}`),
    ...wrap(changeLine(record), width - 11).map(
      (line, index) => `  ${theme.quiet(index === 0 ? 'Change' : '      ')} ${line}`,
    ),
  ];
}
