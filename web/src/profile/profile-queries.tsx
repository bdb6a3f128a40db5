import { sessions as sessionNoun } from '../../../src/contract/fields/sessions.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers } from '../app/data/reload.ts';
import { sessionQuery } from '../app/session/session.ts';
import { agoColumn } from '../kit/columns.tsx';
import { resource } from '../kit/resource.ts';
import sheet from '../parts/sheet.module.css';

export type Factor = OutputOf<'factors.list'>['factors'][number];
export type OwnSession = OutputOf<'sessions.listOwn'>['sessions'][number];

const kinds = { totp: 'Authenticator app', passkey: 'Passkey' } as const;

/** Returns the kind of a factor in words. */
export const kindOf = ({ type }: Pick<Factor, 'type'>): string => kinds[type];

/** Returns what its owner calls a factor, or else its kind. */
export const nameOf = (factor: Pick<Factor, 'type' | 'name'>): string => factor.name || kindOf(factor);

/** What is known of one's own second factors beside them: how many recovery codes are left, and what the service asks for. */
export const factorsQuery = {
  queryKey: ['factors', 'about'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => client.call('factors.list', {}, signal),
} as const;

/** One's own second factors. */
export const factors = resource<Factor>({
  noun: {
    id: 'factors',
    one: 'second factor',
    many: 'second factors',
    event: 'factor',
    table: 'second_factors',
    fields: {},
  },
  isWhole: true,
  columns: [
    { field: 'name', title: 'Name', phone: 'title', cell: (factor) => <bdi>{nameOf(factor)}</bdi> },
    { field: 'type', title: 'Kind', phone: 'start', width: '160px', cell: kindOf },
    agoColumn({ field: 'created_at', title: 'Added' }),
    agoColumn({ field: 'last_used_at', title: 'Last used', phone: 'end' }, 'Not yet'),
  ],
  read: async () => ({ rows: (await queryClient.fetchQuery({ ...factorsQuery, staleTime: 0 })).factors }),
  changedBy: ({ type }) => (/^(factor|recovery_code)/.test(type) ? 'any' : undefined),
});

/** Where one is signed in. */
export const ownSessions = resource<OwnSession>({
  noun: { ...sessionNoun, id: 'ownSessions', many: 'your sessions' },
  isWhole: true,
  columns: [
    {
      field: 'device',
      title: 'Device',
      phone: 'title',
      cell: ({ device, is_current: isCurrent }) => (
        <>
          {device || 'Unknown'} {isCurrent && <span className={sheet.tag}>This session</span>}
        </>
      ),
    },
    {
      field: 'address',
      title: 'Address',
      phone: 'start',
      width: '128px',
      cell: ({ address }) => address || 'Unknown',
    },
    agoColumn({ field: 'created_at' }),
    agoColumn({ field: 'last_seen_at', phone: 'end' }),
  ],
  read: async (_filter, _part, signal) => ({
    rows: (await client.call('sessions.listOwn', {}, signal)).sessions,
  }),
  changedBy: ({ type }) => (type.startsWith('session.') ? 'any' : undefined),
});

// Roles that get no events of sessions and factors see them when they return to the page.
receivers.add((event) => {
  const me = queryClient.getQueryData(sessionQuery.queryKey)?.admin.id;
  if (event.type === 'admin.updated' && event.subject_id === me)
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
});
