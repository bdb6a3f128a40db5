import { z } from 'zod';

const setting = z.strictObject({
  is_set: z.literal(true).meta({ description: 'Stands for the value, which may be a secret.' }),
});

export const settingEvents = { 'setting.updated': setting, 'setting.deleted': setting } as const;
