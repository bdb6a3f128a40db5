import type { OperationId } from '../../src/contract/registry.ts';
import type { Backoffice, SignedIn } from '../support/here.ts';

/** Where the input of a call is made. */
export interface Given extends Pick<Backoffice, 'service' | 'superadmin' | 'sql'> {
  /** Whose call it will be. */
  readonly caller: SignedIn;
}

type Refused = object | ((given: Given) => Promise<object>);

/** What the tests of every operation need to know of one. */
export interface Fixture {
  /**
   * Returns an input with which the call of `caller` succeeds, and makes the rows that it needs. Each input works once. By
   * default it is empty.
   */
  input?(given: Given): object | Promise<object>;
  /**
   * The fields that are refused, by the text of the error, or a function that makes them. They replace those of an input
   * that succeeds; undefined removes a field. A documented text of status 400 needs an entry here, unless `refusals.ts`
   * knows its sentence.
   */
  readonly refused?: Readonly<Record<string, readonly Refused[]>>;
}

export type Fixtures<Ids extends OperationId = OperationId> = Readonly<Record<Ids, Fixture>>;

let made = 0;

/** Returns a text that no other call has had. */
export const unique = (start: string) => `${start}-${++made}`;

export async function newIssue({ sql }: Given): Promise<number> {
  const [row] = await sql<{ id: string }>('insert into issues (title) values ($1) returning id', [
    unique('Issue'),
  ]);
  return Number(row?.id);
}

/** Makes a conversation with one message of the visitor, which has a draft of an answer. */
export async function newConversation({ sql }: Given): Promise<{ id: string; message: number }> {
  const [row] = await sql<{ id: string; message: string }>(
    `with made as (
       insert into conversations (visitor_email, visitor_name) values ('v@example.com', 'Visitor') returning id
     )
     insert into conversation_messages (conversation_id, sender_type, content, ai_draft)
     select id, 'visitor', 'Where is my invoice?', 'In your inbox' from made
     returning conversation_id as id, id as message`,
  );
  return { id: row?.id ?? '', message: Number(row?.message) };
}

/** The error of what is no label. */
export const wrongLabel = 'A label must be a text on one line, without commas, and must not be "none".';

export const manyTexts = (length: number) => Array.from({ length }, (_, index) => `text ${index}`);

/** Makes a label that an issue and a conversation have. */
export async function newLabel(given: Given): Promise<string> {
  const label = unique('label');
  const issue = await newIssue(given);
  const { id } = await newConversation(given);
  const { call } = given.superadmin.client;
  await call('issues.update', { ids: [issue], set: { add_labels: [label] } });
  await call('conversations.update', { ids: [id], set: { add_labels: [label] } });
  return label;
}

/** Makes an admin who has not signed in. */
export async function newAdmin({ sql }: Given, role = 'user'): Promise<{ id: string; email: string }> {
  const email = `${unique('somebody')}@example.com`;
  const [row] = await sql<{ id: string }>(
    'insert into admins (email, username, role) values ($1, $2, $3) returning id',
    [email, 'Somebody', role],
  );
  return { id: row?.id ?? '', email };
}

export async function newScrapingError({ sql }: Given): Promise<number> {
  const [row] = await sql<{ id: string }>(
    `with run as (insert into scraping_runs (run_id, source) values ($1, 'shop') returning run_id)
     insert into scraping_errors (run_id, message) select run_id, 'Slow' from run returning id`,
    [unique('run')],
  );
  return Number(row?.id);
}
