import { z } from 'zod';
import { busy, type DocumentedError, forbidden } from '../errors.ts';
import { anyone, defineOperation } from '../operation.ts';
import { atMost, plainLine } from '../schemas/bounds.ts';
import { notBlank, optional, shownAs, textOr } from '../schemas/fields.ts';
import { oneOf } from '../schemas/filters.ts';
import { mailAddress } from '../schemas/mail-address.ts';

export const contactPath = '/api/contact';

export const contactErrors = {
  tooMany: {
    code: 'rate_limited',
    text: 'Too many messages have come in. Wait a few minutes, then send yours again.',
  },
  otherOrigin: forbidden(
    'Pages of this origin must not send messages. Add the origin to the setting contact_origins.',
  ),
} as const satisfies Readonly<Record<string, DocumentedError>>;

const maxLine = 200;
const maxText = 10_000;
const maxUrl = 2_000;

/** What a visitor may want: an answer, or to tell of a problem. */
export const contactKinds = ['question', 'problem'] as const;

const wrongPage = 'page must be a URL such as https://example.com/prices.';

/** Reports whether a text is the address of a web page. Others, such as `javascript:`, must not become a link. */
export const isPageUrl = (text: string) =>
  text.length <= maxUrl && ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');

export const contactOperations = [
  /** Beyond the contract. */
  defineOperation('POST', contactPath, anyone, {
    id: 'contact.create',
    summary: 'Write to the team as a visitor, without signing in',
    description:
      'For a form of the website. A question becomes a conversation, and a problem an issue of the category `Website` with ' +
      'its conversation. Only if the setting `contact_page` is `1`, otherwise 404. Pages of the origins in `contact_origins` ' +
      'may send it from a browser. Few messages are taken from each network, and from all together. The same message counts ' +
      'once in 15 minutes.',
    changes: ['conversation.created', 'message.created', 'issue.created', 'link.created'],
    created: true,
    load: 'contact',
    input: z.object({
      name: plainLine(notBlank('name is required.', maxLine).trim(), 'name').meta({
        description: 'On one line.',
      }),
      email: mailAddress('email is required.'),
      message: notBlank('message is required.', maxText).trim(),
      subject: textOr('', maxLine, {
        description: 'Without it, the beginning of the message is the subject.',
      }),
      kind: optional(oneOf('kind', contactKinds, undefined, ''))
        .transform((kind = 'question') => kind)
        .meta(shownAs({ type: ['string', 'null'], enum: [...contactKinds, null], default: 'question' })),
      steps: textOr('', maxText, { description: 'Of a problem: how to see it.' }),
      page: optional(atMost(z.string(), maxUrl))
        .refine((page) => page === undefined || page === '' || isPageUrl(page), { error: wrongPage })
        .transform((page) => page || null)
        .meta(
          shownAs({
            type: ['string', 'null'],
            format: 'uri',
            pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
            maxLength: maxUrl,
            description: 'The page of the website that the visitor writes from.',
          }),
        ),
    }),
    errors: [contactErrors.otherOrigin, contactErrors.tooMany, busy],
    failure: 'Failed to send the message.',
    example: {
      input: {
        name: 'Ada Byron',
        email: 'ada@example.com',
        message: 'Nothing happens when I press Checkout.',
        kind: 'problem',
        steps: '1. Fill the cart\n2. Press Checkout',
        page: 'https://example.com/cart',
      },
    },
  }),
] as const;
