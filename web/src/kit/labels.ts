import { client } from '../app/data/client.ts';
import type { Suggestions } from '../form/field.tsx';

/** The labels in use, of issues and conversations. */
export const labelWords: Suggestions = {
  queryKey: ['labels', 'words'],
  queryFn: async ({ signal }) =>
    (await client.call('labels.list', {}, signal)).labels.map(({ name }) => name),
};
