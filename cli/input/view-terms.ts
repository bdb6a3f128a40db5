import { eventTypes } from '../../src/contract/event-types.ts';
import { auditRecords } from '../../src/contract/fields/audit.ts';
import { conversations } from '../../src/contract/fields/conversations.ts';
import { issues } from '../../src/contract/fields/issues.ts';
import type { ViewList } from '../../src/contract/fields/views.ts';
import { doors } from '../../src/contract/vocabulary.ts';
import { type Terms, termFor, termsOf } from './terms.ts';

/** What the filters of the lists that have views may name. */
export const viewTerms: Readonly<Record<ViewList, Terms>> = {
  issues: termsOf(issues),
  conversations: { ...termsOf(conversations), visitor: termFor('visitor_email') },
  audit: {
    ...termsOf(auditRecords),
    actor: termFor('actor'),
    event: termFor('event', eventTypes),
    door: termFor('door', doors),
    operation: termFor('operation'),
    subject: termFor('subject_id'),
    id: termFor('subject_id'),
  },
};
