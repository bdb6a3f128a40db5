import { Button, Skeleton } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type CardId,
  cardIds,
  connectCards,
  linesOf,
  sampleOf,
  withAddress,
} from '../../../src/contract/connect.ts';
import { contactKeys, contactPageKey } from '../../../src/contract/known-settings/contact.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { basePath, client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { useUnsaved } from '../form/unsaved.ts';
import { Choice } from '../parts/choice.tsx';
import { CopiedText } from '../parts/copied-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { Failure } from '../parts/note.tsx';
import { Page, PageContent } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { tell, tellError } from '../parts/tell.tsx';
import styles from './connect-page.module.css';
import { connectQuery } from './connect-query.ts';

/** Says how a website sends its data, with commands to try it, and what has come in. */
export function ConnectPage() {
  const { data, error, refetch } = useQuery(connectQuery);
  /** Shown once: the service does not tell it again. */
  const [token, setToken] = useState<string>();
  const [isCopied, setIsCopied] = useState(false);
  useUnsaved({
    isUnsaved: token !== undefined && !isCopied,
    question: {
      title: 'Leave without the token?',
      text: 'It is not shown again. Copy a sample first.',
      action: 'Leave',
    },
  });
  return (
    <Page title="Connect your website">
      <PageContent className={sheet.column}>
        <p className={`${sheet.text} ${sheet.quiet}`}>
          Choose what your website sends. Each light turns green when its first record comes in.
        </p>
        {data === undefined && error && <Failure error={error} retry={() => void refetch()} />}
        {data === undefined && !error && <Skeleton height={320} data-loading />}
        {data !== undefined &&
          cardIds.map((id) => (
            <ConnectCard
              key={id}
              id={id}
              state={data}
              token={token}
              onToken={setToken}
              onCopy={() => setIsCopied(true)}
            />
          ))}
      </PageContent>
    </Page>
  );
}

const address = `${location.origin}${basePath}`;

const languages = { curl: 'curl', node: 'Node', python: 'Python' } as const;

interface ConnectCardProps {
  readonly id: CardId;
  readonly state: OutputOf<'connect.show'>;
  /** Undefined until somebody has created one here. */
  readonly token: string | undefined;
  readonly onToken: (token: string) => void;
  readonly onCopy: () => void;
}

/** What to do for one kind of data, folded once some has come in. */
function ConnectCard({ id, state, token, onToken, onCopy }: ConnectCardProps) {
  const isConnected = state.connected[id];
  const { title, light, markup = {}, sends } = connectCards[id];
  const words = { ...Object.fromEntries(Object.keys(markup).map((name) => [name, name])), ...languages };
  const [chosen, setChosen] = useState(Object.keys(words)[0] ?? '');
  const text = Object.hasOwn(languages, chosen)
    ? sampleOf(id, chosen as keyof typeof languages, address, token ?? 'TOKEN')
    : withAddress(markup[chosen] ?? '', address);
  const [isOpen, setIsOpen] = useState(!isConnected);
  useDidUpdate(() => {
    setIsOpen(!isConnected);
    if (isConnected) tell(`${title}: connected.`);
  }, [isConnected]);
  return (
    <details
      className={sheet.box}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className={`${sheet.row} ${styles.summary}`}>
        <span className={styles.light} data-on={isConnected || undefined} aria-hidden="true" />
        <h2>{title}</h2>
        <span className={`${sheet.quiet} ${styles.state}`}>{isConnected ? 'Connected' : 'Nothing yet'}</span>
        <Icon name="chevron" />
      </summary>
      <div className={`${sheet.stack} ${styles.body}`}>
        <div className={sheet.prose}>
          <ul>
            {linesOf(id, address, state.mailbox).map((line) => (
              <li key={line}>
                <WithLinks text={line} />
              </li>
            ))}
          </ul>
        </div>
        {id === 'contact' && !state.contact_page && (
          <Button onClick={() => void switchPageOn().catch(tellError)}>Switch the contact page on</Button>
        )}
        <Choice label={`Sample, ${title}`} words={words} chosen={chosen} onChoose={setChosen} />
        <CopiedText label={`Sample, ${title}`} text={text} {...(token && sends.token && { onCopy })} />
        {sends.token && <TokenLine token={token} onToken={onToken} />}
        <p className={`${sheet.text} ${sheet.quiet}`}>{light}</p>
      </div>
    </details>
  );
}

const contactAddress = `${address}/contact`;
const linked = new RegExp(
  `(${contactKeys.join('|')}|${contactAddress.replaceAll(/[.?*+^$()[\]{}|\\]/g, String.raw`\$&`)})`,
);

/** Shows a text, in which the names of settings lead to them, and the address of the contact page to that. */
function WithLinks({ text }: { readonly text: string }) {
  return text.split(linked).map((part) => {
    if (part === contactAddress)
      return (
        <a key={part} href={part} target="_blank" rel="noreferrer">
          {part}
        </a>
      );
    if (!contactKeys.includes(part)) return part;
    return (
      <Link key={part} to="/settings" search={{ setting: part }}>
        {part}
      </Link>
    );
  });
}

async function switchPageOn(): Promise<void> {
  await client.call('settings.update', { key: contactPageKey, value: '1' });
  await queryClient.invalidateQueries(connectQuery);
  tell('The contact page is on.');
}

function TokenLine({ token, onToken }: Pick<ConnectCardProps, 'token' | 'onToken'>) {
  const make = useMutation({
    mutationFn: () =>
      client.call('tokens.create', { name: 'website', role: 'user', expires_days: null, scope: 'intake' }),
    onSuccess: ({ secret }) => onToken(secret),
    onError: tellError,
  });
  if (token !== undefined)
    return (
      <p className={`${sheet.text} ${sheet.quiet}`}>
        The sample has your new token. It is shown only here and now, so copy it. It only sends data in, and
        you can revoke it on the page <Link to="/tokens">Tokens</Link>.
      </p>
    );
  return (
    <div className={sheet.row}>
      <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        Create a token
      </Button>
      <span className={sheet.quiet}>Takes the place of TOKEN in the samples. It only sends data in.</span>
    </div>
  );
}
