import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Flags of the authenticator's data: the person was present, and new credential data follow. */
const isPresent = 0x01;
const hasCredential = 0x40;

/** A passkey's device in software: it makes the credentials that a browser would return, with real signatures. */
export class SoftwareAuthenticator {
  readonly #id = randomBytes(32);
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  readonly #rpId: string;
  /** How often the device says that it was used. A copy of it starts with the same number. */
  signCount = 0;

  constructor(origin: string, rpId = new URL(origin).hostname) {
    this.#origin = origin;
    this.#rpId = rpId;
  }

  /** Returns what `navigator.credentials.create` returns, as JSON. */
  create({ challenge }: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    // COSE: key type EC2, algorithm ES256, curve P-256.
    const publicKey = cborMap([
      [0x01, Buffer.from([0x02])],
      [0x03, Buffer.from([0x26])],
      [0x20, Buffer.from([0x01])],
      [0x21, cborBytes(Buffer.from(x, 'base64url'))],
      [0x22, cborBytes(Buffer.from(y, 'base64url'))],
    ]);
    const idLength = Buffer.from([0, this.#id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), idLength, this.#id, publicKey]);
    const authData = Buffer.concat([this.#head(isPresent | hasCredential), credential]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      cborBytes(authData),
    ]);
    return this.#credential({
      attestationObject: attestationObject.toString('base64url'),
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Returns what `navigator.credentials.get` returns, as JSON. */
  get(challenge: string): Record<string, unknown> {
    this.signCount++;
    const authData = this.#head(isPresent);
    const clientData = this.#clientData('webauthn.get', challenge);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#credential({
      authenticatorData: authData.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      signature: sign('sha256', signed, this.#key.privateKey).toString('base64url'),
    });
  }

  #credential(response: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #head(flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.signCount);
    return Buffer.concat([createHash('sha256').update(this.#rpId).digest(), Buffer.from([flags]), counter]);
  }

  #clientData(type: string, challenge: unknown): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }
}

/** Encodes a text of less than 24 characters. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from(head), bytes]);
}

function cborMap(entries: readonly (readonly [key: number, value: Buffer])[]): Buffer {
  return Buffer.concat([
    Buffer.from([0xa0 + entries.length]),
    ...entries.flatMap(([key, value]) => [Buffer.from([key]), value]),
  ]);
}
