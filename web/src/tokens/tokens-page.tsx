import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useCommands } from '../app/commands/commands.ts';
import { basePath, client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import { confirm } from '../parts/dialogs/confirm.tsx';
import { SearchField } from '../parts/inputs/search-field.tsx';
import { Note } from '../parts/note.tsx';
import { BarEnd, Page, PageContent } from '../parts/page/page.tsx';
import { ShortTable } from '../parts/table/short-table.tsx';
import { tokenColumns } from './token-columns.tsx';
import { reloadTokens, type Token, tokensQuery } from './token-queries.ts';
import type { TokenSearch } from './token-search.ts';
import styles from './tokens-page.module.css';

const CreateToken = lazyPart(() => import('./create-token.tsx'), 'CreateToken');

const ShellHelp = lazyPart(() => import('./shell-help.tsx'), 'ShellHelp');

const route = getRouteApi('/signed-in/tokens');

const views = [
  { value: 'valid', label: 'Valid' },
  { value: 'ended', label: 'Ended' },
  { value: 'all', label: 'All' },
];

/** Lists the API tokens that one may see, creates and revokes them. */
export function TokensPage() {
  const { q, show = 'valid', dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const { admin } = useSession();
  const { data, error, refetch } = useQuery(tokensQuery(q));
  const change = (part: Partial<TokenSearch>, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace });
  const open = (name: TokenSearch['dialog']) => change({ dialog: name }, false);
  const close = () => change({ dialog: undefined });
  const shown = data?.filter(({ state }) => show === 'all' || (state === 'valid') === (show === 'valid'));
  useCommands(
    (shown ?? [])
      .filter(({ state }) => state === 'valid')
      .map((token) => ({ title: `Revoke the token ${token.name}`, run: () => void revoke(token) })),
  );
  const seesAll = admin.role === 'superadmin';

  return (
    <Page
      title="Tokens"
      bar={
        <>
          <SearchField label="Search tokens" text={q} onChange={(words) => change({ q: words })} />
          <SegmentedControl
            aria-label="Which tokens"
            data={views}
            value={show}
            onChange={(value) => change({ show: value === 'valid' ? undefined : (value as 'ended') })}
          />
          <BarEnd>
            <Button variant="default" onClick={() => open('shell')}>
              Sign in from a shell
            </Button>
            <Button onClick={() => open('new')}>Create a token</Button>
          </BarEnd>
        </>
      }
    >
      <PageContent className={styles.content}>
        <p className={styles.intro}>
          A token lets a program call the API with your rights or fewer.
          {seesAll && ' You see the tokens of everybody.'}{' '}
          <a href={`${basePath}/api/docs`}>Documentation of the API</a>
        </p>
        <ShortTable
          label="Tokens"
          columns={tokenColumns(seesAll)}
          rows={shown}
          error={error}
          retry={() => void refetch()}
          nameOf={({ name }) => name}
          actions={(token) =>
            token.state === 'valid'
              ? [{ label: 'Revoke…', isDangerous: true, run: () => void revoke(token) }]
              : []
          }
          empty={
            q !== undefined || (data?.length ?? 0) > 0 ? (
              <Note
                title="No token matches"
                action={{ label: 'Show all', run: () => void navigate({ search: { show: 'all' } }) }}
              />
            ) : (
              <Note
                title="There are no tokens yet"
                action={{ label: 'Create a token', run: () => open('new') }}
              >
                Create one for each program, such as a nightly report, with no more rights than it needs.
              </Note>
            )
          }
        />
      </PageContent>
      <Suspense>
        {dialog === 'new' && <CreateToken onClose={close} />}
        {dialog === 'shell' && <ShellHelp onClose={close} />}
      </Suspense>
    </Page>
  );
}

async function revoke({ id, name }: Token): Promise<void> {
  await confirm({
    title: `Revoke the token ${name}?`,
    text: 'Programs that use it lose access at once, and so do the tokens that it has created. This cannot be undone.',
    action: 'Revoke',
    run: async () => {
      await client.call('tokens.revoke', { id });
      await reloadTokens();
    },
  });
}
