import { expect, test } from 'vitest';
import { actorLabel } from '../../../cli/output/change.ts';

test.each([
  ['admin', 'grace@example.com', 'grace@example.com'],
  ['admin', 'root', 'root (admin)'],
  ['admin', 'token:deploy', 'token:deploy (admin)'],
  ['admin', 'token:deploy@example.com', 'token:deploy@example.com (admin)'],
  ['token', 'token:deploy', 'token:deploy'],
  ['operator', 'root', 'root'],
])('names the %s %s as %s', (actor_kind, actor_name, said) => {
  expect(actorLabel({ actor_kind, actor_name })).toBe(said);
});
