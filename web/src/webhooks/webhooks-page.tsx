import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { useWebhookActions } from './use-webhook-actions.tsx';
import { WebhookList } from './webhook-list.tsx';

const WebhookDetails = lazyPart(() => import('./webhook-details.tsx'), 'WebhookDetails');
const WebhookDialog = lazyPart(() => import('./webhook-dialog.tsx'), 'WebhookDialog');

const route = getRouteApi('/signed-in/webhooks');

/** Lists the webhooks, or shows one of them with its deliveries. */
export function WebhooksPage() {
  const { webhook, dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const { actionsOf, result } = useWebhookActions();
  const openDialog = (name: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, dialog: name }), replace: name === undefined });
  return (
    <>
      {webhook === undefined ? (
        <WebhookList actionsOf={actionsOf} onCreate={() => openDialog('new')} />
      ) : (
        <Suspense>
          <WebhookDetails id={webhook} actionsOf={actionsOf} />
        </Suspense>
      )}
      {result}
      <Suspense>
        {dialog !== undefined && <WebhookDialog name={dialog} onClose={() => openDialog(undefined)} />}
      </Suspense>
    </>
  );
}
