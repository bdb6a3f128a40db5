import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSecretBox, keyIdOf } from '../../../src/services/secrets/secret-box.ts';

describe('the secret box', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const box = createSecretBox([newer, older]);

  test.each(['', 'whsec_abc', 'Straße 🚲 \u2028', 'x'.repeat(100_000)])(
    'opens what it sealed (%#)',
    (text) => {
      const sealed = box.seal(text, 'webhook:1');
      expect(box.open(sealed, 'webhook:1')).toBe(text);
      expect(sealed).toMatch(/^sealed\.v1\.[0-9a-f]{8}\.[\w-]+$/);
    },
  );

  test('seals the same text differently each time', () => {
    expect(box.seal('a', 'b')).not.toBe(box.seal('a', 'b'));
  });

  test('opens a sealed text only for its own purpose, and only unchanged', () => {
    const sealed = box.seal('whsec_abc', 'webhook:1');
    expect(() => box.open(sealed, 'webhook:2')).toThrow();
    const bytes = Buffer.from(sealed.split('.')[3] ?? '', 'base64url');
    for (const index of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() =>
        box.open(`sealed.v1.${box.keyId}.${changed.toString('base64url')}`, 'webhook:1'),
      ).toThrow();
    }
    expect(() => box.open(`sealed.v1.${box.keyId}.AAAA`, 'webhook:1')).toThrow();
    expect(() => box.open('whsec_abc', 'webhook:1')).toThrow('not encrypted');
  });

  test('seals with the newest key and opens with every listed key', () => {
    const before = createSecretBox([older]);
    const sealed = before.seal('kept', 'setting:k');
    expect(keyIdOf(sealed)).toBe(before.keyId);
    expect(box.open(sealed, 'setting:k')).toBe('kept');
    expect(keyIdOf(box.seal('kept', 'setting:k'))).toBe(box.keyIds[0]);
    expect(box.keyIds).toEqual([box.keyId, before.keyId]);
  });

  test('names the key that it lacks', () => {
    const sealed = box.seal('lost', 'setting:k');
    const error = { code: 'not_configured', message: expect.stringContaining(`the key ${box.keyId}.`) };
    expect(() => createSecretBox([older]).open(sealed, 'setting:k')).toThrow(expect.objectContaining(error));
  });

  test('without a key, seals nothing and says what to set', () => {
    const empty = createSecretBox([]);
    const error = { code: 'not_configured', message: expect.stringContaining('BACKOFFICE_ENCRYPTION_KEY') };
    expect(() => empty.seal('a', 'b')).toThrow(expect.objectContaining(error));
    expect(() => empty.digest('a', 'b')).toThrow(expect.objectContaining(error));
    expect(empty.keyId).toBeUndefined();
  });

  test('digests by key and purpose', () => {
    expect(box.digest('a@example.com', 'erasure')).toEqual(box.digest('a@example.com', 'erasure'));
    const others = [
      box.digest('b@example.com', 'erasure'),
      box.digest('a@example.com', 'other'),
      createSecretBox([older]).digest('a@example.com', 'erasure'),
    ];
    for (const other of others) expect(other).not.toEqual(box.digest('a@example.com', 'erasure'));
  });
});
