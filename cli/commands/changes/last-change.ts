import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { NotFoundError } from '../../errors.ts';
import { counted } from '../../output/number.ts';
import { printable } from '../../output/text.ts';
import { ago } from '../../output/time.ts';
import type { HistoryEntry } from './history-columns.ts';

type Event<Type extends string> = Extract<OutputOf<'events.list'>['events'][number], { type: Type }>;
/** The event of a change of several rows. */
type BulkEvent = Event<'issues.updated' | 'conversations.updated'>;
/** The event of a change of one row, which does not say the number of the change. */
type SingleEvent = Event<'issue.updated' | 'conversation.updated'>;

const types = 'issues.updated,conversations.updated,issue.updated,conversation.updated';

/** The entries of a history in which the change of an event is looked for. */
const searchedEntries = 100;
/** An event and the history of the same change are recorded within this time. */
const sameChangeMs = 10_000;

/** A change that can be undone, and what it did. */
export interface LastChange {
  readonly id: number;
  readonly description: string;
}

/**
 * Finds the last change of issues or conversations that a person made and has not undone.
 *
 * @param isOwn - reports whether an actor is that person
 * @throws NotFoundError if there is none among the latest events
 */
export async function findLastChange(access: Access, isOwn: (actor: string) => boolean): Promise<LastChange> {
  const { events } = await access.call('events.list', { limit: 100, types });
  const undone = new Set<number>();
  for (const event of events as readonly (BulkEvent | SingleEvent)[]) {
    if (isBulk(event)) {
      const { change_id, undoes } = event.data;
      // An undo that was itself undone has undone nothing.
      if (undoes !== undefined && !undone.has(change_id)) undone.add(undoes);
      if (undoes !== undefined || undone.has(change_id) || !isOwn(event.actor)) continue;
      return { id: change_id, description: describeBulk(event) };
    }
    const id = isOwn(event.actor) ? await changeOf(access, event) : undefined;
    if (id !== undefined && !undone.has(id)) return { id, description: describeSingle(event) };
  }
  throw new NotFoundError(
    'You have made no change lately that can be undone. Run `backoffice issues history <issue>` or ' +
      '`backoffice conversations history <conversation>` to see those of one.',
  );
}

function isBulk(event: BulkEvent | SingleEvent): event is BulkEvent {
  return 'change_id' in event.data;
}

/** Returns the number of the change of a status; undefined for what cannot be undone, such as reading messages. */
async function changeOf(access: Access, event: SingleEvent): Promise<number | undefined> {
  const { status } = event.data;
  if (status === undefined || event.subject_id === null) return undefined;
  const distance = ({ at }: HistoryEntry) => Math.abs(Date.parse(at) - Date.parse(event.created_at));
  const [nearest] = (await historyOf(access, event.type, event.subject_id))
    .filter((entry) => entry.field === 'status' && entry.after === status && distance(entry) < sameChangeMs)
    .sort((one, other) => distance(one) - distance(other));
  return nearest?.change_id;
}

async function historyOf(
  access: Access,
  type: SingleEvent['type'],
  id: string,
): Promise<readonly HistoryEntry[]> {
  const input = { id, limit: searchedEntries };
  const { history } =
    type === 'issue.updated'
      ? await access.call('issues.history', input)
      : await access.call('conversations.history', input);
  return history;
}

function describeBulk({ type, data, created_at }: BulkEvent): string {
  const rows = counted(data.count, type === 'issues.updated' ? 'issue' : 'conversation');
  const fields = Object.entries(data.set ?? {}).map(([name, value]) =>
    name === 'read' ? 'marked as read' : `${name}: ${value ?? 'none'}`,
  );
  return printable(`${rows}, ${fields.join(', ')}, ${ago(created_at)}`);
}

function describeSingle({ type, subject_id, data, created_at }: SingleEvent): string {
  const noun = type === 'issue.updated' ? 'issue' : 'conversation';
  return printable(`${noun} ${subject_id}, status: ${data.status}, ${ago(created_at)}`);
}
