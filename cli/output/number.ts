/** A number as people read it: `12,345`. */
export function grouped(number: number): string {
  return number.toLocaleString('en');
}

/** So many things, by name: `1 issue`, `12,345 issues`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}
