import type { Rows } from '../access/pages.ts';
import { cut } from './cells.ts';
import { actorLabel, describeChange, originLabel } from './change.ts';
import { paint } from './colours.ts';
import { printable } from './text.ts';

/**
 * Formats an audit record as one line: when, who, from where, what, on which subject, and what changed.
 *
 * @param width - in terminal cells; Infinity for a file or a pipe, where nothing is cut
 */
export function auditLine(record: Rows['audit.list'], width: number): string {
  const { created_at, event, subject_id, before, after } = record;
  const what = `${event} ${subject_id ?? ''}`.trimEnd();
  const text = `${created_at}  ${actorLabel(record)} (${originLabel(record)})  ${what}  ${describeChange(before, after)}`;
  const shown = cut(printable(text.trimEnd()), width);
  return paint('dim')(shown.slice(0, created_at.length)) + shown.slice(created_at.length);
}
