import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { Filters } from '../kit/filters.tsx';
import { type Address, useGo } from '../kit/go.ts';
import { useList } from '../kit/list.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { ToldError } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { nameOfWebhook, type Webhook, webhooks } from './webhook-resource.tsx';

const WebhookDetails = lazyPart(() => import('./webhook-details.tsx'), 'WebhookDetails');
const WebhookDialog = lazyPart(() => import('./webhook-forms.tsx'), 'WebhookDialog');
const NewSecret = lazyPart(() => import('./webhook-forms.tsx'), 'NewSecret');
const TestResult = lazyPart(() => import('./delivery.tsx'), 'TestResult');

const route = getRouteApi('/signed-in/webhooks');

/** Lists the webhooks, or shows one of them with its deliveries. */
export function WebhooksPage() {
  const { webhook, dialog } = route.useSearch();
  const go = useGo();
  /** The dialog of what an action has brought. */
  const [outcome, show] = useState<ReactNode>();
  const actions = actionsFor(show, go);
  return (
    <>
      {webhook === undefined ? (
        <WebhookList actions={actions} />
      ) : (
        <WebhookDetails key={webhook} id={webhook} actions={actions} />
      )}
      {dialog !== undefined && <WebhookDialog key={dialog} name={dialog} />}
      {outcome}
    </>
  );
}

function WebhookList({ actions }: { readonly actions: readonly Action<Webhook>[] }) {
  const { q } = route.useSearch();
  const list = useList(webhooks, { q });
  const go = useGo();
  return (
    <Page
      title="Webhooks"
      action={<Button onClick={() => go({ dialog: 'new' })}>Create a webhook</Button>}
      bar={<Filters list={list} />}
    >
      <Table
        list={list}
        href={({ id }) => ({ webhook: id, q: undefined })}
        actions={actions}
        nameOf={nameOfWebhook}
        empty={{
          title: 'There are no webhooks yet',
          text: 'A webhook tells another service what happens here, such as a new issue, by a signed request.',
        }}
      />
    </Page>
  );
}

/** Returns what can be done with a webhook. The first two are buttons of its page. */
function actionsFor(
  show: (outcome?: ReactNode) => void,
  go: (part: Address) => void,
): readonly Action<Webhook>[] {
  const close = () => show();
  const setActive = (to: 0 | 1, { id, is_active }: Webhook) =>
    client.call('webhooks.update', { id, is_active: to, expected: { is_active } });
  return [
    {
      label: 'Send a test message',
      async run(webhook) {
        show(<TestResult url={webhook.url} onClose={close} />);
        try {
          const { delivery } = await client.call('webhooks.test', { id: webhook.id });
          if (delivery === null) throw new ToldError('The webhook was deleted meanwhile.');
          show(<TestResult url={webhook.url} delivery={delivery} onClose={close} />);
        } catch (error) {
          close();
          throw error;
        }
      },
    },
    { label: 'Edit', run: ({ id }) => go({ dialog: `edit-${id}` }) },
    {
      label: 'Send failed messages again',
      unless: ({ is_active }) => (is_active === 1 ? undefined : 'Activate it first.'),
      run: ({ id }) => go({ dialog: `failed-${id}` }),
    },
    {
      label: 'New secret',
      ask: (webhook) => ({
        title: `Create a new secret for ${nameOfWebhook(webhook)}?`,
        text: 'Messages are signed with both secrets for a day. Give the receiver the new one within that time.',
        action: 'Create a new secret',
        isHarmless: true,
      }),
      async run({ id }) {
        const { secret } = await client.call('webhooks.update', { id, rotate_secret: true });
        if (secret !== undefined)
          show(<NewSecret title="The webhook has a new secret" secret={secret} onClose={close} />);
      },
    },
    {
      label: 'Activate',
      unless: ({ is_active }) => (is_active === 1 ? false : undefined),
      run: (webhook) => setActive(1, webhook),
      done: (webhook) => `${nameOfWebhook(webhook)} is active.`,
    },
    {
      label: 'Deactivate',
      unless: ({ is_active }) => (is_active === 1 ? undefined : false),
      ask: (webhook) => ({
        title: `Deactivate the webhook ${nameOfWebhook(webhook)}?`,
        text: 'It gets no messages until you activate it again. Messages that are waiting are cancelled.',
        action: 'Deactivate',
      }),
      run: (webhook) => setActive(0, webhook),
      done: (webhook) => `${nameOfWebhook(webhook)} is inactive.`,
    },
    {
      label: 'Delete',
      isDangerous: true,
      ask: (webhook) => ({
        title: `Delete the webhook ${nameOfWebhook(webhook)}?`,
        text: 'It gets no more messages, and those that are waiting are cancelled. This cannot be undone.',
        action: 'Delete',
      }),
      async run({ id }) {
        await client.call('webhooks.delete', { id });
        go({ webhook: undefined, delivery: undefined });
      },
      done: (webhook) => `Webhook ${nameOfWebhook(webhook)} deleted.`,
    },
  ];
}
