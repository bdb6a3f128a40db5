import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/client.ts';
import { counted, formatCount } from '../parts/numbers.ts';
import { tellError } from '../parts/tell.ts';
import { Moment } from '../parts/time/moment.tsx';
import styles from './audit-page.module.css';

/** What a verification has found, and when. */
interface Verified extends Pick<OutputOf<'audit.verify'>, 'problem' | 'unproven'> {
  readonly count: number;
  readonly at: string;
}

/** Proves that the trail is intact. It takes half a minute for a million entries, which can be stopped. */
export function VerifyAudit() {
  const [done, setDone] = useState<number>();
  const [verified, setVerified] = useState<Verified>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);

  async function verify(): Promise<void> {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setDone(0);
    try {
      setVerified(await verifyAll(signal, setDone));
    } catch (error) {
      if (!signal.aborted) tellError(error as Error);
    }
    setDone(undefined);
  }

  if (done !== undefined) {
    return (
      <Button size="compact-sm" variant="default" onClick={() => ending.current?.abort()}>
        {formatCount(done)} verified · Cancel
      </Button>
    );
  }
  return (
    <>
      {verified && <Result verified={verified} />}
      <Button size="compact-sm" variant="default" onClick={() => void verify()}>
        Verify
      </Button>
    </>
  );
}

function Result({ verified: { count, unproven, problem, at } }: { readonly verified: Verified }) {
  if (problem !== null)
    return (
      <span className={styles.broken} role="alert">
        {problem.message}
      </span>
    );
  return (
    <span className={styles.intact} role="status">
      {counted(count, 'entry is', 'entries are')} intact
      {unproven > 0 && `, ${formatCount(unproven)} older ones cannot be verified`}
      {', '}
      <Moment at={at} form="time" />
    </span>
  );
}

/** Verifies the trail part by part, up to the first problem. */
async function verifyAll(signal: AbortSignal, onProgress: (done: number) => void): Promise<Verified> {
  let [count, from] = [0, undefined as string | undefined];
  for (;;) {
    const part = await client.call('audit.verify', { from }, signal);
    const { problem, unproven, last, complete } = part;
    count += part.verified;
    if (complete) return { count, problem, unproven, at: new Date().toISOString() };
    onProgress(count);
    from = `${last.id}:${last.chain}`;
  }
}
