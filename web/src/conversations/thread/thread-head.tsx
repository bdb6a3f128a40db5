import { Button, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { conversationStatuses } from '../../../../src/contract/vocabulary.ts';
import { client } from '../../app/data/client.ts';
import { capital } from '../../kit/words.ts';
import { offerUndo } from '../../parts/changes/offer-undo.tsx';
import { tellError } from '../../parts/tell.ts';
import { reloadConversations, type ThreadConversation } from '../conversation-queries.ts';
import type { ConversationSearch } from '../conversation-search.ts';
import { BackToList } from './back-to-list.tsx';
import styles from './thread-head.module.css';
import { ThreadMenu } from './thread-menu.tsx';

const route = getRouteApi('/signed-in/conversations');

/** The subject, the status and what can be done with the conversation; on a phone the way back to the list. */
export function ThreadHead({ conversation }: { readonly conversation: ThreadConversation }) {
  const { id, subject, visitor_name: name, visitor_email: email, status } = conversation;
  const navigate = route.useNavigate();
  const show = (what: ConversationSearch['show']) =>
    void navigate({ search: (before) => ({ ...before, show: what }) });
  const change = useChangeStatus(id);
  return (
    <header className={styles.head}>
      <BackToList />
      <div className={styles.titles}>
        <h2 className={styles.title} dir="auto" title={subject || name}>
          {subject || name}
        </h2>
        <p className={styles.subtitle}>
          <bdi>{name}</bdi> · <bdi>{email}</bdi>
        </p>
      </div>
      <div className={styles.actions}>
        <Select
          aria-label="Status of the conversation"
          data={conversationStatuses.map((each) => ({ value: each, label: capital(each) }))}
          value={status}
          allowDeselect={false}
          disabled={change.isPending}
          className={styles.status ?? ''}
          onChange={(to) => to && to !== status && change.mutate({ from: status, to })}
        />
        <Button variant="default" className={styles.makeIssue ?? ''} onClick={() => show('new-issue')}>
          Make an issue
        </Button>
        <Button variant="default" className={styles.detailsButton ?? ''} onClick={() => show('details')}>
          Details
        </Button>
        <ThreadMenu conversation={conversation} />
      </div>
    </header>
  );
}

interface StatusChange {
  readonly from: string;
  readonly to: string;
}

/** Changes the status if it is still what was on the screen, and offers to undo that. */
function useChangeStatus(id: string) {
  const set = ({ from, to }: StatusChange) =>
    client.call('conversations.changeStatus', {
      id,
      status: to as (typeof conversationStatuses)[number],
      expected: { status: from },
    });
  return useMutation({
    mutationFn: set,
    onSuccess: (_answer, { from, to }) =>
      offerUndo(`Status set to ${capital(to)}`, async () => {
        try {
          await set({ from: to, to: from });
        } finally {
          await reloadConversations(id);
        }
      }),
    onError: tellError,
    onSettled: () => reloadConversations(id),
  });
}
