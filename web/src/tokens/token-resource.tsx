import { tokens as noun } from '../../../src/contract/fields/tokens.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import type { FilterOf } from '../kit/address.ts';
import { agoColumn } from '../kit/columns.tsx';
import { resource } from '../kit/resource.ts';
import type { Action } from '../kit/rows.ts';
import { RelativeTime, useNow } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';

export type Token = OutputOf<'tokens.list'>['tokens'][number];

/** A token that expires within this time is marked. */
const soonMs = 7 * 86_400_000;

/** The API tokens that one may see: one's own, or those of everybody. */
export const tokens = resource<Token, FilterOf<typeof noun>>({
  noun,
  isWhole: true,
  columns: [
    {
      field: 'name',
      phone: 'title',
      cell: ({ name, read_only, scope }) => (
        <>
          <bdi>{name}</bdi> {read_only && <span className={sheet.tag}>Read only</span>}
          {scope === 'intake' && <span className={sheet.tag}>Only sends in</span>}
        </>
      ),
    },
    {
      field: 'owner',
      title: 'Owner',
      from: 'medium',
      cell: ({ owner, created_by }) =>
        owner === null ? `None, by ${created_by}` : (owner.email ?? owner.id),
    },
    { field: 'role', from: 'medium', cell: ({ role }) => role },
    agoColumn({ field: 'last_used_at', title: 'Last used', phone: 'end' }, 'Never used'),
    {
      field: 'expires_at',
      title: 'Expires',
      phone: 'start',
      width: '184px',
      cell: (token) => <End token={token} />,
    },
  ],
  async read({ q }, _part, signal) {
    return { rows: (await client.call('tokens.list', { q }, signal)).tokens, next: undefined };
  },
});

export const revoke: Action<Token> = {
  label: 'Revoke',
  needs: 'tokens.revoke',
  isDangerous: true,
  unless: ({ state }) => (state === 'valid' ? undefined : false),
  ask: ({ name }) => ({
    title: `Revoke the token ${name}?`,
    text: 'Programs that use it lose access at once, and so do the tokens that it has created. This cannot be undone.',
    action: 'Revoke',
  }),
  run: ({ id }) => client.call('tokens.revoke', { id }),
  done: ({ name }) => `Token ${name} revoked.`,
};

function End({ token: { state, expires_at, revoked_at } }: { readonly token: Token }) {
  const now = useNow();
  const at = state === 'revoked' ? revoked_at : expires_at;
  if (at === null) return <span className={sheet.quiet}>Never expires</span>;
  const isSoon = state === 'valid' && Date.parse(at) - now < soonMs;
  const word = { valid: 'Expires', expired: 'Expired', revoked: 'Revoked' }[state];
  return (
    <span className={isSoon ? sheet.warning : state === 'valid' ? undefined : sheet.quiet}>
      {word} <RelativeTime at={at} />
    </span>
  );
}
