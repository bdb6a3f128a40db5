import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { capital } from '../../kit/words.ts';
import { Facts } from '../../parts/facts.tsx';
import { sentenceOf } from '../../parts/failure.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { ThreadConversation } from '../conversation-queries.ts';
import styles from './visitor.module.css';
import { visitorQuery } from './visitor-queries.ts';

/** What is known of the visitor from this and other conversations. */
export function VisitorHistory({ conversation }: { readonly conversation: ThreadConversation }) {
  const { id, visitor_email: email, created_at: began } = conversation;
  const { data, error } = useQuery(visitorQuery(email));
  const others = data?.conversations.filter((each) => each.id !== id) ?? [];
  return (
    <>
      <Facts
        facts={[
          [
            'Email',
            <a key="mail" className={styles.link} href={`mailto:${encodeURIComponent(email)}`}>
              <bdi>{email}</bdi>
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
              <span className={styles.otherSubject} dir="auto">
                {other.subject || 'No subject'}
              </span>
              <span className={styles.soft}>
                <Moment at={other.created_at} form="short" /> · {capital(other.status)}
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
