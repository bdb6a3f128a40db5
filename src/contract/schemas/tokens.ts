import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { roleSchema } from '../access-rules.ts';
import { roles } from '../vocabulary.ts';
import { isAtMost, tooLong } from './bounds.ts';
import { optional, shownAs, timestamp } from './fields.ts';
import { notPlain, plainLine } from './plain-line.ts';

const maxNameLength = 100;
const maxDays = 36_500;
const defaultDays = 90;

/** A line of text that is not blank. */
const namePattern =
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$';

const tokenTexts = {
  nameRequired: 'name is required.',
  nameTooLong: tooLong('name', maxNameLength),
  nameNotPlain: notPlain('name'),
  wrongRole: `role must be one of: ${roles.join(', ')}.`,
  wrongDays: `expires_days must be a whole number from 1 to ${groupDigits(maxDays)}, or null.`,
  wrongReadOnly: 'read_only must be true or false.',
} as const;

/** Requires the name of a token, which is trimmed. */
export const tokenName = plainLine(
  z
    .string({ error: tokenTexts.nameRequired })
    .trim()
    .min(1, { error: tokenTexts.nameRequired })
    .refine((name) => isAtMost(name, maxNameLength), { error: tokenTexts.nameTooLong }),
  'name',
).meta(shownAs({ type: 'string', pattern: namePattern, maxLength: maxNameLength }));

/** What a token may do, and for how long. */
export const tokenGrant = {
  role: optional(z.enum(roles, { error: tokenTexts.wrongRole }))
    .transform((role) => role ?? 'user')
    .meta(shownAs({ type: 'string', enum: roles, default: 'user', description: 'At most your own.' })),
  expires_days: z
    .int({ error: tokenTexts.wrongDays })
    .min(1, { error: tokenTexts.wrongDays })
    .max(maxDays, { error: tokenTexts.wrongDays })
    .nullable()
    .optional()
    .transform((days) => (days === undefined ? defaultDays : days))
    .meta(
      shownAs({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: maxDays,
        default: defaultDays,
        description: 'Days until it expires, or null for never.',
      }),
    ),
  read_only: optional(z.boolean({ error: tokenTexts.wrongReadOnly }))
    .transform((only) => only ?? false)
    .meta(
      shownAs({
        type: 'boolean',
        default: false,
        description: 'Whether it may only read, by `GET` requests.',
      }),
    ),
};

export const tokenSchema = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    role: roleSchema.meta({ description: "What it may do now: never more than its owner's role." }),
    read_only: z.boolean(),
    owner: z
      .strictObject({ id: z.string(), email: z.string().nullable() })
      .nullable()
      .meta({ description: 'The admin that it acts as. Null for a token of the command line.' }),
    state: z.enum(['valid', 'expired', 'revoked']),
    created_by: z.string(),
    created_at: timestamp,
    expires_at: timestamp.nullable().meta({ description: 'Null if it does not expire.' }),
    last_used_at: timestamp.nullable().meta({ description: 'To the minute.' }),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiToken' });

export const exampleToken: z.infer<typeof tokenSchema> = {
  id: 7,
  name: 'nightly report',
  role: 'user',
  read_only: true,
  owner: { id: 'admin_1769851800000_k3x9a2', email: 'grace@example.com' },
  state: 'valid',
  created_by: 'grace@example.com',
  created_at: '2026-01-31T09:30:00.000Z',
  expires_at: '2026-05-01T09:30:00.000Z',
  last_used_at: null,
  revoked_at: null,
};

export const exampleSecret = 'bo_hG2mJ0qkT3yQ7cO2nM5vX8zL1aS4dF6gH9jK0pR3tUw';
