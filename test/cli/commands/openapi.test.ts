import { expect, test } from 'vitest';
import { backoffice } from '../../support/run.ts';

test('backoffice openapi prints the document of the API', async () => {
  expect(JSON.parse((await backoffice(['openapi'])).stdout)).toMatchObject({
    openapi: expect.stringMatching(/^3\.1/),
  });
});
