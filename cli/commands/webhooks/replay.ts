import { Command } from 'commander';
import { deliveryOutcomes } from '../../../src/contract/schemas/webhook-deliveries.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { time, wholeNumber } from '../../input/arguments.ts';
import { oneWord } from '../../input/words.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { splitFormat } from '../../output/formats.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

interface ReplayOptions extends Format {
  readonly delivery?: number;
  readonly since?: string;
  readonly until?: string;
  readonly status?: (typeof deliveryOutcomes)[number];
}

/** `backoffice webhooks replay`. */
export function replayWebhookCommand(): Command {
  const command = new Command('replay')
    .description('send messages again, with the same message IDs; also those that were never sent')
    .argument('[webhook]', 'the number of the webhook; requires --since', wholeNumber(1))
    .option('--delivery <number>', 'only the delivery with this number, without a webhook', wholeNumber(1))
    .option('--since <time>', 'messages created at or after this time: 2026-01-31, yesterday, or 2d', time)
    .option('--until <time>', 'messages created before this time', time)
    .addOption(
      oneWord('--status <status>', 'only messages whose last delivery has this status', deliveryOutcomes),
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
      const { format, others } = splitFormat(options);
      const { delivery: delivery_id, ...range } = others;
      const isOne = delivery_id !== undefined && webhook_id === undefined && Object.keys(range).length === 0;
      const isRange = delivery_id === undefined && webhook_id !== undefined && range.since !== undefined;
      if (!isOne && !isRange) throw new UsageError('Use a webhook with --since, or only --delivery.');
      const done = await withAccess(command, (access) =>
        access.call('webhooks.replay', isOne ? { delivery_id } : { webhook_id, ...range }),
      );
      await emitChange(done, format, () =>
        print(`Queued ${counted(done.replayed, 'message')} for delivery.`),
      );
    },
  );
}
