import { z } from 'zod';
import { roleSchema } from '../access-rules.ts';
import { timestamp } from './fields.ts';

export const invitationSchema = z
  .strictObject({
    id: z.int(),
    email: z.string(),
    role: roleSchema,
    invited_by: z.string().meta({ description: 'Who sent it.' }),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'Invitation' });

export const exampleInvitation = {
  id: 3,
  email: 'grace@example.com',
  role: 'admin',
  invited_by: 'ada@example.com',
  created_at: '2026-01-31T09:30:00.000Z',
  expires_at: '2026-02-07T09:30:00.000Z',
} as const;
