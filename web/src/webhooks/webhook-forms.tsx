import { Checkbox, Input, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type EventType, eventTypes } from '../../../src/contract/event-types.ts';
import { webhooks as noun } from '../../../src/contract/fields/webhooks.ts';
import { client } from '../app/data/client.ts';
import { fieldsOf, type InputProps } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { SecretOnce, type SecretOnceProps } from '../form/secret.tsx';
import { RowDialog } from '../kit/edit-dialog.tsx';
import { useGo } from '../kit/go.ts';
import { formOfRow } from '../kit/use-change.ts';
import { Choice } from '../parts/choice.tsx';
import { eventGroups } from '../parts/event-types.ts';
import sheet from '../parts/sheet.module.css';
import { tell } from '../parts/tell.tsx';
import { counted } from '../parts/words.ts';
import { deliveries, nameOfWebhook, type Webhook, webhooks } from './webhook-resource.tsx';
import styles from './webhooks.module.css';

/** The dialog that the page's address names: `new`, or `edit` or `failed` with the id of a webhook. */
export function WebhookDialog({ name }: { readonly name: string }) {
  const go = useGo();
  const close = () => go({ dialog: undefined }, true);
  const [, kind, id] = /^(edit|failed)-(\d+)$/.exec(name) ?? [];
  if (name === 'new') return <CreateWebhook onClose={close} />;
  if (id === undefined) return null;
  const Shown = kind === 'failed' ? SendFailed : EditWebhook;
  return (
    <RowDialog of={webhooks} id={Number(id)} onClose={close}>
      {(webhook) => <Shown webhook={webhook} onClose={close} />}
    </RowDialog>
  );
}

/** The value of chosen events while none is chosen: an empty list means all. */
const none = [''];

const fields = fieldsOf(noun, {
  url: { label: 'Address', about: 'Gets a signed POST request for each event. Redirects are not followed.' },
  description: { kind: 'line', about: 'What your team calls it.' },
  events: {
    kind: 'own',
    input: EventPicker,
    check: (types) =>
      String(types) === String(none) && (types as readonly string[]).length > 0
        ? 'Choose at least one event, or all events.'
        : undefined,
  },
  include_content: {
    label: 'Send the texts too',
    about: 'What visitors and your team write in messages, and the title and description of new issues.',
  },
});

const empty = { url: '', description: '', events: [] as EventType[], include_content: false };

interface OneWebhookProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

function EditWebhook({ webhook, onClose }: OneWebhookProps) {
  return (
    <FormDialog
      title="Edit the webhook"
      {...formOfRow(webhooks, webhook, fields)}
      size="lg"
      at={['dialog']}
      onDone={() => {
        tell('Webhook saved.');
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

/** Creates a webhook, then shows its secret for the only time. */
function CreateWebhook({ onClose }: { readonly onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined)
    return <NewSecret title="The webhook was created" secret={secret} onClose={onClose} />;
  return (
    <FormDialog<typeof empty, string>
      title="Create a webhook"
      action="Create"
      size="lg"
      at={['dialog']}
      fields={fields}
      start={empty}
      keep="webhooks.new"
      send={async (set, _seen, key) =>
        (await client.call('webhooks.create', { ...empty, ...set }, undefined, key)).secret
      }
      onDone={(made) => {
        setSecret(made);
        void webhooks.reload();
      }}
      onCancel={onClose}
    />
  );
}

/** Shows the secret of a webhook for the only time. */
export function NewSecret(props: Pick<SecretOnceProps, 'title' | 'secret' | 'onClose'>) {
  return (
    <SecretOnce label="Secret" {...props}>
      <p className={sheet.text}>
        Use it to verify that messages come from this server. Each is signed according to{' '}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </a>
        , in the header <code>webhook-signature</code>.
      </p>
    </SecretOnce>
  );
}

/** Chooses all event types, or some of them: those about the same thing together, or one by one. */
function EventPicker({ field: { label }, value, error, onChange }: InputProps) {
  const [words, setWords] = useState('');
  const chosen = value as readonly string[];
  const boxes = eventGroups.flatMap(({ group, items }) => {
    const isFound = (type: string) => `${type} ${group}`.toLowerCase().includes(words.trim().toLowerCase());
    const types = items.filter(isFound);
    if (types.length < 2) return types.map((type) => ({ name: type, types, mt: 4 }));
    const each = types.map((type) => ({ name: type, types: [type], ml: 28 }));
    return [{ name: group, types, mt: 4 }, ...each];
  });
  function toggle(types: readonly string[], isOn: boolean): void {
    const after = eventTypes.filter((type) => (types.includes(type) ? isOn : chosen.includes(type)));
    onChange(after.length === 0 ? none : after);
  }
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <div className={sheet.list} style={{ marginTop: 4 }}>
        <Choice
          label="Which events"
          words={{ all: 'All, also future ones', some: 'Only some' }}
          chosen={chosen.length === 0 ? 'all' : 'some'}
          onChoose={(which) => onChange(which === 'all' ? [] : none)}
        />
        {chosen.length > 0 && (
          <>
            <TextInput
              type="search"
              aria-label="Search events"
              placeholder="Search events"
              value={words}
              onChange={({ currentTarget }) => setWords(currentTarget.value)}
            />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it */}
            <section className={styles.types} aria-label="Events to send" tabIndex={0}>
              {boxes.length === 0 && <p className={sheet.quiet}>No event matches.</p>}
              {boxes.map(({ name, types, ...place }) => {
                const count = types.filter((type) => chosen.includes(type)).length;
                return (
                  <Checkbox
                    key={name}
                    {...place}
                    label={name}
                    checked={count === types.length}
                    indeterminate={count > 0 && count < types.length}
                    onChange={({ currentTarget }) => toggle(types, currentTarget.checked)}
                  />
                );
              })}
            </section>
          </>
        )}
      </div>
    </Input.Wrapper>
  );
}

const periods = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];

/** Sends the failed messages of a period again. */
function SendFailed({ webhook, onClose }: OneWebhookProps) {
  return (
    <FormDialog<{ readonly hours: string }, number>
      title="Send failed messages again"
      action="Send again"
      text={`To ${nameOfWebhook(webhook)}. A message whose later delivery succeeded is not sent.`}
      fields={{ hours: { label: 'Failed in', kind: 'word', words: periods } }}
      start={{ hours: '24' }}
      isGuarded={false}
      send={async ({ hours = '24' }) => {
        const since = new Date(Date.now() - Number(hours) * 3_600_000).toISOString();
        const selection = { webhook_id: webhook.id, since, status: 'failed' } as const;
        return (await client.call('webhooks.replay', selection)).replayed;
      }}
      onDone={(replayed = 0) => {
        tell(
          replayed === 0
            ? 'Nothing to resend: every message from that period was delivered.'
            : `${counted(replayed, 'message is', 'messages are')} being sent again.`,
        );
        void deliveries.reload();
        onClose();
      }}
      onCancel={onClose}
    />
  );
}
