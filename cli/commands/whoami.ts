import { userInfo } from 'node:os';
import { Command } from 'commander';
import { runs } from '../access/operations.ts';
import { namedTarget } from '../contexts/named-target.ts';
import type { Target } from '../contexts/target.ts';
import { emit, type Format, withFormats } from '../output/emit.ts';
import { printable } from '../output/text.ts';
import { print } from '../terminal.ts';

/** Who a command runs as, and where. */
interface Identity {
  /** Null for the database of this machine. */
  readonly server: string | null;
  readonly context: string | null;
  /** Null for the operator of this machine, and for a token without an owner. */
  readonly email: string | null;
  readonly role: string;
  readonly read_only: boolean;
}

/** `backoffice whoami`. */
export function whoamiCommand(): Command {
  const command = new Command('whoami').addHelpText(
    'after',
    '\nExamples:\n  backoffice whoami\n  backoffice whoami --json role',
  );
  return runs(
    withFormats(command, () => Object.keys(operator)),
    'session.show',
  ).action(async (format: Format) => {
    const { readConfig } = await import('../../src/config.ts');
    const { findTarget } = await import('../contexts/target.ts');
    const target = await findTarget(namedTarget(command), readConfig());
    const identity = target === undefined ? operator : await identityOn(target);
    await emit(identity, format, undefined, () => print(printable(describe(identity))));
  });
}

const operator: Identity = { server: null, context: null, email: null, role: 'superadmin', read_only: false };

async function identityOn(target: Target): Promise<Identity> {
  const { openRemote } = await import('../access/with-access.ts');
  const access = await openRemote(target);
  const { admin, token: own } = await access.call('session.show', { include: 'token' });
  const { server, context } = target;
  const role = own?.role ?? admin?.role ?? 'user';
  return {
    server,
    context: context ?? null,
    email: admin?.email ?? null,
    role,
    read_only: own?.read_only ?? false,
  };
}

function describe({ server, context, email, role, read_only }: Identity): string {
  if (server === null)
    return `${userInfo().username}, operator of this machine, directly on the database with every permission`;
  const who = email ?? 'A token without an owner';
  const what = `${role}${read_only ? ', only for reading' : ''}`;
  return `${who}, ${what}, on ${server}${context === null ? '' : ` (context ${context})`}`;
}
