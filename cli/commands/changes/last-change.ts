import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { NotFoundError } from '../../errors.ts';
import { counted } from '../../output/number.ts';
import { printable } from '../../output/text.ts';
import { ago } from '../../output/time.ts';

type BulkEvent = Extract<
  OutputOf<'events.list'>['events'][number],
  { type: 'issues.updated' | 'conversations.updated' }
>;

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
  const types = 'issues.updated,conversations.updated';
  const { events } = await access.call('events.list', { limit: 100, types });
  const undone = new Set<number>();
  for (const event of events as readonly BulkEvent[]) {
    const { change_id, undoes } = event.data;
    // An undo that was itself undone has undone nothing.
    if (undoes !== undefined && !undone.has(change_id)) undone.add(undoes);
    if (undoes !== undefined || undone.has(change_id) || !isOwn(event.actor)) continue;
    return { id: change_id, description: describe(event) };
  }
  throw new NotFoundError(
    `You have made no change lately that can be undone. Run \`backoffice issues history <issue>\` to see those of an issue.`,
  );
}

function describe({ type, data, created_at }: BulkEvent): string {
  const rows = counted(data.count, type === 'issues.updated' ? 'issue' : 'conversation');
  const fields = Object.entries(data.set ?? {}).map(([name, value]) =>
    name === 'read' ? 'marked as read' : `${name}: ${value ?? 'none'}`,
  );
  return printable(`${rows}, ${fields.join(', ')}, ${ago(created_at)}`);
}
