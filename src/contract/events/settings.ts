import { z } from 'zod';
import { groupDigits } from '../../shared/text/group-digits.ts';
import { maxEventIds } from '../schemas/changes/changes.ts';
import { count } from '../schemas/fields.ts';

const setting = z.strictObject({
  is_set: z.literal(true).meta({ description: 'Stands for the value, which may be a secret.' }),
});

const batch = z.strictObject({
  keys: z
    .array(z.string())
    .max(maxEventIds)
    .meta({ description: `The first ${groupDigits(maxEventIds)} keys. The values may be secrets.` }),
  count: count.meta({ description: 'How many settings it is, all keys together.' }),
});

export const settingEvents = {
  'setting.updated': setting,
  'settings.updated': batch,
  'setting.deleted': setting,
} as const;
