/** An answer that is a file, which a browser downloads and never shows. */
export class FileAnswer {
  readonly content: Uint8Array;
  readonly mediaType: string;
  readonly name: string;

  constructor(content: Uint8Array, { mediaType, name }: { mediaType: string; name: string }) {
    this.content = content;
    this.mediaType = mediaType;
    this.name = name;
  }
}
