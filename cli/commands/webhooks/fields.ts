import type { EventType } from '../../../src/contract/event-types.ts';
import type { Format } from '../../output/emit.ts';

export interface WebhookFieldOptions extends Format {
  readonly events?: EventType[];
  readonly description?: string;
}

/** Parses `--events`. The service validates the types. */
export const parseEventTypes = (text: string) => (text === 'all' ? [] : text.split(',')) as EventType[];
