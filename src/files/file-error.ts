import { ExpectedError, errorCode } from '../shared/errors.ts';

const advice: Readonly<Record<string, string>> = {
  ENOENT: 'Create its folder first.',
  ENOTDIR: 'A part of its path is a file. Choose another folder.',
  EACCES: 'Get write access to its folder, or choose another one.',
  EPERM: 'Get write access to its folder, or choose another one.',
  EROFS: 'Its disk is read-only. Choose another folder.',
  ENAMETOOLONG: 'Choose a shorter name.',
  ENOSPC: 'Free space on its disk.',
  EDQUOT: 'Free space on its disk.',
  EFBIG: 'Its disk takes no file so large. Choose another disk.',
};

/** A file cannot be written. */
export class FileError extends ExpectedError {
  override readonly name = 'FileError';
  readonly code: string | undefined;

  constructor(file: string, cause: unknown) {
    const code = errorCode(cause);
    const said = `Cannot write ${file} (${code ?? String(cause)}).`;
    const whatToDo = code === undefined ? undefined : advice[code];
    super(whatToDo === undefined ? said : `${said} ${whatToDo}`, { cause });
    this.code = code;
  }
}
