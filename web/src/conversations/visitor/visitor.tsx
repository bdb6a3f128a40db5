import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { nameOf } from '../../assignees/assignee-queries.ts';
import { AssigneeSelect } from '../../assignees/assignee-select.tsx';
import { offerUndo } from '../../parts/changes/offer-undo.tsx';
import { Facts } from '../../parts/facts.tsx';
import { sentenceOf } from '../../parts/failure.tsx';
import { Mark } from '../../parts/mark.tsx';
import { tellError } from '../../parts/tell.ts';
import { Moment } from '../../parts/time/moment.tsx';
import {
  type LinkedIssue,
  reloadConversations,
  type Thread,
  type ThreadConversation,
} from '../conversation-queries.ts';
import { useChangeConversations } from '../list/change-conversations.ts';
import styles from './visitor.module.css';
import { visitorQuery } from './visitor-queries.ts';

interface VisitorProps {
  readonly conversation: ThreadConversation;
  readonly issues: Thread['issues'];
}

/** Who works on a conversation, what is known of its visitor, and the issues that came of it. */
export function Visitor({ conversation, issues }: VisitorProps) {
  return (
    <>
      <Assignment conversation={conversation} />
      <section className={styles.section} aria-label="Visitor">
        <h2 className={styles.name}>{conversation.visitor_name}</h2>
        <VisitorHistory conversation={conversation} />
      </section>
      <section className={styles.section} aria-label="Issues">
        <h3 className={styles.heading}>Issues</h3>
        {issues.length === 0 && <p className={styles.soft}>No issue came of this conversation.</p>}
        <ul className={styles.items}>
          {issues.map((issue) => (
            <li key={issue.id}>
              <IssueLink issue={issue} conversationId={conversation.id} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function Assignment({
  conversation: { id, assignee = null },
}: {
  readonly conversation: ThreadConversation;
}) {
  const { admin: me } = useSession();
  const change = useChangeConversations();
  const assign = (to: string | null, done: string) =>
    change.mutate({ ids: [id], set: { assignee_id: to }, done });
  return (
    <div className={styles.assignment}>
      <AssigneeSelect
        assignee={assignee}
        className={styles.assignee ?? ''}
        onChange={(to) =>
          assign(to?.id ?? null, to === null ? 'Assigned to nobody' : `Assigned to ${nameOf(to)}`)
        }
      />
      {assignee?.id !== me.id && (
        <Button variant="default" loading={change.isPending} onClick={() => assign(me.id, 'Assigned to you')}>
          Assign to me
        </Button>
      )}
    </div>
  );
}

/** What is known of the visitor from this and other conversations. */
function VisitorHistory({ conversation }: { readonly conversation: ThreadConversation }) {
  const { id, visitor_email: email, created_at: began } = conversation;
  const { data, error } = useQuery(visitorQuery(email));
  const others = data?.conversations.filter((each) => each.id !== id) ?? [];
  return (
    <>
      <Facts
        facts={[
          [
            'E-mail',
            <a key="mail" className={styles.link} href={`mailto:${encodeURIComponent(email)}`}>
              {email}
            </a>,
          ],
          ['Visitor since', <Moment key="since" at={data?.since ?? began} />],
          ['This began', <Moment key="began" at={began} />],
        ]}
      />
      <h3 className={styles.heading}>Other conversations</h3>
      {error && <p className={styles.soft}>{sentenceOf(error)}</p>}
      {data !== undefined && others.length === 0 && (
        <p className={styles.soft}>This is the only conversation.</p>
      )}
      <ul className={styles.items}>
        {others.map((other) => (
          <li key={other.id}>
            <Link
              to="/conversations"
              search={(before) => ({ ...before, id: other.id, show: undefined })}
              className={styles.other}
            >
              <span className={styles.otherSubject}>{other.subject || 'No subject'}</span>
              <span className={styles.soft}>
                <Moment at={other.created_at} form="short" /> · {other.status}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {data?.hasMore && (
        <Link to="/conversations" search={{ id, q: email }} className={styles.link}>
          Show all in the list
        </Link>
      )}
    </>
  );
}

interface IssueLinkProps {
  readonly issue: LinkedIssue;
  readonly conversationId: string;
}

function IssueLink({ issue: { id, title, status }, conversationId }: IssueLinkProps) {
  const ends = { issue_id: id, conversation_id: conversationId };
  const unlink = useMutation({
    mutationFn: () => client.call('links.delete', ends),
    onSuccess: () =>
      offerUndo(`Issue ${id} is no longer linked`, async () => {
        await client.call('links.create', ends);
        await reloadConversations(conversationId);
      }),
    onError: tellError,
    onSettled: () => reloadConversations(conversationId),
  });
  return (
    <div className={styles.issue}>
      <Link to="/issues" search={{ issue: id }} className={styles.link}>
        {id} {title}
      </Link>
      <span className={styles.issueFacts}>
        <Mark word={status} />
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          loading={unlink.isPending}
          aria-label={`Unlink issue ${id}`}
          onClick={() => unlink.mutate()}
        >
          Unlink
        </Button>
      </span>
    </div>
  );
}
