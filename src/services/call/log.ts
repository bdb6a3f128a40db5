/** Receives errors, warnings and information for operators. */
export interface Log {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}
