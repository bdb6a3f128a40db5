import { client } from '../app/data/client.ts';
import { confirm } from '../form/confirm.tsx';
import { tell } from '../parts/tell.ts';
import { reloadSessions, type SessionOfAdmin } from './session-queries.ts';

/** Asks, and ends one session. */
export async function endSession({ id, email, device, address }: SessionOfAdmin): Promise<void> {
  await confirm({
    title: `End a session of ${email}?`,
    text: (
      <>
        <p>
          {device || 'Unknown device'}, {address || 'unknown address'}.
        </p>
        <p>It ends at once. What is not saved there may be lost.</p>
      </>
    ),
    action: 'End session',
    run: async () => {
      await client.call('sessions.revoke', { id });
      tell(`A session of ${email} ended.`);
      await reloadSessions();
    },
  });
}

/** Asks, and ends all sessions of an admin. */
export async function endAllOf({
  admin_id,
  email,
}: Pick<SessionOfAdmin, 'admin_id' | 'email'>): Promise<void> {
  await confirm({
    title: `End all sessions of ${email}?`,
    text: 'They are signed out everywhere at once, and can sign in again.',
    action: 'End all sessions',
    run: async () => {
      await client.call('sessions.revoke', { admin_id });
      tell(`All sessions of ${email} ended.`);
      await reloadSessions();
    },
  });
}
