import { signInPath } from '../../../../src/contract/pages.ts';
import { tellError } from '../../parts/tell.ts';
import { basePath, client } from '../data/client.ts';

/** Ends the session and loads the page again, which forgets all that it knows. */
export async function signOut(): Promise<void> {
  try {
    await client.call('session.delete', {});
  } catch (error) {
    tellError(error as Error);
    return;
  }
  location.assign(basePath + signInPath);
}
