import type { EventType } from '../../../src/contract/event-types.ts';
import type { Format } from '../../output/emit.ts';

export interface WebhookFieldOptions extends Format {
  readonly events?: EventType[];
  readonly description?: string;
  readonly content?: boolean;
}

/** Returns the fields as the service takes them. */
export function givenFields<Fields extends { readonly content?: boolean }>({ content, ...fields }: Fields) {
  return content === undefined ? fields : { ...fields, include_content: content };
}

/** Parses `--events`. The service validates the types. */
export const parseEventTypes = (text: string) => (text === 'all' ? [] : text.split(',')) as EventType[];
