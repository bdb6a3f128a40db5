import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import type { EventType } from '../../../src/contract/event-types.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { tell } from '../parts/tell.ts';
import { EventPicker } from './event-picker.tsx';
import { NewSecret } from './new-secret.tsx';
import { reloadWebhooks, type Webhook, webhooksQuery } from './webhook-queries.ts';

interface WebhookFormProps {
  /** The webhook to edit; undefined to create one. */
  readonly webhook: Webhook | undefined;
  readonly onClose: () => void;
}

interface WebhookValues {
  readonly url: string;
  readonly description: string;
  /** The chosen event types; null for all. */
  readonly events: readonly string[] | null;
  readonly hasContent: boolean;
}

/** Creates or edits a webhook. A new one shows its secret for the only time. */
export function WebhookForm({ webhook, onClose }: WebhookFormProps) {
  // What a colleague changes meanwhile does not change the form.
  const [before] = useState(webhook);
  // What the person has been told: a change of a colleague meanwhile is not overwritten.
  const [seen, setSeen] = useState(webhook);
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined)
    return <NewSecret title="The webhook was created" secret={secret} onClose={onClose} />;
  return (
    <FormDialog<WebhookValues, string | undefined>
      title={before === undefined ? 'Create a webhook' : 'Edit the webhook'}
      action={before === undefined ? 'Create' : 'Save'}
      size="lg"
      initialValues={{
        url: before?.url ?? '',
        description: before?.description ?? '',
        events: before === undefined || before.events.length === 0 ? null : before.events,
        hasContent: before?.include_content ?? false,
      }}
      validate={{
        events: (events) => (events?.length === 0 ? 'Choose at least one event, or all events.' : null),
      }}
      send={(values) => (before && seen ? update(before, seen, values) : create(values))}
      below={(error) =>
        error instanceof ResponseError &&
        error.code === 'changed' &&
        seen !== before &&
        ' Save again to replace it.'
      }
      onDone={(created) => {
        void reloadWebhooks();
        if (created !== undefined) return setSecret(created);
        tell('The webhook was saved.');
        onClose();
      }}
      onError={async () => {
        await reloadWebhooks();
        // The next try is for what the message has just told.
        const now = await queryClient.fetchQuery(webhooksQuery());
        setSeen(now.find(({ id }) => id === before?.id) ?? seen);
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label="Address"
            description="Gets a signed POST request for each event. Redirects are not followed."
            type="url"
            placeholder="https://example.com/hooks"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('url')}
            key={form.key('url')}
          />
          <TextInput
            label="Description"
            description="What your team calls it."
            autoComplete="off"
            {...form.getInputProps('description')}
            key={form.key('description')}
          />
          <EventPicker {...form.getInputProps('events')} key={form.key('events')} />
          <Checkbox
            label="Send the texts too"
            description="What visitors and your team write in messages, and the title and description of new issues."
            {...form.getInputProps('hasContent', { type: 'checkbox' })}
            key={form.key('hasContent')}
          />
        </>
      )}
    </FormDialog>
  );
}

async function create({ url, description, events, hasContent }: WebhookValues): Promise<string> {
  const input = { url, description, events: (events ?? []) as EventType[], include_content: hasContent };
  return (await client.call('webhooks.create', input)).secret;
}

/**
 * Sends only what was changed, with what the person has seen of it, so that it takes nothing of a colleague back.
 *
 * @param before - what the form started from
 */
async function update(
  before: Webhook,
  seen: Webhook,
  { url, description, events, hasContent }: WebhookValues,
): Promise<undefined> {
  const types = events ?? [];
  const changes = {
    ...(url === before.url ? {} : { url }),
    ...(description === before.description ? {} : { description }),
    ...(types.toSorted().join() === before.events.toSorted().join() ? {} : { events: types as EventType[] }),
    ...(hasContent === (before.include_content ?? false) ? {} : { include_content: hasContent }),
  };
  const names = Object.keys(changes) as (keyof typeof changes)[];
  // Answers leave out what is off.
  const shown = { ...seen, include_content: seen.include_content ?? false };
  const expected = Object.fromEntries(names.map((name) => [name, shown[name]]));
  if (names.length > 0) await client.call('webhooks.update', { id: before.id, ...changes, expected });
}
