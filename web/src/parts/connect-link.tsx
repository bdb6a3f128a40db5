import { Link } from '@tanstack/react-router';

/** Leads from where nothing has come in to the page that says how. */
export function ConnectLink() {
  return (
    <Link to="/connect" style={{ color: 'var(--accent)' }}>
      Connect your website
    </Link>
  );
}
