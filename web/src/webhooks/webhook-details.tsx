import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { deliveries as deliveryNoun } from '../../../src/contract/fields/webhooks.ts';
import { useCommands } from '../app/commands/commands.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useRememberThing } from '../app/palette/entries.ts';
import { useActions } from '../kit/actions.ts';
import { filterReader } from '../kit/address.ts';
import { Filters } from '../kit/filters.tsx';
import { type List, useList } from '../kit/list.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { RowMenu } from '../parts/buttons.tsx';
import { Icon } from '../parts/icon.tsx';
import { RelativeTime } from '../parts/moment.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { drawerPlace, FilterBar, Page } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import {
  type Delivery,
  deliveries,
  eventsInWords,
  nameOfWebhook,
  type Webhook,
  WebhookState,
  webhooks,
} from './webhook-resource.tsx';
import styles from './webhooks.module.css';

const DeliveryDrawer = lazyPart(() => import('./delivery.tsx'), 'DeliveryDrawer', drawerPlace);

const route = getRouteApi('/signed-in/webhooks');
const filterOf = filterReader(deliveryNoun);

interface WebhookDetailsProps {
  readonly id: number;
  readonly actions: readonly Action<Webhook>[];
}

/** One webhook, with what was sent to it and what came of it. */
export function WebhookDetails({ id, actions }: WebhookDetailsProps) {
  const { delivery, dialog: _dialog, ...search } = route.useSearch();
  const { data: webhook, error, refetch } = useQuery(webhooks.oneQuery(id));
  const filter = filterOf(search);
  const list = useList(deliveries, { ...filter, webhook_id: String(id) });
  useUnfinished(list, id, delivery);
  useRememberThing(
    webhook
      ? {
          key: `webhook ${id}`,
          label: nameOfWebhook(webhook),
          description: 'Webhook',
          icon: 'webhooks',
          isThing: true,
          link: { to: '/webhooks', search: { webhook: id } },
        }
      : undefined,
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
      {webhook === undefined && error && <Failure error={error} retry={() => void refetch()} />}
      {webhook === null && (
        <Note title="There is no such webhook">
          It may have been deleted. Its deliveries are kept for 30 days.
        </Note>
      )}
      {webhook && <Head webhook={webhook} actions={actions} />}
      {/* Below what does not move any more. */}
      {(webhook !== undefined || error) && (
        <>
          <FilterBar>
            <Filters list={list} />
          </FilterBar>
          <Table
            // The webhook is no filter that one clears.
            list={{ ...list, filter }}
            href={({ id }) => ({ delivery: id })}
            current={delivery}
            empty={{
              title: 'Nothing has been sent yet',
              text: 'Each message is listed here with the answer to it. Send a test message to try it.',
            }}
          />
        </>
      )}
      {delivery !== undefined && <DeliveryDrawer list={list} id={delivery} />}
    </Page>
  );
}

function Head({ webhook, actions }: Omit<WebhookDetailsProps, 'id'> & { readonly webhook: Webhook }) {
  const { events, url, created_at, include_content } = webhook;
  const name = nameOfWebhook(webhook);
  const offered = useActions(webhooks, actions)(webhook);
  useCommands(
    offered
      .filter(({ disabled }) => disabled === undefined)
      .map(({ label, run }) => ({ title: `${label.replace('…', '')}: ${name}`, keywords: 'webhook', run })),
  );
  return (
    <section className={styles.head} aria-label="Webhook">
      <div className={sheet.row}>
        <h2 className={sheet.text}>
          <bdi>{name}</bdi>
        </h2>
        <WebhookState webhook={webhook} />
        <span className={sheet.row} style={{ marginLeft: 'auto' }}>
          {offered.slice(0, 2).map(({ label, run }) => (
            <Button key={label} size="compact-md" variant="default" onClick={run}>
              {label}
            </Button>
          ))}
          <RowMenu name={name} actions={offered.slice(2)} />
        </span>
      </div>
      <p className={`${sheet.quiet} ${styles.facts}`}>
        {name !== url && <bdi>{url}</bdi>}
        <span title={events.join(', ')}>{eventsInWords(events)}</span>
        {include_content && <span>Sends the texts too</span>}
        <span>
          Created <RelativeTime at={created_at} />
        </span>
      </p>
    </section>
  );
}

/** Between two looks at deliveries that are due, and at those that wait for another attempt. No event tells of them. */
const pauses = { due: 2_000, later: 15_000 };
/** How many of the first rows are watched. */
const watched = 100;

/** Reads deliveries that are still to be sent again, until they are. So does whether the webhook works. */
function useUnfinished({ rows }: List<Delivery>, webhook: number, opened: number | undefined): void {
  const seen = [...Array(watched).keys(), rows.indexOf(opened)].flatMap((index) => rows.at(index) ?? []);
  const waiting = seen.filter(({ status }) => status === 'pending');
  useQuery({
    queryKey: ['unfinished-deliveries', webhook],
    queryFn: () =>
      Promise.all([deliveries.refresh(waiting.map(({ id }) => id)), webhooks.refresh([webhook])]),
    enabled: waiting.length > 0,
    refetchInterval: waiting.some(({ attempts }) => attempts === 0) ? pauses.due : pauses.later,
  });
}
