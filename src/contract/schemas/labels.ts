import { z } from 'zod';
import { invalid } from '../errors.ts';
import { refusals } from '../refusals.ts';
import { atMost, isPlainLine } from './bounds.ts';
import { optional, requiredText } from './fields.ts';
import { filterTexts } from './filters.ts';

export const maxLabels = 20;

const maxLabelLength = 50;

/** What stands for rows without labels in filters. */
export const noLabel = 'none';

/** Commas separate labels in filters and in the history. */
const pattern = '^[^,]*[^\\s,][^,]*$';
const form = new RegExp(pattern);

const wrongLabel = `A label must be a text on one line, without commas, and must not be "${noLabel}".`;
const wrongLabels = (path: string) => `${path} must be a list of at most ${maxLabels} labels.`;

export const labelName = atMost(z.string({ error: wrongLabel }).trim().normalize(), maxLabelLength)
  .refine((name) => form.test(name) && isPlainLine(name) && name.toLowerCase() !== noLabel, {
    error: wrongLabel,
  })
  .meta({ pattern, maxLength: maxLabelLength });

/** Accepts the name of a label that may be unknown. */
export const givenLabel = atMost(requiredText('name is required'), maxLabelLength).meta({
  minLength: 1,
  maxLength: maxLabelLength,
  description: 'The label, in any case.',
});

/** The labels of a row, in answers that include them. */
export const includedLabels = z
  .array(z.string())
  .optional()
  .describe('With `include=labels`: in the order of the alphabet.');

/** Accepts labels, or nothing. Those that differ only in case are one. */
export const someLabels = (path: string, description: string) =>
  optional(
    z.array(labelName, { error: wrongLabels(path) }).max(maxLabels, { error: wrongLabels(path) }),
  ).describe(description);

/** The error of a change that would give a row more labels. */
export const tooManyLabels = invalid(`An issue or a conversation has at most ${maxLabels} labels.`);

export const addedLabels = (path: string) =>
  someLabels(path, 'Labels to add. One that is in use keeps its spelling.').register(refusals, {
    errors: [tooManyLabels],
  });

export const removedLabels = (path: string) =>
  someLabels(path, 'Labels to remove, in any case, before others are added.');

export const labelFilter = (rows: string) =>
  filterTexts(
    'label',
    `Only ${rows} with one of these labels, in any case, or \`${noLabel}\` for those without.`,
  );
