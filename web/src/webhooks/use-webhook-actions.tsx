import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { confirm } from '../form/confirm.tsx';
import type { RowAction } from '../parts/table/row-menu.tsx';
import { tell, tellError } from '../parts/tell.ts';
import { type Delivery, reloadWebhooks, type Webhook } from './webhook-queries.ts';
import { nameOfWebhook } from './webhook-words.ts';

const TestResult = lazyPart(() => import('./test-result.tsx'), 'TestResult');
const NewSecret = lazyPart(() => import('./new-secret.tsx'), 'NewSecret');

const route = getRouteApi('/signed-in/webhooks');

type Result =
  | { readonly of: 'test'; readonly webhook: Webhook; readonly delivery: Delivery | undefined }
  | { readonly of: 'secret'; readonly secret: string };

export type WebhookActions = (webhook: Webhook) => readonly RowAction[];

/** Returns what can be done with a webhook, and a dialog for what comes of it. */
export function useWebhookActions(): { readonly actionsOf: WebhookActions; readonly result: ReactNode } {
  const navigate = route.useNavigate();
  const [result, setResult] = useState<Result>();
  const close = () => setResult(undefined);

  async function test(webhook: Webhook): Promise<void> {
    setResult({ of: 'test', webhook, delivery: undefined });
    try {
      const { delivery } = await client.call('webhooks.test', { id: webhook.id });
      if (delivery === null) throw new Error('gone');
      // Nobody waits for the answer any more once the dialog is closed.
      setResult((now) => (now?.of === 'test' ? { ...now, delivery } : now));
    } catch (error) {
      close();
      tellError(error as Error);
    }
    await reloadWebhooks();
  }

  async function rotate(webhook: Webhook): Promise<void> {
    await confirm({
      title: `Create a new secret for ${nameOfWebhook(webhook)}?`,
      text: 'Messages are signed with both secrets for a day. Give the receiver the new one within that time.',
      action: 'Create a new secret',
      isHarmless: true,
      run: async () => {
        const { secret } = await client.call('webhooks.update', { id: webhook.id, rotate_secret: true });
        if (secret !== undefined) setResult({ of: 'secret', secret });
        await reloadWebhooks();
      },
    });
  }

  async function remove(webhook: Webhook): Promise<void> {
    const isGone = await confirm({
      title: `Delete the webhook ${nameOfWebhook(webhook)}?`,
      text: 'It gets no more messages, and those that wait are given up. This cannot be undone.',
      action: 'Delete',
      run: () => client.call('webhooks.delete', { id: webhook.id }),
    });
    if (!isGone) return;
    await navigate({ search: {} });
    await reloadWebhooks();
  }

  const actionsOf = (webhook: Webhook): readonly RowAction[] => [
    { label: 'Send a test message', run: () => void test(webhook) },
    {
      label: 'Edit…',
      run: () => void navigate({ search: (before) => ({ ...before, dialog: `edit-${webhook.id}` }) }),
    },
    {
      label: 'Send failed messages again…',
      disabled: webhook.is_active === 1 ? undefined : 'Activate it first.',
      run: () => void navigate({ search: (before) => ({ ...before, dialog: `failed-${webhook.id}` }) }),
    },
    { label: 'New secret…', run: () => void rotate(webhook) },
    webhook.is_active === 1
      ? { label: 'Deactivate…', run: () => void deactivate(webhook) }
      : { label: 'Activate', run: () => void setActive(webhook, 1).catch(tellError) },
    { label: 'Delete…', isDangerous: true, run: () => void remove(webhook) },
  ];

  const shown = (
    <Suspense>
      {result?.of === 'test' && (
        <TestResult webhook={result.webhook} delivery={result.delivery} onClose={close} />
      )}
      {result?.of === 'secret' && (
        <NewSecret title="The webhook has a new secret" secret={result.secret} onClose={close} />
      )}
    </Suspense>
  );
  return { actionsOf, result: shown };
}

async function deactivate(webhook: Webhook): Promise<void> {
  await confirm({
    title: `Deactivate the webhook ${nameOfWebhook(webhook)}?`,
    text: 'It gets no messages until it is activated again, and those that wait are given up.',
    action: 'Deactivate',
    run: () => setActive(webhook, 0),
  });
}

async function setActive(webhook: Webhook, is_active: 0 | 1): Promise<void> {
  await client.call('webhooks.update', {
    id: webhook.id,
    is_active,
    expected: { is_active: webhook.is_active },
  });
  await reloadWebhooks();
  tell(`${nameOfWebhook(webhook)} is ${is_active === 1 ? 'active' : 'inactive'} now.`);
}
