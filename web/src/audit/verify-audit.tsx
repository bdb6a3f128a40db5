import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { counted, formatCount } from '../parts/numbers.ts';
import { Moment } from '../parts/time/moment.tsx';
import styles from './audit-page.module.css';
import { useLongRun } from './use-long-run.ts';

/** What a verification has found, and when. */
interface Verified extends Pick<OutputOf<'audit.verify'>, 'problem' | 'unproven'> {
  readonly count: number;
  readonly at: string;
}

/** Proves that the trail is intact. It takes half a minute for a million entries, which can be stopped. */
export function VerifyAudit() {
  const [verified, setVerified] = useState<Verified>();
  const { done, start, cancel } = useLongRun(async (signal, onProgress) =>
    setVerified(await verifyAll(signal, onProgress)),
  );
  if (done !== undefined) {
    return (
      <Button size="compact-sm" variant="default" onClick={cancel}>
        {formatCount(done)} verified · Cancel
      </Button>
    );
  }
  return (
    <>
      {verified && <Result verified={verified} />}
      <Button size="compact-sm" variant="default" onClick={start}>
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
