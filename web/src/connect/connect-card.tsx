import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type CardId, connectCards, linesOf, sampleOf, withAddress } from '../../../src/contract/connect.ts';
import { contactKeys, contactPageKey } from '../../../src/contract/known-settings/contact.ts';
import { basePath, client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { CopiedText } from '../parts/files/copied-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { Choice } from '../parts/inputs/choice.tsx';
import { tell, tellError } from '../parts/tell.ts';
import styles from './connect-page.module.css';
import { connectQuery } from './connect-queries.ts';

const address = `${location.origin}${basePath}`;

const languages = { curl: 'curl', node: 'Node', python: 'Python' } as const;

interface ConnectCardProps {
  readonly id: CardId;
  readonly isConnected: boolean;
  readonly isPageOff: boolean;
  readonly hasMailbox: boolean;
  /** Undefined until somebody has created one here. */
  readonly token: string | undefined;
  readonly onToken: (token: string) => void;
  readonly onCopy: () => void;
}

/** What to do for one kind of data, folded once some has come in. */
export function ConnectCard({ id, isConnected, ...props }: ConnectCardProps) {
  const { title, light } = connectCards[id];
  const [isOpen, setIsOpen] = useState(!isConnected);
  const wasConnected = useRef(isConnected);
  useEffect(() => {
    if (isConnected === wasConnected.current) return;
    wasConnected.current = isConnected;
    setIsOpen(!isConnected);
    if (isConnected) tell(`${title}: connected.`);
  }, [isConnected, title]);
  return (
    <details
      className={styles.card}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className={styles.summary}>
        <span className={styles.light} data-on={isConnected || undefined} aria-hidden="true" />
        <h2 className={styles.title}>{title}</h2>
        <span className={styles.state}>{isConnected ? 'Connected' : 'Nothing yet'}</span>
        <Icon name="chevron" />
      </summary>
      <div className={styles.body}>
        <Steps id={id} {...props} />
        <p className={styles.quiet}>{light}</p>
      </div>
    </details>
  );
}

function Steps({ id, isPageOff, hasMailbox, token, onToken, onCopy }: Omit<ConnectCardProps, 'isConnected'>) {
  const { title, markup = {}, sends } = connectCards[id];
  const words = { ...Object.fromEntries(Object.keys(markup).map((name) => [name, name])), ...languages };
  const [chosen, setChosen] = useState(Object.keys(words)[0] ?? '');
  const text = Object.hasOwn(languages, chosen)
    ? sampleOf(id, chosen as keyof typeof languages, address, token ?? 'TOKEN')
    : withAddress(markup[chosen] ?? '', address);
  return (
    <>
      <ul className={styles.lines}>
        {linesOf(id, address, hasMailbox).map((line) => (
          <li key={line}>
            <WithLinks text={line} />
          </li>
        ))}
      </ul>
      {isPageOff && <Button onClick={() => void switchPageOn()}>Switch the contact page on</Button>}
      <Choice label={`Sample, ${title}`} words={words} chosen={chosen} onChoose={setChosen} />
      <CopiedText label={`Sample, ${title}`} text={text} {...(token && sends.token ? { onCopy } : {})} />
      {sends.token && <TokenLine token={token} onToken={onToken} />}
    </>
  );
}

const settingNames = new RegExp(`(${contactKeys.join('|')})`);

/** Shows a text, in which the names of settings lead to them. */
function WithLinks({ text }: { readonly text: string }) {
  return text.split(settingNames).map((part) =>
    contactKeys.includes(part) ? (
      <Link key={part} to="/settings" search={{ setting: part }}>
        {part}
      </Link>
    ) : (
      part
    ),
  );
}

async function switchPageOn(): Promise<void> {
  try {
    await client.call('settings.update', { key: contactPageKey, value: '1' });
    await queryClient.invalidateQueries(connectQuery);
    tell('The contact page is on.');
  } catch (error) {
    tellError(error as Error);
  }
}

function TokenLine({ token, onToken }: Pick<ConnectCardProps, 'token' | 'onToken'>) {
  const [isMaking, setIsMaking] = useState(false);
  if (token !== undefined)
    return (
      <p className={styles.quiet}>
        The sample has your new token. It is shown only here and now, so copy it. It only sends data in, and
        you can revoke it on the page <Link to="/tokens">Tokens</Link>.
      </p>
    );
  async function make(): Promise<void> {
    setIsMaking(true);
    const rights = { role: 'user', expires_days: null, scope: 'intake' } as const;
    try {
      const { secret } = await client.call('tokens.create', { name: 'website', ...rights });
      onToken(secret);
    } catch (error) {
      tellError(error as Error);
    } finally {
      setIsMaking(false);
    }
  }
  return (
    <div className={styles.token}>
      <Button variant="default" loading={isMaking} onClick={() => void make()}>
        Create a token
      </Button>
      <span className={styles.quiet}>Takes the place of TOKEN in the samples. It only sends data in.</span>
    </div>
  );
}
