import { Command } from 'commander';
import { type EventType, eventTypes } from '../../../src/contract/event-types.ts';
import { creationSorts } from '../../../src/contract/fields/sorts.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../../src/contract/schemas/webhook-deliveries.ts';
import { runs } from '../../access/operations.ts';
import type { Rows } from '../../access/pages.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { someWords } from '../../input/words.ts';
import { paintStatus } from '../../output/colours.ts';
import { type ListOptions, pagedList, showList, withListOptions } from '../../output/list.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';

const columns: readonly Column<Rows['webhooks.deliveries']>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  {
    heading: 'webhook',
    field: 'webhook_id',
    value: ({ webhook_id }) => String(webhook_id),
    align: 'right',
    dropAs: 1,
  },
  { heading: 'message', field: 'message_id', value: ({ message_id }) => message_id, dropAs: 3 },
  { heading: 'type', value: ({ type }) => type },
  {
    heading: 'status',
    value: ({ status }) => status,
    paint: (text, { status }) => paintStatus(text, status),
  },
  { heading: 'attempts', value: ({ attempts }) => String(attempts), align: 'right', dropAs: 5 },
  {
    heading: 'response',
    value: ({ error, response_status }) => error ?? String(response_status ?? ''),
    cut: true,
  },
  timeColumn('created', 'created_at', { dropAs: 2 }),
  timeColumn('next', 'next_attempt_at', { dropAs: 4 }),
];

const list = pagedList('webhooks.deliveries', 'deliveries');

interface DeliveryOptions extends ListOptions {
  readonly status?: DeliveryStatus;
  readonly type?: EventType;
}

/** `backoffice webhooks deliveries`: the delivery log. */
export function listDeliveriesCommand(): Command {
  const command = new Command('deliveries')
    .description('list deliveries and their results, newest first')
    .argument('[webhook]', 'only to the webhook with this number', wholeNumber(1))
    .addOption(someWords('--status <status>', 'only with this status, or several: a,b', deliveryStatuses))
    .addOption(someWords('--type <type>', 'only of this event type, or several: a,b', eventTypes))
    .addHelpText(
      'after',
      `
Examples:
  backoffice webhooks deliveries 1 --status failed --type issue.created --since 2d
  backoffice webhooks deliveries --search evt_42 --json id,status,error`,
    );
  withListOptions(command, {
    sorts: creationSorts,
    search: 'only if the message or error contains these words',
  });
  withTable(command, list, {
    page: 'webhooks',
    takes: ['status', ['type', 'event'], ['search', 'q']],
    search: ([webhook]): Record<string, string> =>
      webhook === undefined ? {} : { webhook: String(webhook) },
    // The page filters by one type.
    resolve: async (_command, option, value) =>
      option === 'type' && value.includes(',') ? undefined : value,
  });
  return runs(command, 'webhooks.deliveries').action(
    async (webhook: number | undefined, options: DeliveryOptions) => {
      const wanted = { ...options, ...(webhook === undefined ? {} : { webhook_id: String(webhook) }) };
      await withAccess(command, (access) => showList(access, list, wanted, columns));
    },
  );
}
