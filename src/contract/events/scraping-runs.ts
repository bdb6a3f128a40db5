import { z } from 'zod';
import { count } from '../schemas/fields.ts';
import { runStatuses } from '../vocabulary.ts';

export const scrapingRunEvents = {
  'scraping_run.recorded': z.strictObject({
    source: z.string(),
    status: z.enum(runStatuses),
    new_errors: count.meta({ description: 'Errors that were not known before.' }),
  }),
} as const;
