import type { Operation } from '../../../src/contract/operation.ts';
import { type Role, roles } from '../../../src/contract/vocabulary.ts';
import { challengeOf, enrolApp } from '../../support/here/accounts.ts';
import { bearer } from '../../support/here/requests.ts';
import { type Backoffice, openSession } from '../../support/here.ts';

/** Somebody who calls the API, with more or less right to. */
export interface Identity {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The only status of what it may not call, whatever it sends. Undefined if it may call the operation. */
  refusalOf(operation: Operation): number | undefined;
}

const policyKey = 'sign_in_second_factor';

/** Creates those who have no access, or no longer, or not yet. They stay what they are. */
export async function createStrangers({ service, sql }: Backoffice): Promise<readonly Identity[]> {
  const stranger = (name: string, headers: Identity['headers']): Identity => ({
    name,
    headers,
    refusalOf: ({ allow }) => (allow.to === 'anyone' ? undefined : 401),
  });
  const tokenFor = async () => (await service.createToken('superadmin')).secret;
  const forged = (await service.signIn('superadmin')).cookie;
  const ended = await service.signIn('superadmin');
  await ended.client.call('session.delete', {});
  const expired = await service.signIn('superadmin');
  const expire = `update sessions set expire = now() - interval '1 second' where sess ->> 'adminId' = $1`;
  await sql(expire, [expired.id]);
  const inactive = await service.signIn('superadmin');
  await sql('update admins set is_active = 0 where id = $1', [inactive.id]);
  const revoked = await tokenFor();
  await sql('update api_tokens set revoked_at = now() where revoked_at is null');
  const old = await tokenFor();
  await sql(`update api_tokens set expires_at = now() - interval '1 second' where revoked_at is null`);

  const half = await service.signIn('superadmin');
  await enrolApp(half);
  const { challenge } = await challengeOf(service, half.email);

  return [
    stranger('nobody', {}),
    stranger('a token of 8,000 characters', bearer(`bo_${'A'.repeat(8_000)}`)),
    stranger('a revoked token', bearer(revoked)),
    stranger('an expired token', bearer(old)),
    stranger('a forged session', { cookie: `${forged.slice(0, -3)}AAA` }),
    stranger('a session that was ended', { cookie: ended.cookie }),
    stranger('an expired session', { cookie: expired.cookie }),
    stranger('a session of an inactive account', { cookie: inactive.cookie }),
    stranger('a sign-in that waits for its second factor', {
      cookie: `backoffice=s%3A${challenge}.${challenge}`,
      ...bearer(challenge),
    }),
  ];
}

/** Creates one of each who has access. What they send may end it, so each operation gets new ones. */
export async function createMembers({ service, sql }: Backoffice): Promise<readonly Identity[]> {
  const members: Identity[] = [];
  for (const role of roles) {
    const { cookie, client } = await service.signIn(role);
    const { secret } = await service.createToken(role);
    const reading = await client.call('tokens.create', { name: 'reading', role, read_only: true });
    const refusalOf = (operation: Operation) => refusalOfRole(operation, role);
    members.push(
      { name: `a session of a ${role}`, headers: { cookie }, refusalOf },
      { name: `a token with the role ${role}`, headers: bearer(secret), refusalOf },
      {
        name: `a read-only token of a person who is a ${role}`,
        headers: bearer(reading.secret),
        refusalOf: (operation) => refusalOf(operation) ?? refusalOfReader(operation),
      },
    );
  }
  const enrolling = await service.signIn('superadmin');
  await sql(`insert into settings (setting_key, setting_value) values ($1, 'required')`, [policyKey]);
  const cookie = await openSession(service.url, enrolling.email);
  await sql('delete from settings where setting_key = $1', [policyKey]);
  members.push({
    name: 'a session that may only set up a second factor',
    headers: { cookie },
    refusalOf: ({ allow, enrolment }) => (allow.to === 'anyone' || enrolment ? undefined : 403),
  });
  return members;
}

function refusalOfRole({ allow }: Operation, role: Role): number | undefined {
  return allow.to === 'roles' && !allow.roles.includes(role) ? 403 : undefined;
}

function refusalOfReader({ allow, method, forReadOnly }: Operation): number | undefined {
  return allow.to === 'anyone' || method === 'GET' || forReadOnly ? undefined : 403;
}
