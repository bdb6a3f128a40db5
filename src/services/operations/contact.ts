import { issues } from '../../contract/fields/issues.ts';
import { recordedOf } from '../../contract/of-noun.ts';
import { contactErrors } from '../../contract/operations/contact.ts';
import type { ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/database.ts';
import { insertIssues } from '../../db/tables/issues.ts';
import { cutText } from '../../shared/text.ts';
import { type Actor, visitorActor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { addConversation } from '../changes/conversations.ts';
import { addLink } from '../changes/links.ts';
import { oneLine } from '../mail/message.ts';
import { attempt, hashOf, limitsOfNetworks, refusedError } from '../sign-in/attempt-limits.ts';
import type { HandlersOf } from './handler-types.ts';

/** How many messages are taken from a network in 15 minutes. */
const maxFromNetwork = 5;
/** From all networks, in a shorter time: many people write when the website has a problem. */
const site = { key: 'contact-site', maxFailures: 10 };
const siteSeconds = 60;

const maxTitleLength = 100;

export const contactHandlers = {
  'contact.create': async ({ db, change, actor, address }, given) => {
    const visitor = visitorActor(actor);
    const save = () => change((tx, record) => saveMessage(tx, record, given, visitor), visitor);
    const same = { key: `contact-message:${hashOf(JSON.stringify(given))}`, maxFailures: 1 };
    const ofNetwork = limitsOfNetworks(address, maxFromNetwork, (network) => `contact-network:${network}`);
    const limits = [same, ...ofNetwork];
    const fromNetwork = await attempt(
      db,
      limits,
      () => attempt(db, [site], save, () => ({ failed: [site] }), siteSeconds),
      ({ refusal }) => (refusal === undefined ? { failed: limits } : {}),
    );
    const refusal = fromNetwork.refusal ?? fromNetwork.result.refusal;
    // Somebody has pressed the button twice.
    const isSaved = refusal?.key === same.key && refusal.seconds !== null;
    if (refusal !== undefined && !isSaved) throw refusedError(contactErrors.tooMany, refusal);
  },
} satisfies HandlersOf<'contact'>;

type Message = ParsedInputOf<'contact.create'>;

/** Saves a question as a conversation, and a problem as an issue that is linked to its conversation. */
async function saveMessage(
  tx: Database,
  record: RecordChange,
  { name, email, message, subject, kind, steps: given, page }: Message,
  visitor: Actor,
): Promise<void> {
  const title = oneLine(subject) || cutText(message.split('\n', 1)[0]?.trim() ?? '', maxTitleLength);
  const isProblem = kind === 'problem';
  const steps = given.trim();
  const { id: conversation_id } = await addConversation(tx, record, {
    visitor_email: email,
    visitor_name: name,
    subject: title,
    initial_message: isProblem && steps !== '' ? `${message}\n\nSteps:\n${steps}` : message,
    channel: 'contact',
    page,
  });
  if (!isProblem) return;
  const issue = { title, category: 'Website', description: message, steps_to_reproduce: steps };
  const [issue_id = 0] = await insertIssues(tx, [issue]);
  const after = recordedOf(issues, { ...issue, severity: issues.fields.severity.create.or });
  record({ event: 'issue.created', id: issue_id, after });
  await addLink(tx, record, { issue_id, conversation_id, scraping_error_id: null }, visitor);
}
