import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { noVisitorMail } from '../../../../src/contract/deliveries.ts';
import { visitorMailKey } from '../../../../src/contract/known-settings/visitor-mail.ts';
import { visitorMailQuery } from '../conversation-queries.ts';
import styles from './reply.module.css';

/** Says if a reply is not sent to its visitor, and where to change that. */
export function VisitorMailNote() {
  const { data: mode = null } = useQuery(visitorMailQuery);
  if (mode === null || mode === 'on') return null;
  return (
    <p className={styles.editing}>
      {noVisitorMail[mode]}{' '}
      <Link to="/settings" search={{ setting: visitorMailKey }}>
        Settings
      </Link>
    </p>
  );
}
