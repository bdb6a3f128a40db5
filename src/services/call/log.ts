/** Where the services tell what goes wrong, or is news to an operator. */
export interface Log {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}
