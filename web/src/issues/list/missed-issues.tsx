import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { missedQuery } from '../issue-queries.ts';
import { reloadIssues } from '../issue-updates.ts';

/** Says what the list lacks since it was loaded. It is loaded again on demand, so that nothing jumps. */
export function MissedIssues() {
  const {
    data: { added, changes },
  } = useQuery(missedQuery);
  if (added === 0 && changes.length === 0) return null;
  return (
    <Button size="compact-sm" variant="light" onClick={reloadIssues}>
      {added > 0 ? `${added} new` : 'Many changed: reload'}
    </Button>
  );
}
