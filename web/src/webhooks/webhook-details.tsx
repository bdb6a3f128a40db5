import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCommands } from '../app/commands/commands.ts';
import { useRememberThing } from '../app/palette/recent-things.ts';
import { Facts } from '../parts/facts.tsx';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { Note } from '../parts/note.tsx';
import { Page } from '../parts/page/page.tsx';
import { RowMenu } from '../parts/table/row-menu.tsx';
import { RelativeTime } from '../parts/time/relative-time.tsx';
import { Deliveries } from './deliveries.tsx';
import type { WebhookActions } from './use-webhook-actions.tsx';
import { type Webhook, webhooksQuery } from './webhook-queries.ts';
import { WebhookState } from './webhook-state.tsx';
import { nameOfWebhook } from './webhook-words.ts';
import styles from './webhooks-page.module.css';

interface WebhookDetailsProps {
  readonly id: number;
  readonly actionsOf: WebhookActions;
}

/** One webhook with its deliveries. */
export function WebhookDetails({ id, actionsOf }: WebhookDetailsProps) {
  const { data, error, refetch } = useQuery(webhooksQuery());
  const webhook = data?.find((each) => each.id === id);
  useRememberThing(
    webhook && {
      key: `webhook ${id}`,
      label: nameOfWebhook(webhook),
      description: 'Webhook',
      icon: 'webhooks',
      isThing: true,
      link: { to: '/webhooks', search: { webhook: id } },
    },
  );
  return (
    <Page
      title="Webhooks"
      bar={
        <Link to="/webhooks" className={styles.back}>
          <Icon name="back" /> All webhooks
        </Link>
      }
    >
      {error && data === undefined && <Failure error={error} retry={() => void refetch()} />}
      {data !== undefined && webhook === undefined && (
        <Note title="There is no such webhook">
          It may have been deleted. Its deliveries are kept for 30 days.
        </Note>
      )}
      {webhook !== undefined && <Head webhook={webhook} actionsOf={actionsOf} />}
      {/* Loaded together, and shown below what does not move any more. */}
      {(data !== undefined || error === null) && (
        <div className={styles.deliveries} hidden={data === undefined}>
          <Deliveries webhookId={id} />
        </div>
      )}
    </Page>
  );
}

function Head({ webhook, actionsOf }: { readonly webhook: Webhook; readonly actionsOf: WebhookActions }) {
  const actions = actionsOf(webhook);
  const [test, edit, ...others] = actions;
  const { events, url, description, created_at, include_content: hasContent } = webhook;
  useCommands(
    actions
      .filter(({ disabled }) => disabled === undefined)
      .map(({ label, run }) => ({
        title: `${label.replace('…', '')}: ${nameOfWebhook(webhook)}`,
        keywords: 'webhook',
        run,
      })),
  );
  return (
    <section className={styles.head} aria-label="Webhook">
      <div className={styles.headLine}>
        <h2 className={styles.webhookTitle}>{nameOfWebhook(webhook)}</h2>
        <WebhookState webhook={webhook} />
        <span className={styles.grow} />
        {[test, edit].map(
          (action) =>
            action && (
              <Button key={action.label} size="compact-sm" variant="default" onClick={action.run}>
                {action.label.replace('…', '')}
              </Button>
            ),
        )}
        <RowMenu name={nameOfWebhook(webhook)} actions={others} />
      </div>
      <Facts
        facts={[
          ...(description.trim() === '' ? [] : [['Address', url] as const]),
          ['Events', events.length === 0 ? 'All' : events.join(', ')],
          ...(hasContent ? [['Content', 'Sends the texts too'] as const] : []),
          ['Created', <RelativeTime key="created" at={created_at} />],
        ]}
      />
    </section>
  );
}
