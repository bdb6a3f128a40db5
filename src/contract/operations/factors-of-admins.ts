import { z } from 'zod';
import { superadmins } from '../access-rules.ts';
import { busy } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { exampleFactor, listedFactors } from '../schemas/factors.ts';
import { count, requiredText, shownAs } from '../schemas/fields.ts';
import { factorErrors } from './factors.ts';
import { sessionErrors } from './session.ts';

const path = '/api/admin/admins/factors';

const adminId = requiredText('Admin ID is required.').meta({ description: 'The id of the admin.' });

const listFactorsOfAdmin = defineOperation('GET', path, superadmins, {
  id: 'factors.listOfAdmin',
  summary: 'List the second factors of an admin',
  description: 'An unknown id has none.',
  input: z.object({ id: adminId }),
  output: z.strictObject(listedFactors),
  failure: 'Failed to load the second factors.',
  example: {
    input: { id: 'admin_1769851800000_k3x9a2' },
    output: { factors: [exampleFactor], recovery_codes_left: 10 },
  },
});

const resetFactors = defineOperation('DELETE', path, superadmins, {
  id: 'factors.reset',
  summary: 'Remove all second factors of an admin who has lost them',
  description:
    "Also removes the recovery codes and ends the admin's sessions. Takes your own password. The input is a JSON " +
    'body, because a URL must not have a password; `id` may be in the query. An unknown id succeeds. API tokens ' +
    'and your own account are refused.',
  inBody: true,
  changes: ['factor.removed', 'session.ended'],
  input: z.object({
    id: adminId,
    password: z
      .string()
      .catch('')
      .optional()
      .meta(
        shownAs({
          type: 'string',
          format: 'password',
          description: "The caller's own password. The command on the server needs none.",
        }),
      ),
  }),
  output: z.strictObject({ success: z.literal(true), removed: count }),
  errors: [
    factorErrors.tokens,
    factorErrors.ownAccount,
    factorErrors.wrongPassword,
    sessionErrors.tooManyAttempts,
    busy,
  ],
  failure: 'Failed to remove the second factors.',
  example: {
    input: { id: 'admin_1769851800000_k3x9a2', password: 'correct horse battery staple' },
    output: { success: true, removed: 1 },
  },
});

export const factorsOfAdminOperations = [listFactorsOfAdmin, resetFactors] as const;
