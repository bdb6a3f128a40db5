import type { LinkProps } from '@tanstack/react-router';
import type { Change } from '../parts/changes/changes.tsx';
import { nounOf } from '../parts/event-types.ts';
import type { AuditEntry } from './audit-queries.ts';

/** The interfaces in words. */
export const doorWords: Readonly<Record<AuditEntry['door'], string>> = {
  http: 'Web or API',
  cli: 'Command line',
  tui: 'Terminal dashboard',
  mcp: 'Agent (MCP)',
  job: 'The service itself',
};

/** Who acts, in words. */
export const actorKindWords: Readonly<Record<AuditEntry['actor_kind'], string>> = {
  admin: 'Admin',
  token: 'API token',
  operator: 'Operator at the command line',
  service: 'The service itself',
  nobody: 'Not signed in',
};

/** Returns the page of what an entry is about, if it has one of its own. */
export function subjectLink({ event, subject_id: id }: AuditEntry): LinkProps | undefined {
  if (id === null || event.endsWith('.deleted') || event.endsWith('.erased')) return undefined;
  const noun = nounOf(event);
  if (noun === 'issue') return { to: '/issues', search: { issue: Number(id) } };
  if (noun === 'conversation') return { to: '/conversations', search: { id } };
  if (noun === 'webhook') return { to: '/webhooks', search: { webhook: Number(id) } };
  return undefined;
}

/** Returns a change in one line: `status: Open → Resolved`. */
export function changeInWords({ before, after }: AuditEntry): string {
  return changedFields(before, after)
    .map(({ name, was, is }) => {
      if (was === undefined || after === null) return `${name}: ${shortly(is ?? was)}`;
      return `${name}: ${shortly(was)} → ${is === undefined ? 'none' : shortly(is)}`;
    })
    .join(', ');
}

type Fields = AuditEntry['before'];

/** Returns the fields that differ, and those of something that was created or deleted. */
export function changedFields(before: Fields, recorded: Fields): readonly Change[] {
  const after = withSetFields(recorded);
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .map((name) => ({ name, was: before?.[name], is: after?.[name] }))
    .filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is));
}

/** The entry of a bulk change has the new values together in `set`. */
function withSetFields(after: Fields): Fields {
  if (after === null || typeof after.set !== 'object') return after;
  const { set, ...others } = after;
  return { ...set, ...others };
}

/** Returns a value as a text: anything else as JSON. */
export const shortly = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
