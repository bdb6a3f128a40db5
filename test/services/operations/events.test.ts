import { afterAll, beforeAll, expect, test } from 'vitest';
import { localOperator } from '../../../src/services/call/actor.ts';
import type { Context } from '../../../src/services/context.ts';
import { eventHandlers } from '../../../src/services/operations/events.ts';
import { startTestService, type TestService } from '../../support/here.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({}, { eventLimits: { maxFollowers: 1 } });
});

afterAll(() => service?.stop());

test('frees the place of a follower whose call was aborted before it started', async () => {
  const input = { types: undefined, after: undefined };
  const { services } = service;
  const actor = localOperator('tests');
  const signal = AbortSignal.abort(new Error('too late'));
  const late = { ...services, actor, signal } as unknown as Context;
  await expect(eventHandlers['events.follow'](late, input)).rejects.toThrow('too late');
  services.events.removeFollower(await services.events.addFollower(actor));
});
