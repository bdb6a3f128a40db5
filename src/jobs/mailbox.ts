import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ImapFlow } from 'imapflow';
import { holdMailbox, type MailboxState, updateMailbox } from '../db/tables/mailboxes.ts';
import type { Log } from '../services/call/observer.ts';
import type { Services } from '../services/context.ts';
import { describeImapError, imapTimeoutMs, type Mailbox, mailboxOf } from '../services/incoming/imap.ts';
import { mailHeadBytes, maxMailBytes, takenOf } from '../services/incoming/mail-reader.ts';
import { changeByMail, receiveMail } from '../services/operations/receive-mail.ts';
import { atMost, createBackoff, wait, within } from '../shared/waiting.ts';

interface Reading {
  readonly services: Services;
  readonly mailbox: Mailbox;
  readonly holder: string;
  /** Rejects if the server takes too long for an answer. */
  readonly answer: <T>(answer: Promise<T>) => Promise<T>;
  readonly timeoutMs: number;
}

/** The holder renews its hold several times before another instance takes over. */
const renewMs = 2_000;
/** A server may not say that a mail has arrived, or have frozen. */
const checkMs = 15_000;
/** A large mail takes longer than an answer. */
const fetchTimeoutMs = 120_000;
const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

/** Reads the mailbox of IMAP_URL until the signal aborts, on one instance at a time, and connects again after failures. */
export async function keepReadingMailbox(
  { services, log }: { readonly services: Services; readonly log: Log },
  imapUrl: string,
  stop: AbortSignal,
  timeoutMs = imapTimeoutMs,
): Promise<void> {
  const answer = <T>(awaited: Promise<T>) => within(timeoutMs, awaited, noAnswer);
  const reading = { services, mailbox: mailboxOf(imapUrl), holder: randomUUID(), answer, timeoutMs };
  const db = services.databases.primary;
  const { name } = reading.mailbox;
  const backoff = createBackoff({ firstMs: firstRetryMs, maxMs: maxRetryMs, jitter: 0.3 });
  let lastError: string | undefined;
  const onRead = () => {
    backoff.reset();
    if (lastError !== undefined) log.info({ mailbox: name }, 'mailbox can be read again');
    lastError = undefined;
  };
  while (!stop.aborted) {
    let delayMs = renewMs;
    try {
      const state = await holdMailbox(db, name, reading.holder);
      if (state !== null) await readWhileHeld(reading, state, stop, onRead);
    } catch (err) {
      if (stop.aborted) break;
      const error = describeImapError(err);
      if (error !== lastError) log.warn({ mailbox: name, err }, 'mailbox cannot be read, retrying');
      lastError = error;
      await updateMailbox(db, name, { error }).catch(() => {});
      delayMs = backoff.next();
    }
    await wait(delayMs, stop);
  }
  // So that another instance need not wait.
  await updateMailbox(db, name, { holder: null }).catch(() => {});
}

async function readWhileHeld(reading: Reading, state: MailboxState, stop: AbortSignal, onRead: () => void) {
  const { services, mailbox, holder, answer, timeoutMs } = reading;
  const db = services.databases.primary;
  const save = (update: Parameters<typeof updateMailbox>[2]) => updateMailbox(db, mailbox.name, update);
  const client = await mailbox.connection();
  const lost = new AbortController();
  const over = AbortSignal.any([stop, lost.signal]);
  over.addEventListener('abort', () => client.close(), { once: true });
  client.on('close', () => lost.abort());
  const renewed = renewHold(async () => (await holdMailbox(db, mailbox.name, holder)) !== null, over, lost);
  try {
    await within(2 * timeoutMs, client.connect(), noAnswer);
    const { uidNext, uidValidity } = await answer(client.mailboxOpen(mailbox.folder));
    const uid_validity = Number(uidValidity);
    // UIDs of before mean nothing now. Then what is seen was read before, or by somebody else.
    let last = state.uid_validity === uid_validity ? state.last_uid : null;
    while (!over.aborted) {
      const arrived = once(client, 'exists', { signal: over }).catch(() => {});
      for (const uid of await search(reading, client, last)) {
        if (!over.aborted) await storeMail(reading, client, uid);
        if (over.aborted || last === null) continue;
        last = uid;
        await save({ last_uid: uid });
      }
      if (over.aborted) break;
      last ??= uidNext - 1;
      await save({ uid_validity, last_uid: last, error: null });
      onRead();
      await atMost(checkMs, arrived);
      if (!over.aborted) await answer(client.noop());
    }
    if (!stop.aborted) throw Object.assign(new Error('The connection ended.'), { code: 'NoConnection' });
  } finally {
    lost.abort();
    await renewed;
  }
}

const noAnswer = () => Object.assign(new Error('The mail server does not answer.'), { code: 'ETIMEOUT' });

/** Returns the UIDs after the last one, or those of the mails that nobody has seen, in ascending order. */
async function search({ answer }: Reading, client: ImapFlow, last: number | null): Promise<number[]> {
  const query = last === null ? { seen: false } : { uid: `${last + 1}:*` };
  const found = await answer(client.search(query, { uid: true }));
  // False if the server refuses it: then nothing is known of the mailbox.
  if (!Array.isArray(found)) throw new Error('The mail server refuses to search.');
  // `n:*` has the last mail even if its UID is lower.
  return found.filter((uid) => uid > (last ?? 0)).toSorted((a, b) => a - b);
}

/** Stores a mail before it is marked as seen, so that it is not lost. One that is stored twice counts once. */
async function storeMail({ services, answer }: Reading, client: ImapFlow, uid: number): Promise<void> {
  const of = { uid: true } as const;
  const { size = 0 } = (await answer(client.fetchOne(String(uid), { size: true }, of))) || {};
  // The whole of one that is too large would hold up those after it.
  const source = size > maxMailBytes ? { start: 0, maxLength: mailHeadBytes } : true;
  const mail = await within(fetchTimeoutMs, client.fetchOne(String(uid), { source }, of), noAnswer);
  // Somebody may have deleted it.
  if (!mail || mail.source === undefined) return;
  const taken = takenOf(mail.source, Math.max(size, mail.source.length));
  await receiveMail(services, changeByMail(services), taken);
  await answer(client.messageFlagsAdd(String(uid), ['\\Seen'], of));
}

/** Renews the hold until the reading is over, which it is without the hold. */
async function renewHold(renew: () => Promise<boolean>, over: AbortSignal, lost: AbortController) {
  await wait(renewMs, over);
  while (!over.aborted) {
    if (!(await renew().catch(() => false))) return lost.abort();
    await wait(renewMs, over);
  }
}
