import { Button } from '@mantine/core';
import { channelOf } from '../../../../src/contract/channels.ts';
import { useSession } from '../../app/session/session.ts';
import { AssigneeSelect } from '../../kit/admin-select.tsx';
import { nameOf } from '../../kit/admins.ts';
import type { Thread, ThreadConversation } from '../conversation-queries.ts';
import { useChangeConversations } from '../list/change-conversations.ts';
import { LinkedIssue } from './linked-issue.tsx';
import styles from './visitor.module.css';
import { VisitorHistory } from './visitor-history.tsx';

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
        <h2 className={styles.name} dir="auto">
          {conversation.visitor_name}
        </h2>
        <CameFrom conversation={conversation} />
        <VisitorHistory conversation={conversation} />
      </section>
      <section className={styles.section} aria-label="Issues">
        <h3 className={styles.heading}>Issues</h3>
        {issues.length === 0 && <p className={styles.soft}>No issue came of this conversation.</p>}
        <ul className={styles.items}>
          {issues.map((issue) => (
            <li key={issue.id}>
              <LinkedIssue issue={issue} conversationId={conversation.id} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** Says how a conversation began, and on which page of the website. */
function CameFrom({ conversation }: { readonly conversation: ThreadConversation }) {
  const channel = channelOf(conversation);
  if (channel === undefined) return null;
  const { page } = conversation;
  return (
    <p className={styles.soft}>
      Via {channel}
      {page && /^https?:/.test(page) && (
        <>
          {' · '}
          <a href={page} target="_blank" rel="noreferrer" className={styles.link ?? ''}>
            {page.replace(/^https?:\/\//, '')}
          </a>
        </>
      )}
    </p>
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
