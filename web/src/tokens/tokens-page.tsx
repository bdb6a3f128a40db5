import { Button, SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { basePath } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import { Filters } from '../kit/filters.tsx';
import { useGo } from '../kit/go.ts';
import { useList } from '../kit/list.ts';
import { Table } from '../kit/table.tsx';
import { Page } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';
import { revoke, type Token, tokens } from './token-resource.tsx';

const CreateToken = lazyPart(() => import('./token-dialogs.tsx'), 'CreateToken');
const ShellHelp = lazyPart(() => import('./token-dialogs.tsx'), 'ShellHelp');

const route = getRouteApi('/signed-in/tokens');
const isShown = {
  valid: ({ state }: Token) => state === 'valid',
  ended: ({ state }: Token) => state !== 'valid',
  all: () => true,
};
const states = Object.keys(isShown).map((state) => ({ value: state, label: capital(state) }));
const actions = [revoke];

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
          <SegmentedControl
            aria-label="Which tokens"
            data={states}
            value={show}
            onChange={(state) => go({ show: state === 'valid' ? undefined : state }, true)}
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
      <Suspense>
        {dialog === 'new' && <CreateToken onClose={close} />}
        {dialog === 'shell' && <ShellHelp onClose={close} />}
      </Suspense>
    </Page>
  );
}
