import { placeholders, unknownPlaceholders } from '../../src/contract/saved-reply-text.ts';
import { remark } from '../terminal/terminal.ts';

export const placeholderHelp = 'The text may have {{visitor_name}}, {{admin_name}} and {{conversation_id}}.';

/** Warns of what looks like a placeholder and is none, because visitors would see it. */
export function remarkUnknownPlaceholders(text: string): void {
  const known = placeholders.map((name) => `{{${name}}}`).join(', ');
  for (const written of unknownPlaceholders(text)) {
    remark(`Visitors will see ${written} as it is. The placeholders are ${known}.`);
  }
}
