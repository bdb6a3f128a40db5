import type { Entry } from '../app/palette/entry.ts';
import type { ListedIssue } from './issue-queries.ts';

/** Returns the line of the palette that opens an issue. */
export function issueEntry({
  id,
  title,
  status,
  severity,
}: Pick<ListedIssue, 'id' | 'title' | 'status' | 'severity'>): Entry {
  return {
    key: `issue ${id}`,
    label: title,
    description: `Issue ${id} · ${status} · ${severity}`,
    icon: 'issues',
    isThing: true,
    link: { to: '/issues', search: { issue: id } },
  };
}
