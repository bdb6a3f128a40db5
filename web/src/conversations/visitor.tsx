import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { channelOf } from '../../../src/contract/channels.ts';
import { Comments } from '../comments/comments.tsx';
import { useEscape, useReturnFocus } from '../form/dialog-keys.ts';
import { useGo } from '../kit/go.ts';
import { Setters } from '../kit/setters.tsx';
import { IconButton } from '../parts/buttons.tsx';
import { Facts } from '../parts/entries.tsx';
import { Moment } from '../parts/moment.tsx';
import { sentenceOf } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';
import { conversations, visitorQuery } from './conversation-resource.ts';
import styles from './thread.module.css';
import { LinkedIssues, type PartProps } from './visitor-issues.tsx';

/** From this width on, the details have a pane of their own. The style sheet has it too. */
const paneQuery = '(min-width: 84em)';

const route = getRouteApi('/signed-in/conversations');

/**
 * The third pane; in narrow windows it lies over the thread while the address says so: who works on the conversation, what is
 * known of its visitor, the issues that came of it, and what the team says.
 */
export function Details({ conversation }: PartProps) {
  const { show } = route.useSearch();
  const visitor = useQuery(visitorQuery(conversation));
  const hasPane = useMediaQuery(paneQuery, true, { getInitialValueInEffect: false });
  if (!hasPane && show !== 'details') return null;
  // In narrow windows it is no modal dialog: the list beside it stays usable.
  const Tag = hasPane ? 'aside' : 'section';
  const role = hasPane ? {} : { role: 'dialog', 'aria-modal': false };
  return (
    <Tag className={styles.pane} aria-label="Details" {...role}>
      {!hasPane && <DrawerHead />}
      <Setters of={conversations} row={conversation} />
      <Visitor conversation={conversation} />
      <LinkedIssues conversation={conversation} />
      {/* The comments would move when the conversations above them come. */}
      {!visitor.isPending && (
        <>
          <Others conversation={conversation} />
          <section className={styles.internal} aria-labelledby="internal-heading">
            <h3 id="internal-heading" className={sheet.heading}>
              Internal, visitors never see this
            </h3>
            <Comments subject={{ conversation_id: conversation.id }} />
          </section>
        </>
      )}
    </Tag>
  );
}

/** What closes the details in narrow windows, and brings the focus there and back. */
function DrawerHead() {
  const go = useGo();
  const title = useRef<HTMLHeadingElement>(null);
  const close = () => go({ show: undefined });
  useReturnFocus();
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  useEscape(close);
  return (
    <header className={sheet.between}>
      <h2 ref={title} tabIndex={-1} className={styles.title}>
        Details
      </h2>
      <IconButton icon="close" label="Close" title="Close" onClick={close} />
    </header>
  );
}

/** Who wrote, and how the conversation began. */
function Visitor({ conversation }: PartProps) {
  const { data } = useQuery(visitorQuery(conversation));
  const { visitor_name: name, visitor_email: email, created_at: started } = conversation;
  const [page, shownPage] = /^https?:\/\/(.*)/.exec(conversation.page ?? '') ?? [];
  const facts = {
    'E-mail': (
      <a href={`mailto:${encodeURIComponent(email)}`}>
        <bdi>{email}</bdi>
      </a>
    ),
    'Visitor since': <Moment at={data?.since ?? started} />,
    Started: <Moment at={started} />,
    Via: channelOf(conversation),
    Page: page && (
      <a href={page} target="_blank" rel="noreferrer">
        {shownPage}
      </a>
    ),
  };
  return (
    <section className={sheet.list} aria-label="Visitor">
      <h2 className={styles.title} dir="auto">
        {name}
      </h2>
      <Facts facts={facts} />
    </section>
  );
}

/** The other conversations of the visitor, who is known by the e-mail address. */
function Others({ conversation }: PartProps) {
  const { data, error } = useQuery(visitorQuery(conversation));
  return (
    <section className={sheet.list} aria-label="Other conversations">
      <h3 className={sheet.heading}>Other conversations</h3>
      {error && <p className={styles.meta}>{sentenceOf(error)}</p>}
      {data?.others.length === 0 && <p className={styles.meta}>None</p>}
      <ul className={sheet.list}>
        {data?.others.map((other) => (
          <li key={other.id}>
            <Link
              from="/conversations"
              to="/conversations"
              search={(before) => ({ ...before, id: other.id, show: undefined })}
              className={`${sheet.between} ${styles.other}`}
            >
              <span className={sheet.cut} dir="auto">
                {other.subject || 'No subject'}
              </span>
              <span className={sheet.small}>
                <Moment at={other.created_at} form="short" /> · {capital(other.status)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {data?.hasMore && (
        <Link to="/conversations" search={{ id: conversation.id, q: conversation.visitor_email }}>
          Show all in the list
        </Link>
      )}
    </section>
  );
}
