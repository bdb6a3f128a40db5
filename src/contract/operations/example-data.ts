import { z } from 'zod';
import { defineOperation, superadmins } from '../operation.ts';
import { count, success } from '../schemas/fields.ts';

export const exampleDataOperations = [
  /** Beyond the contract. */
  defineOperation('DELETE', '/api/admin/example-data', superadmins, {
    id: 'exampleData.delete',
    summary: 'Remove the example data',
    description:
      'Deletes what `backoffice seed` has made, and nothing else: issues and conversations with everything that belongs to them, ' +
      'also replies and comments that somebody has added; token usage and scraping runs; labels that no row has any more; ' +
      'settings and saved replies that nobody has changed. There is one event for each batch of rows. It cannot be undone. A ' +
      'request that takes too long has deleted a part: send it again.',
    changes: ['example_data.deleted', 'token_alert.raised', 'token_alert.resolved'],
    load: 'bulk',
    input: z.object({}),
    output: success.extend({
      deleted: count.describe('How many rows were deleted, without what belongs to them.'),
    }),
    failure: 'Failed to remove the example data.',
    example: { output: { success: true, deleted: 4_687 } },
  }),
] as const;
