import { client } from '../app/data/client.ts';
import { confirm } from '../form/confirm.tsx';
import { offerUndo } from '../parts/changes/offer-undo.tsx';
import { tell, tellError } from '../parts/tell.ts';
import { type Admin, reloadAdmins } from './admin-queries.ts';

/** Activates or deactivates an admin, which can be undone. Sessions that have ended do not come back. */
export async function changeActivity({ id, email, is_active }: Admin, next: 0 | 1): Promise<void> {
  try {
    await client.call('admins.changeActivity', { id, is_active: next, expected: { is_active } });
    const done = next === 1 ? 'activated' : 'deactivated, and signed out everywhere';
    offerUndo(`${email} was ${done}.`, async () => {
      const back = next === 1 ? 0 : 1;
      await client.call('admins.changeActivity', { id, is_active: back, expected: { is_active: next } });
      await reloadAdmins();
      return back === 1 ? `${email} is active again, and has to sign in.` : `${email} is inactive again.`;
    });
  } catch (error) {
    tellError(error as Error);
  }
  await reloadAdmins();
}

/** Asks, and deletes an admin. */
export async function deleteAdmin({ id, email, username, role }: Admin): Promise<void> {
  await confirm({
    title: `Delete ${email}?`,
    text: (
      <>
        <p>
          {username || email} ({role}) can never sign in again. These end with the account:
        </p>
        <ul>
          <li>sessions and API tokens</li>
          <li>second factors and recovery codes</li>
          <li>invitations that the account has sent</li>
        </ul>
        <p>
          Issues and conversations assigned to it become unassigned. What it wrote stays. To keep the account,
          deactivate it instead.
        </p>
      </>
    ),
    action: 'Delete admin',
    // A superadmin is the hardest to get back.
    typed: role === 'superadmin' ? email : undefined,
    run: async () => {
      await client.call('admins.delete', { id });
      tell(`${email} was deleted.`);
      await reloadAdmins();
    },
  });
}
