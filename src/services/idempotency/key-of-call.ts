import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { canonicalJson } from '../../shared/text.ts';
import { type Actor, actorKey } from '../call/actor.ts';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The `Idempotency-Key` of a call, as far as the database may know it. */
export type KeyOfCall = ReturnType<typeof keyOfCall>;

/** Returns the key of a call. The same key of another actor or token, or for another operation, is another one. */
export function keyOfCall(key: string, actor: Actor, operation: string, input: unknown) {
  const id = hash('sha256', [...callerOfKey(actor), operation, key].join('\0'), 'buffer');
  // Not a Buffer: Node would throw and catch an error to find out what it is, which takes longer than to encrypt.
  const secret = () => createSecretKey(Buffer.from(hkdfSync('sha256', key, id, 'answer', 32)));
  return {
    id,
    /** Not a plain hash of the input: that would reveal a password in it. */
    fingerprint: createHmac('sha256', key).update(canonicalJson(input)).digest(),
    /** Encrypts an answer, which may contain a secret, so that only who knows the key can read it. */
    seal(answer: string): Buffer {
      const nonce = randomBytes(nonceBytes);
      const encrypt = createCipheriv(cipher, secret(), nonce);
      const text = Buffer.concat([encrypt.update(answer, 'utf8'), encrypt.final()]);
      return Buffer.concat([nonce, encrypt.getAuthTag(), text]);
    },
    open(sealed: Buffer): string {
      const text = nonceBytes + tagBytes;
      const decrypt = createDecipheriv(cipher, secret(), sealed.subarray(0, nonceBytes));
      decrypt.setAuthTag(sealed.subarray(nonceBytes, text));
      return decrypt.update(sealed.subarray(text), undefined, 'utf8') + decrypt.final('utf8');
    },
  };
}

/** A token of a person is told apart from the person: it may do less, so it must not get an answer with a secret. */
function callerOfKey(actor: Actor): readonly string[] {
  const { kind, token } = actor;
  return kind === 'admin' && token !== undefined ? [actorKey(actor), `token ${token.id}`] : [actorKey(actor)];
}
