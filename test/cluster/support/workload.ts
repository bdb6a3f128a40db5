import { createClient } from '../../../src/contract/client/client.ts';
import { follow } from '../../support/here/events.ts';
import { openSession } from '../../support/here.ts';
import { until } from './machine.ts';
import { countSetting, Ledger, writeIssues, writeOnce } from './writer.ts';

/** Writers and followers on several instances of the service. */
export type Workload = Awaited<ReturnType<typeof startWorkload>>;

/** The setting that the writers of an instance count up. */
export const settingOf = (instance: number) => `counted_by_${instance}`;

const tokenWriters = 3;

export async function startWorkload(
  urls: readonly string[],
  account: Record<'email' | 'password' | 'token', string>,
) {
  const { email, password, token } = account;
  const stopping = new AbortController();
  const { signal: stop } = stopping;
  const ledgers = urls.map(() => new Ledger());
  const clients = urls.map((baseUrl) => createClient({ baseUrl, token }));
  const followers = await Promise.all([...clients, ...clients].map((client) => follow(client, { after: 0 })));
  const cookies = await Promise.all(urls.map((url) => openSession(url, email, password)));

  const writers = urls.flatMap((url, instance) => {
    const ledger = ledgers[instance] as Ledger;
    const bearer = { url, headers: { authorization: `Bearer ${token}` }, ledger, stop };
    return [
      ...Array.from({ length: tokenWriters }, () => writeIssues(bearer)),
      writeIssues({ ...bearer, headers: { cookie: String(cookies[instance]) } }),
      countSetting(bearer, settingOf(instance)),
    ];
  });
  const once = clients.map((client) => writeOnce(client, stop));

  return {
    /** One for each instance. */
    ledgers,
    /** Two for each instance. */
    followers,
    /** Resolves when every instance has acknowledged a request that began after that time. */
    async untilAcknowledgedSince(time: number) {
      await until('every instance acknowledges changes', () =>
        ledgers.every(({ lastStart }) => lastStart > time),
      );
    },
    /** Ends the writers, and returns the titles of the issues that were created with an `Idempotency-Key`. */
    async stopWriting() {
      stopping.abort();
      await Promise.all(writers);
      return (await Promise.all(once)).flat();
    },
  };
}
