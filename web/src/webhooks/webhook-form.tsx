import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { EventType } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/client.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { EventPicker } from './event-picker.tsx';
import { NewSecret } from './new-secret.tsx';
import { reloadWebhooks, type Webhook } from './webhook-queries.ts';

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
}

/** Creates or edits a webhook. A new one shows its secret for the only time. */
export function WebhookForm({ webhook, onClose }: WebhookFormProps) {
  // What a colleague changes meanwhile does not change the form.
  const [before] = useState(webhook);
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
      }}
      validate={{
        events: (events) => (events?.length === 0 ? 'Choose at least one event, or all events.' : null),
      }}
      send={(values) => (before === undefined ? create(values) : update(before, values))}
      onDone={(created) => {
        void reloadWebhooks();
        if (created !== undefined) return setSecret(created);
        notifications.show({ message: 'The webhook was saved.' });
        onClose();
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
        </>
      )}
    </FormDialog>
  );
}

async function create({ url, description, events }: WebhookValues): Promise<string> {
  const input = { url, description, events: (events ?? []) as EventType[] };
  return (await client.call('webhooks.create', input)).secret;
}

/** Sends only what was changed, so that it takes nothing of a colleague back. */
async function update(before: Webhook, { url, description, events }: WebhookValues): Promise<undefined> {
  const types = events ?? [];
  const changes = {
    ...(url === before.url ? {} : { url }),
    ...(description === before.description ? {} : { description }),
    ...(types.toSorted().join() === before.events.toSorted().join() ? {} : { events: types as EventType[] }),
  };
  if (Object.keys(changes).length > 0) await client.call('webhooks.update', { id: before.id, ...changes });
}
