import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { cutText } from '../../../src/shared/text.ts';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useGo } from '../kit/go.ts';
import { Mark } from '../parts/mark.tsx';
import sheet from '../parts/sheet.module.css';
import { offerUndo, tellError } from '../parts/tell.tsx';
import { type Conversation, type Message, reloadThread, useThread } from './conversation-resource.ts';
import styles from './thread.module.css';

const ReportIssue = lazyPart(() => import('../issues/report-issue.tsx'), 'ReportIssue');

export interface PartProps {
  readonly conversation: Conversation;
}

/** The issues that came of a conversation, with a button for another one. */
export function LinkedIssues({ conversation: { id } }: PartProps) {
  const { issues } = useThread(id);
  const go = useGo();
  const reload = () => reloadThread(id);
  const endsOf = (issue_id: number) => ({ issue_id, conversation_id: id });
  const unlink = useMutation({
    mutationFn: (issue: number) => client.call('links.delete', endsOf(issue)),
    onSuccess: (_done, issue) =>
      offerUndo(`Issue ${issue} unlinked`, () => client.call('links.create', endsOf(issue)).finally(reload)),
    onError: tellError,
    onSettled: reload,
  });
  return (
    <section className={sheet.list} aria-label="Issues">
      <div className={sheet.between}>
        <h3 className={sheet.heading}>Issues</h3>
        <Button size="compact-xs" variant="default" onClick={() => go({ show: 'new-issue' })}>
          Make an issue
        </Button>
      </div>
      {issues.length === 0 && <p className={styles.meta}>None</p>}
      <ul className={sheet.list}>
        {issues.map(({ id: issue, title, status }) => (
          <li key={issue}>
            <Link to="/issues" search={{ issue }}>
              {issue} <bdi>{title}</bdi>
            </Link>
            <span className={sheet.between}>
              <Mark word={status} />
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                loading={unlink.isPending}
                aria-label={`Unlink issue ${issue}`}
                onClick={() => unlink.mutate(issue)}
              >
                Unlink
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reports an issue that came of a conversation. It has the words of the visitor, and a link to the conversation. */
export function MakeIssue({ conversation }: PartProps) {
  const { messages } = useThread(conversation.id);
  const go = useGo();
  const close = () => go({ show: undefined });
  return (
    <ReportIssue
      source={{ conversation_id: conversation.id }}
      texts={issueOf(conversation, messages)}
      onReported={() => {
        void reloadThread(conversation.id);
        close();
      }}
      onClose={close}
    />
  );
}

const maxTitleLength = 120;
const maxMessages = 20;
const maxDescriptionLength = 10_000;

/** Returns the first texts of an issue that comes of a conversation: its subject, and what the visitor wrote last. */
function issueOf({ subject, visitor_name: name }: Conversation, messages: readonly Message[]) {
  const ofVisitor = messages.filter(({ sender_type: from }) => from === 'visitor');
  const [firstLine = ''] = (ofVisitor[0]?.content ?? '').trim().split('\n');
  const quoted = ofVisitor
    .slice(-maxMessages)
    .map(({ content }) => content.trim().replaceAll(/^/gm, '> '))
    .join('\n\n');
  return {
    title: cutText(subject.trim() || firstLine, maxTitleLength),
    category: 'Other',
    description: quoted && cutText(`${name} wrote:\n\n${quoted}`, maxDescriptionLength),
  };
}
