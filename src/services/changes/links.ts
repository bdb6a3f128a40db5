import type { EventData } from '../../contract/events/envelope.ts';
import { linkErrors } from '../../contract/operations/links.ts';
import type { Database } from '../../db/connection/database.ts';
import type { ChangedRow } from '../../db/outbox/record-changes.ts';
import { insertLink, type Link, type LinkTarget, lockKey } from '../../db/tables/links.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { refuse } from '../call/refuse.ts';

/** What a request links an issue to. An id that no row can have is null. */
interface Sources {
  readonly conversation_id?: string | undefined;
  readonly scraping_error_id?: number | null | undefined;
}

/** Returns each thing that a request links an issue to. */
export function targetsOf({ conversation_id, scraping_error_id }: Sources): LinkTarget[] {
  return [
    ...(conversation_id === undefined ? [] : [{ conversation_id, scraping_error_id: null }]),
    ...(scraping_error_id === undefined ? [] : [{ conversation_id: null, scraping_error_id }]),
  ];
}

/** Keeps a target from being deleted until the transaction ends. Refuses if it does not exist. */
export async function lockTarget(tx: Database, target: LinkTarget): Promise<void> {
  const { conversation_id, scraping_error_id } = target;
  if (conversation_id !== null) {
    if (!(await lockKey(tx, 'conversations', conversation_id))) refuse(linkErrors.unknownConversation);
  } else if (!(await lockKey(tx, 'scraping_errors', scraping_error_id))) {
    refuse(linkErrors.unknownScrapingError);
  }
}

/** Adds a link between locked rows. Resolves with false if they are already linked. */
export async function addLink(
  tx: Database,
  record: RecordChange,
  link: Link,
  actor: Actor,
): Promise<boolean> {
  const added = await insertLink(tx, link, actor.name);
  if (added) record({ event: 'link.created', id: link.issue_id, after: linkData(link) });
  return added;
}

/** Returns the record of a deleted link. It belongs to the issue, because a link has no public id of its own. */
export function linkDeleted(link: Link): ChangedRow {
  return { event: 'link.deleted', id: link.issue_id, before: linkData(link) };
}

function linkData({ issue_id, conversation_id, scraping_error_id }: Link): EventData<'link.created'> {
  return {
    issue_id,
    ...(conversation_id === null ? {} : { conversation_id }),
    ...(scraping_error_id === null ? {} : { scraping_error_id }),
  };
}
