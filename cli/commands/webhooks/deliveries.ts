import { Command, Option } from 'commander';
import {
  type DeliveryStatus,
  deliveryOutcomes,
  deliveryStatuses,
} from '../../../src/contract/operations/webhook-deliveries.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { time, wholeNumber } from '../../arguments.ts';
import { UsageError } from '../../errors.ts';
import { paintStatus } from '../../output/colours.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { type ListOptions, type Rows, showList, withListOptions } from '../../output/list.ts';
import { counted } from '../../output/number.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time.ts';
import { print } from '../../terminal.ts';

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
    heading: 'answer',
    value: ({ error, response_status }) => error ?? String(response_status ?? ''),
    cut: true,
  },
  { heading: 'made', value: ({ created_at }) => ago(created_at), dropAs: 2 },
  { heading: 'next', value: ({ next_attempt_at }) => ago(next_attempt_at), dropAs: 4 },
];

interface DeliveryOptions extends ListOptions {
  readonly status?: DeliveryStatus;
}

/** `backoffice webhooks deliveries`. */
export function listDeliveries(): Command {
  const command = new Command('deliveries')
    .description('list what was sent and what came of it, the newest first')
    .argument('[webhook]', 'only to the webhook of this number', wholeNumber(1))
    .addOption(new Option('--status <status>', 'only of this status').choices(deliveryStatuses))
    .addHelpText(
      'after',
      `
Examples:
  backoffice webhooks deliveries 1 --status failed --since 2d
  backoffice webhooks deliveries --search evt_42 --json id,status,error`,
    );
  return runs(
    withListOptions(command, { search: 'only those whose message or error contains this text' }),
    'webhooks.deliveries',
  ).action(async (webhook: number | undefined, options: DeliveryOptions) => {
    const wanted = { ...options, ...(webhook === undefined ? {} : { webhook_id: String(webhook) }) };
    await withAccess(command, (access) => showList(access, 'webhooks.deliveries', wanted, columns));
  });
}

interface ReplayOptions extends Format {
  readonly delivery?: number;
  readonly since?: string;
  readonly until?: string;
  readonly status?: (typeof deliveryOutcomes)[number];
}

/** `backoffice webhooks replay`. */
export function replay(): Command {
  const command = new Command('replay')
    .description('send again what was sent, or would have been, under the same message ids')
    .argument('[webhook]', 'the number of the webhook, with --since', wholeNumber(1))
    .option('--delivery <number>', 'the delivery of this number, without a webhook', wholeNumber(1))
    .option(
      '--since <time>',
      'what was made from this time on: 2026-01-31, or 2d for the last two days',
      time,
    )
    .option('--until <time>', 'what was made before this time', time)
    .addOption(
      new Option('--status <status>', 'only messages whose last delivery has this status').choices(
        deliveryOutcomes,
      ),
    )
    .addHelpText(
      'after',
      `
Examples:
  backoffice webhooks replay 1 --since 2d --status failed
  backoffice webhooks replay --delivery 7`,
    );
  return runs(withFormats(command), 'webhooks.replay').action(
    async (webhook_id: number | undefined, options: ReplayOptions) => {
      const { json: _json, delivery: delivery_id, ...range } = options;
      const isOne = delivery_id !== undefined && webhook_id === undefined && Object.keys(range).length === 0;
      const isRange = delivery_id === undefined && webhook_id !== undefined && range.since !== undefined;
      if (!isOne && !isRange) throw new UsageError('Give a webhook and --since, or --delivery alone.');
      const done = await withAccess(command, (access) =>
        access.call('webhooks.replay', isOne ? { delivery_id } : { webhook_id, ...range }),
      );
      await emitChange(done, options, () =>
        print(counted(done.replayed, 'message is on its way.', 'messages are on their way.')),
      );
    },
  );
}
