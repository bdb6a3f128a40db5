import { messageErrors } from '../../contract/operations/messages.ts';
import type { DraftedMessage } from '../../db/tables/conversations/messages.ts';
import { checkExpected } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';

/**
 * Rejects a change of a draft that is no longer what its caller saw.
 *
 * @param drafted - the locked message, or null if it does not exist
 */
export function checkExpectedDraft(
  expected: { readonly ai_draft?: string | null | undefined } | undefined,
  drafted: DraftedMessage | null,
): void {
  const sawDraft = expected?.ai_draft !== undefined && expected.ai_draft !== null;
  if (sawDraft && drafted?.was_sent) refuse(messageErrors.expectedWasSent);
  checkExpected('message', expected, drafted);
}
