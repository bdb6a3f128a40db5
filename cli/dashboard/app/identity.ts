import type { Role } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';

/** Who the dashboard acts as. */
export interface Identity {
  /** Null for the operator of this machine, and for a token without an owner. */
  readonly email: string | null;
  readonly role: Role;
  /** Its token may only read. */
  readonly isReadOnly: boolean;
}

/** Asks a server who its token acts as. */
export async function readIdentity(access: Pick<Access, 'call'>): Promise<Identity> {
  const { admin, token } = await access.call('session.show', { include: 'token' });
  return {
    email: admin?.email ?? null,
    role: token?.role ?? admin?.role ?? 'user',
    isReadOnly: token?.read_only ?? false,
  };
}
