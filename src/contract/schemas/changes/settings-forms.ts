import { maxTextLength } from '../bounds.ts';

export const maxKeyBytes = 1_024;

/** The maximum number of keys that one call writes or compares. */
export const maxBatchKeys = 1_000;

const asText = 'A value that is not a string is stored as its text, an object or array as JSON';
const shownCheck = {
  type: 'boolean',
  description:
    'Whether an invalid value of a setting that the service itself reads is refused. By default it is stored, and counts ' +
    'as absent.',
};
const shownBatch = {
  title: 'A batch',
  type: 'object',
  required: ['updates'],
  properties: {
    updates: {
      type: 'object',
      description: `The pairs to write, with keys as they are. ${asText}. This form takes precedence over the other.`,
      maxProperties: maxBatchKeys,
      propertyNames: { maxLength: maxKeyBytes },
      additionalProperties: { maxLength: maxTextLength },
    },
    expected: {
      type: 'object',
      description:
        'The values that you saw, by key; null for a setting that was not set. Keys that are not in `updates` are ' +
        'compared too. If one has another value now, the answer is 409 and nothing is written. The values of secret ' +
        'settings are not compared: they may only be null.',
      maxProperties: maxBatchKeys,
      additionalProperties: { type: ['string', 'null'] },
    },
    secret: {
      type: 'array',
      items: { type: 'string', maxLength: maxKeyBytes },
      maxItems: maxBatchKeys,
      description:
        'Keys whose values are stored encrypted from now on, and never returned. Settings that are not in `updates` keep ' +
        'their values. The settings that the service itself reads cannot be secret.',
    },
    remove: {
      type: 'array',
      items: { type: 'string', maxLength: maxKeyBytes },
      maxItems: maxBatchKeys,
      description:
        'Keys of settings to delete, together with the updates or not at all. Unknown ones succeed, and those in ' +
        '`updates` are written.',
    },
    check: shownCheck,
  },
};
const shownSingle = {
  title: 'One setting',
  type: 'object',
  required: ['key', 'value'],
  properties: {
    key: {
      type: 'string',
      description: 'Every character other than ASCII letters, digits and underscore is removed.',
      pattern: '[A-Za-z0-9_]',
      maxLength: maxKeyBytes,
    },
    value: { maxLength: maxTextLength, description: `${asText}. The text is trimmed.` },
    expected: {
      type: ['string', 'null'],
      description:
        'The value that you saw, null if the setting was not set. If it is another now, the answer is 409 and nothing is ' +
        'written. The value of a secret setting is not compared: it may only be null.',
    },
    secret: {
      type: 'boolean',
      description:
        'Whether the value is stored encrypted, now and whenever it is written, and never returned. By default, that ' +
        'stays as it is. The settings that the service itself reads cannot be secret.',
    },
    check: shownCheck,
  },
};

/** The documented forms of a change of settings (contract 4.7): a batch, or one. */
export const shownForms = { anyOf: [shownBatch, shownSingle] };
