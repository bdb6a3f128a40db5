import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SearchField } from '../parts/inputs/search-field.tsx';
import { Note } from '../parts/note.tsx';
import { BarEnd, Page, PageContent } from '../parts/page/page.tsx';
import { type ShortColumn, ShortTable } from '../parts/table/short-table.tsx';
import type { WebhookActions } from './use-webhook-actions.tsx';
import { type Webhook, webhooksQuery } from './webhook-queries.ts';
import { WebhookState } from './webhook-state.tsx';
import { eventsInWords, nameOfWebhook } from './webhook-words.ts';
import styles from './webhooks-page.module.css';

const route = getRouteApi('/signed-in/webhooks');

const columns: readonly ShortColumn<Webhook>[] = [
  {
    title: 'Webhook',
    phone: 'title',
    cell: (webhook) => (
      <Link to="/webhooks" search={{ webhook: webhook.id }} className={styles.webhook}>
        <span className={styles.name}>{nameOfWebhook(webhook)}</span>
        {webhook.description.trim() !== '' && <span className={styles.url}>{webhook.url}</span>}
      </Link>
    ),
  },
  {
    title: 'Events',
    phone: 'end',
    width: '30%',
    cell: ({ events }) => (
      <span className={styles.quiet} title={events.join(', ')}>
        {eventsInWords(events)}
      </span>
    ),
  },
  {
    title: 'State',
    phone: 'start',
    width: '280px',
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
];

interface WebhookListProps {
  readonly actionsOf: WebhookActions;
  readonly onCreate: () => void;
}

/** All webhooks. */
export function WebhookList({ actionsOf, onCreate }: WebhookListProps) {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(webhooksQuery(q));
  return (
    <Page
      title="Webhooks"
      bar={
        <>
          <SearchField
            label="Search webhooks"
            text={q}
            onChange={(words) =>
              void navigate({ search: (before) => ({ ...before, q: words }), replace: true })
            }
          />
          <BarEnd>
            <Button onClick={onCreate}>Create a webhook</Button>
          </BarEnd>
        </>
      }
    >
      <PageContent>
        <ShortTable
          label="Webhooks"
          columns={columns}
          rows={data}
          error={error}
          retry={() => void refetch()}
          nameOf={nameOfWebhook}
          actions={actionsOf}
          empty={
            q === undefined ? (
              <Note title="There are no webhooks yet" action={{ label: 'Create a webhook', run: onCreate }}>
                A webhook tells another service what happens here, such as a new issue, by a signed request.
              </Note>
            ) : (
              <Note
                title="No webhook matches"
                action={{ label: 'Show all', run: () => void navigate({ search: {} }) }}
              />
            )
          }
        />
      </PageContent>
    </Page>
  );
}
