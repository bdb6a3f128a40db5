import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { tokens as noun } from '../../../src/contract/fields/tokens.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { basePath, client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import type { FilterOf } from '../kit/address.ts';
import { agoColumn } from '../kit/columns.tsx';
import { Filters } from '../kit/filters.tsx';
import { useGo } from '../kit/go.ts';
import { useList } from '../kit/list.ts';
import { resource } from '../kit/resource.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { Choice } from '../parts/choice.tsx';
import { RelativeTime, useNow } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';

const CreateToken = lazyPart(() => import('./token-dialogs.tsx'), 'CreateToken');
const ShellHelp = lazyPart(() => import('./token-dialogs.tsx'), 'ShellHelp');

type Token = OutputOf<'tokens.list'>['tokens'][number];

/** A token that expires within this time is marked. */
const soonMs = 7 * 86_400_000;

/** The API tokens that one may see: one's own, or those of everybody. */
const tokens = resource<Token, FilterOf<typeof noun>>({
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
    return { rows: (await client.call('tokens.list', { q }, signal)).tokens };
  },
});

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

const actions: readonly Action<Token>[] = [
  {
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
  },
];

const route = getRouteApi('/signed-in/tokens');
const isShown = {
  valid: ({ state }: Token) => state === 'valid',
  ended: ({ state }: Token) => state !== 'valid',
  all: () => true,
};
const states = { valid: 'Valid', ended: 'Ended', all: 'All' } as const;

/** Lists the API tokens that one may see, creates and revokes them. */
export function TokensPage() {
  const { q, show = 'valid', dialog } = route.useSearch();
  const list = useList(tokens, { q }, { isShown: isShown[show] });
  const seesAll = useSession().admin.role === 'superadmin';
  const go = useGo();
  const close = () => go({ dialog: undefined }, true);
  return (
    <Page
      title="Tokens"
      action={
        <>
          <Button variant="default" onClick={() => go({ dialog: 'shell' })}>
            Sign in from a shell
          </Button>
          <Button onClick={() => go({ dialog: 'new' })}>Create a token</Button>
        </>
      }
      bar={
        <Filters list={list}>
          <Choice
            label="Which tokens"
            words={states}
            chosen={show}
            onChoose={(state) => go({ show: state === 'valid' ? undefined : state }, true)}
          />
        </Filters>
      }
    >
      <p className={sheet.note}>
        A token lets a program call the API with your rights or fewer.
        {seesAll && ' You see the tokens of everybody.'}{' '}
        <a href={`${basePath}/api/docs`}>Documentation of the API</a>
      </p>
      <Table
        list={list}
        actions={actions}
        nameOf={({ name }) => name}
        empty={{
          title: show === 'ended' ? 'No token has ended' : 'There are no tokens yet',
          text: 'Create one for each program, such as a nightly report, with no more rights than it needs.',
        }}
      />
      {dialog === 'new' && <CreateToken onClose={() => void tokens.reload().finally(close)} />}
      {dialog === 'shell' && <ShellHelp onClose={close} />}
    </Page>
  );
}
