import { Command } from 'commander';
import { type DeliveryStatus, deliveryStatuses } from '../../../src/contract/schemas/webhook-deliveries.ts';
import { creationSorts } from '../../../src/contract/sorts.ts';
import { type EventType, eventTypes } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { someWords } from '../../input/words.ts';
import { paintStatus } from '../../output/colours.ts';
import { type ListOptions, type Rows, showList, withListOptions } from '../../output/list.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';

const columns: readonly Column<Rows['webhooks.deliveries']>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'webhook', value: ({ webhook_id }) => String(webhook_id), align: 'right', dropAs: 1 },
  { heading: 'message', value: ({ message_id }) => message_id, dropAs: 3 },
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
  { heading: 'created', value: ({ created_at }) => ago(created_at), dropAs: 2 },
  { heading: 'next', value: ({ next_attempt_at }) => ago(next_attempt_at), dropAs: 4 },
];

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
  return runs(
    withListOptions(command, {
      sorts: creationSorts,
      search: 'only if the message or error contains these words',
    }),
    'webhooks.deliveries',
  ).action(async (webhook: number | undefined, options: DeliveryOptions) => {
    const wanted = { ...options, ...(webhook === undefined ? {} : { webhook_id: String(webhook) }) };
    await withAccess(command, (access) => showList(access, 'webhooks.deliveries', wanted, columns));
  });
}
