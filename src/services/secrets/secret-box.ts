import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { noEncryptionKey } from '../../contract/errors.ts';
import { refuse } from '../call/refuse.ts';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** What every sealed text starts with, before the id of its key. */
const sealedPrefix = 'sealed.v1.';
const sealedPattern = /^sealed\.v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/** Encrypts the secrets that the service stores, with the keys of BACKOFFICE_ENCRYPTION_KEY. Without keys, refuses. */
export type SecretBox = ReturnType<typeof createSecretBox>;

/** Creates the secret box. The keys have 32 bytes each, newest first: the newest seals, and every one opens. */
export function createSecretBox(keys: readonly Buffer[]) {
  const sealing = keys.map(toSealingKey);
  const [newest] = sealing;
  const newestKey = () => newest ?? refuse(noEncryptionKey);
  return {
    /** The id of the key that seals. Undefined without keys. */
    keyId: newest?.id,
    keyIds: sealing.map(({ id }) => id),
    /** Encrypts a text. The purpose, such as `webhook:12`, says where the text belongs: it opens nowhere else. */
    seal(text: string, purpose: string): string {
      const key = newestKey();
      const nonce = randomBytes(nonceBytes);
      const encrypt = createCipheriv(cipher, key.secret, nonce).setAAD(boundTo(key.id, purpose));
      const encrypted = [nonce, encrypt.update(text, 'utf8'), encrypt.final(), encrypt.getAuthTag()];
      return `${sealedPrefix}${key.id}.${Buffer.concat(encrypted).toString('base64url')}`;
    },
    /** Decrypts what `seal` returned for the same purpose. Refuses if its key is not listed. */
    open(sealed: string, purpose: string): string {
      const [, id = '', encoded = ''] = sealedPattern.exec(sealed) ?? [];
      if (id === '')
        throw new Error(`The secret of ${purpose} is not encrypted. Run \`backoffice secrets rotate\`.`);
      const key = sealing.find((each) => each.id === id);
      if (key === undefined) {
        const text = `A secret is encrypted with the key ${id}. Add that key to BACKOFFICE_ENCRYPTION_KEY.`;
        return refuse({ code: 'not_configured', text });
      }
      const bytes = Buffer.from(encoded, 'base64url');
      const decrypt = createDecipheriv(cipher, key.secret, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      }).setAAD(boundTo(id, purpose));
      decrypt.setAuthTag(bytes.subarray(-tagBytes));
      return decrypt.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decrypt.final('utf8');
    },
    /** Returns a digest that only who has the newest key can compute. */
    digest: (text: string, purpose: string): Buffer =>
      createHmac('sha256', newestKey().digestSecret).update(`${purpose}\0${text}`).digest(),
  };
}

/** Returns the id of the key that a text is sealed with, or undefined if it is not sealed. */
export function keyIdOf(text: string): string | undefined {
  return sealedPattern.exec(text)?.[1];
}

/** Derives what a key is used for, so that its id and its digests reveal nothing about what it encrypts. */
function toSealingKey(key: Buffer) {
  const derive = (use: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `backoffice ${use}`, bytes));
  return {
    id: derive('key id', 4).toString('hex'),
    secret: createSecretKey(derive('seal', 32)),
    digestSecret: createSecretKey(derive('digest', 32)),
  };
}

function boundTo(keyId: string, purpose: string): Buffer {
  return Buffer.from(`${keyId}\0${purpose}`);
}
