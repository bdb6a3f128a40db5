import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import { linkErrors } from '../../contract/operations/links.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/pool.ts';
import {
  deleteLinks,
  insertLink,
  type Link,
  type LinkTarget,
  linkList,
  lockConversationKey,
  lockIssueKey,
  lockScrapingErrorKey,
} from '../../db/tables/links.ts';
import type { ChangedRow } from '../../db/tables/record-changes.ts';
import type { Actor } from '../call/actor.ts';
import type { Context, Touch } from '../call/context.ts';
import { answerList } from '../streaming/list-answer.ts';
import type { StreamedJson } from '../streaming/streamed-json.ts';

export async function listLinks(
  context: Context,
  { limit, ...filter }: ParsedInputOf<'links.list'>,
): Promise<StreamedJson> {
  return answerList(context, 'links.list', linkList(filter), limit);
}

export async function createLink(
  { change, actor }: Context,
  { issue_id, ...sources }: ParsedInputOf<'links.create'>,
): Promise<OutputOf<'links.create'>> {
  const refusal = await change(async (tx, touch) => {
    if (issue_id === null || !(await lockIssueKey(tx, issue_id))) return linkErrors.unknownIssue;
    for (const target of targetsOf(sources)) {
      const refused = await holdTarget(tx, target);
      if (refused !== undefined) return refused;
      if (!(await addLink(tx, touch, { issue_id, ...target }, actor))) return linkErrors.linked;
    }
  });
  if (refusal !== undefined) throw new BackofficeError(refusal);
  return { success: true };
}

export async function deleteLink(
  { change }: Context,
  { issue_id, ...sources }: ParsedInputOf<'links.delete'>,
): Promise<OutputOf<'links.delete'>> {
  await change(async (tx, touch) => {
    for (const target of targetsOf(sources)) {
      touch(...(await deleteLinks(tx, target, issue_id)).map(linkDeleted));
    }
  });
  return { success: true };
}

/** What a request wants an issue linked to; an id that no row can have is null. */
interface Sources {
  readonly conversation_id?: string | undefined;
  readonly scraping_error_id?: number | null | undefined;
}

/** Each thing that a request wants an issue linked to. */
export function targetsOf({ conversation_id, scraping_error_id }: Sources): LinkTarget[] {
  return [
    ...(conversation_id === undefined ? [] : [{ conversation_id, scraping_error_id: null }]),
    ...(scraping_error_id === undefined ? [] : [{ conversation_id: null, scraping_error_id }]),
  ];
}

/** Keeps a target from being deleted until the transaction ends; tells what is refused where it is not there. */
export async function holdTarget(tx: Database, target: LinkTarget): Promise<DocumentedError | undefined> {
  const { conversation_id, scraping_error_id } = target;
  if (conversation_id === null) {
    return (await lockScrapingErrorKey(tx, scraping_error_id)) ? undefined : linkErrors.unknownScrapingError;
  }
  return (await lockConversationKey(tx, conversation_id)) ? undefined : linkErrors.unknownConversation;
}

/** Links things that are held. Resolves with false where they are linked already. */
export async function addLink(tx: Database, touch: Touch, link: Link, actor: Actor): Promise<boolean> {
  const added = await insertLink(tx, link, actor.name);
  if (added) touch({ event: 'link.created', id: link.issue_id, after: told(link) });
  return added;
}

/** A link is told as one of its issue's changes: it has no id of its own that anybody knows. */
export function linkDeleted(link: Link): ChangedRow {
  return { event: 'link.deleted', id: link.issue_id, before: told(link) };
}

function told({ issue_id, conversation_id, scraping_error_id }: Link) {
  return conversation_id === null ? { issue_id, scraping_error_id } : { issue_id, conversation_id };
}
