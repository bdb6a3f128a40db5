import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { paint } from '../../output/colours.ts';
import { emitList } from '../../output/emit.ts';
import type { Format } from '../../output/formats.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import { listIn } from '../../output/rows/list-of.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';
import type { ListedWebhook } from './find.ts';

const columns: readonly Column<ListedWebhook>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'url', value: ({ url }) => url, cut: true },
  {
    heading: 'state',
    value: stateOf,
    paint: (text, webhook) => paint(colours[stateOf(webhook)])(text),
  },
  { heading: 'events', value: ({ events }) => (events.length === 0 ? 'all' : events.join(' ')), cut: true },
  { heading: 'description', value: ({ description }) => description, cut: true, dropAs: 2 },
  timeColumn('created', 'created_at', { dropAs: 1 }),
];

const colours = { active: 'green', failing: 'red', inactive: 'gray' } as const;

function stateOf({ is_active, failing_since }: ListedWebhook): keyof typeof colours {
  if (is_active === 0) return 'inactive';
  return failing_since === null ? 'active' : 'failing';
}

const list = listIn('webhooks.list', 'webhooks');

/** `backoffice webhooks list`. */
export function listWebhooksCommand(): Command {
  const command = new Command('list')
    .description('list webhooks, without their secrets')
    .option('--search <words>', 'only if the URL, the events or the description contains these words');
  withTable(command, list, { page: 'webhooks' });
  return runs(command, 'webhooks.list').action(
    async ({ search: q, ...format }: Format & { search?: string }) => {
      const document = await withAccess(command, (access) => access.call('webhooks.list', { q }));
      const none = q === undefined ? 'No webhooks.' : 'No webhooks match.';
      await emitList(document, format, list, columns, { none });
    },
  );
}
