import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { useMay } from '../app/session/permissions.ts';
import { confirm } from '../form/confirm.tsx';

const examplesQuery = queryOptions({
  queryKey: ['example-data'],
  queryFn: async ({ signal }) =>
    (await client.call('session.show', { include: 'examples' }, signal)).has_examples,
});

/** The button that removes the example data, while there is some, for who may. */
export function RemoveExamples() {
  const isAllowed = useMay()('exampleData.delete');
  const { data: hasExamples = false } = useQuery({ ...examplesQuery, enabled: isAllowed });
  if (!isAllowed || !hasExamples) return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => void removeExamples()}>
      Remove examples
    </Button>
  );
}

async function removeExamples(): Promise<void> {
  const isRemoved = await confirm({
    title: 'Remove the example data?',
    text:
      'The example issues and conversations are deleted with everything that was since written in them, and so are the ' +
      'example usage and scraping runs. Settings and saved replies that somebody has changed stay, and so does all other ' +
      'data. You cannot undo this.',
    action: 'Remove',
    run: () => client.call('exampleData.delete'),
  });
  if (isRemoved) await queryClient.invalidateQueries();
}
