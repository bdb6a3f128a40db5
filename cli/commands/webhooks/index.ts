import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { EventType } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../arguments.ts';
import { FailedError, NotFoundError, UsageError } from '../../errors.ts';
import { paint } from '../../output/colours.ts';
import { emit, emitChange, emitTable, type Format, withFormats } from '../../output/emit.ts';
import type { Column } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { ago } from '../../output/time.ts';
import { confirm } from '../../prompts.ts';
import { print, remark } from '../../terminal.ts';
import { listDeliveries, replay } from './deliveries.ts';

type Webhook = OutputOf<'webhooks.list'>['webhooks'][number];

const columns: readonly Column<Webhook>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'url', value: ({ url }) => url, cut: true },
  {
    heading: 'state',
    value: stateOf,
    paint: (text, webhook) => paint(colours[stateOf(webhook)])(text),
  },
  { heading: 'events', value: ({ events }) => (events.length === 0 ? 'all' : events.join(' ')), cut: true },
  { heading: 'description', value: ({ description }) => description, cut: true, dropAs: 2 },
  { heading: 'created', value: ({ created_at }) => ago(created_at), dropAs: 1 },
];

const colours = { active: 'green', failing: 'red', inactive: 'gray' } as const;

function stateOf({ is_active, failing_since }: Webhook): keyof typeof colours {
  if (is_active === 0) return 'inactive';
  return failing_since === null ? 'active' : 'failing';
}

/** `backoffice webhooks`: who else is told what happens. */
export function webhooksCommand(): Command {
  const command = new Command('webhooks').description('tell other services what happens');
  for (const verb of [list(), create(), update(), test(), listDeliveries(), replay(), remove()]) {
    command.addCommand(verb);
  }
  return command;
}

function list(): Command {
  const command = new Command('list').description('list the webhooks, without their secrets');
  return runs(withFormats(command), 'webhooks.list').action(async (format: Format) => {
    const document = await withAccess(command, (access) => access.call('webhooks.list'));
    await emit(document, format, 'webhooks', async () => {
      if (document.webhooks.length === 0) remark('There are no webhooks.');
      else await emitTable(columns, document.webhooks);
    });
  });
}

interface FieldOptions extends Format {
  readonly events?: EventType[];
  readonly description?: string;
}

function create(): Command {
  const command = new Command('create')
    .description('create a webhook and show its secret, once')
    .argument('<url>', 'where the messages go')
    .option('--events <types>', 'only events of these types: issue.created,issue.updated', eventList)
    .option('--description <text>', 'what it is for')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice webhooks create https://example.com/hooks --events issue.created,message.created',
    );
  return runs(withFormats(command), 'webhooks.create').action(
    async (url: string, { json: _json, ...fields }: FieldOptions) => {
      const created = await withAccess(command, (access) =>
        access.call('webhooks.create', { url, ...fields }),
      );
      await emitChange(created, command.opts(), () => {
        remark(`Created webhook ${created.webhook.id}. Its secret, shown only now:`);
        print(created.secret);
      });
    },
  );
}

interface UpdateOptions extends FieldOptions {
  readonly url?: string;
  readonly activate?: true;
  readonly deactivate?: true;
  readonly rotateSecret?: true;
}

function update(): Command {
  const command = new Command('update')
    .description('change a webhook, switch it on or off, or give it a new secret')
    .argument('<webhook>', 'the number of the webhook', wholeNumber(1))
    .option('--url <url>', 'where the messages go from now on')
    .option('--events <types>', 'only events of these types, or all', eventList)
    .option('--description <text>', 'what it is for')
    .option('--activate', 'switch it on')
    .option('--deactivate', 'switch it off, and give up what is still to be sent')
    .option('--rotate-secret', 'a new secret, shown once; the one before signs too for another day')
    .addHelpText('after', '\nExample:\n  backoffice webhooks update 1 --events all --activate');
  return runs(withFormats(command), 'webhooks.update').action(async (id: number, options: UpdateOptions) => {
    const { json: _json, activate, deactivate, rotateSecret, ...fields } = options;
    if (activate && deactivate) throw new UsageError('Give --activate or --deactivate, not both.');
    const changes = {
      ...fields,
      ...(activate ? { is_active: 1 as const } : {}),
      ...(deactivate ? { is_active: 0 as const } : {}),
      ...(rotateSecret ? { rotate_secret: true } : {}),
    };
    const changed = await withAccess(command, async (access) => {
      await findWebhook(access, id);
      return await access.call('webhooks.update', { id, ...changes });
    });
    await emitChange(changed, options, () => {
      if (changed.secret === undefined) return print(`Changed webhook ${id}.`);
      remark(`Changed webhook ${id}. Its new secret, shown only now:`);
      print(changed.secret);
    });
  });
}

function test(): Command {
  const command = new Command('test')
    .description('send a webhook a message of the type webhook.tested; exit code 1 where it is not taken')
    .argument('<webhook>', 'the number of the webhook', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  backoffice webhooks test 1');
  return runs(withFormats(command), 'webhooks.test').action(async (id: number, format: Format) => {
    const tested = await withAccess(command, (access) => access.call('webhooks.test', { id }));
    const { delivery } = tested;
    if (delivery === null) throw noWebhook(id);
    await emitChange(tested, format, () => {
      if (delivery.error !== null) return;
      print(
        `It took the message ${delivery.message_id}: ${delivery.response_status} in ${delivery.duration_ms} ms.`,
      );
    });
    if (delivery.error !== null) throw new FailedError(delivery.error);
  });
}

function remove(): Command {
  const command = new Command('delete')
    .description('delete a webhook; the log of its deliveries stays for its time')
    .argument('<webhook>', 'the number of the webhook', wholeNumber(1))
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice webhooks delete 1');
  return runs(withFormats(command), 'webhooks.delete').action(
    async (id: number, { yes, ...format }: Format & { yes?: boolean }) => {
      const done = await withAccess(command, async (access) => {
        const { url } = await findWebhook(access, id);
        await confirm(`Delete webhook ${id}, which leads to ${printable(url)}?`, yes);
        return await access.call('webhooks.delete', { id });
      });
      await emitChange(done, format, () => print(`Deleted webhook ${id}.`));
    },
  );
}

/** The webhook of that number. The API does not say when there is none; people want to know. */
async function findWebhook(access: Access, id: number): Promise<Webhook> {
  const { webhooks } = await access.call('webhooks.list');
  const found = webhooks.find((webhook) => webhook.id === id);
  if (found === undefined) throw noWebhook(id);
  return found;
}

const noWebhook = (id: number) =>
  new NotFoundError(`There is no webhook ${id}: see backoffice webhooks list.`);

/** The service knows the types, and says what is wrong. */
const eventList = (text: string) => (text === 'all' ? [] : text.split(',')) as EventType[];
