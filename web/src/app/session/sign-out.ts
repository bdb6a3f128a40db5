import { signInPath } from '../../../../src/contract/pages.ts';
import { tellError } from '../../parts/tell.ts';
import { basePath, client } from '../data/client.ts';
import { forgetThings } from '../palette/recent-things.ts';

/** Ends the session and loads the page again, which forgets all that it knows. */
export async function signOut(): Promise<void> {
  try {
    await client.call('session.delete', {});
  } catch (error) {
    tellError(error as Error);
    return;
  }
  forgetThings();
  location.assign(basePath + signInPath);
}
