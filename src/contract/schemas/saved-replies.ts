import { z } from 'zod';
import { placeholders } from '../saved-reply-text.ts';

const shownPlaceholders = placeholders.map((name) => `\`{{${name}}}\``).join(', ');

export const savedReplySchema = z
  .strictObject({
    id: z.int(),
    shortcut: z.string(),
    title: z.string(),
    content: z.string().meta({ description: `May have the placeholders ${shownPlaceholders}.` }),
  })
  .meta({ id: 'SavedReply' });

export const exampleReply: z.infer<typeof savedReplySchema> = {
  id: 1,
  shortcut: 'on-its-way',
  title: 'Parcel is on its way',
  content: 'Hello {{visitor_name}}, your parcel is on its way. Kind regards, {{admin_name}}',
};
