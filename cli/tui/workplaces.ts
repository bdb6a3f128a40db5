import type { Config } from '../../src/config.ts';
import type { Access } from '../access/access.ts';
import { readContexts } from '../access/contexts.ts';
import type { Named } from '../access/named-target.ts';
import { findTarget, type Target } from '../access/target.ts';
import { openRemote } from '../access/with-access.ts';
import { isSignedOut } from '../failures.ts';
import { readIdentity } from './state/identity.ts';
import type { Workplace, Workplaces } from './state/workplace.ts';

/**
 * Returns what the dashboard works on first, and the contexts that it can change to.
 *
 * @param access - what the command line chose
 * @throws BackofficeError if the server does not accept the token
 */
export async function openWorkplaces(
  access: Access,
  named: Named,
  config: Config,
): Promise<Workplaces & { readonly first: Workplace }> {
  const found = await findTarget(named, config);
  const first: Workplace =
    found === undefined
      ? { target: 'local', access, webUrl: config.publicUrl }
      : { ...placeOf(found), access, identity: await firstIdentity(access) };
  const { contexts } = await readContexts(config.contextsFile);
  const others = Object.entries(contexts).map(([target, { server }]) => ({ target, where: server }));
  const isContext = Object.hasOwn(contexts, first.target);
  const own = { target: first.target, where: found?.server ?? 'the database of this machine' };
  return {
    first,
    all: isContext ? others : [own, ...others],
    async open(target) {
      // One that has no context is the one that the dashboard has started with.
      if (target === first.target && !isContext) return first;
      const context = (await findTarget({ context: target }, config)) as Target;
      const remote = await openRemote(context);
      return { ...placeOf(context), access: remote, identity: await readIdentity(remote) };
    },
  };
}

function placeOf({ server, context, color }: Target): Pick<Workplace, 'target' | 'targetColour' | 'webUrl'> {
  return { webUrl: server, target: context ?? new URL(server).host, targetColour: color };
}

/**
 * Returns who the dashboard acts as. Refuses a wrong token before the screen opens. A server that is away may come back: the
 * dashboard waits for it, and asks it then.
 */
async function firstIdentity(access: Access) {
  return await readIdentity(access).catch((error: unknown) => {
    if (isSignedOut(error)) throw error;
    return null;
  });
}
