/** A number as people read it: `12,345`. */
export function grouped(number: number): string {
  return number.toLocaleString('en');
}

/** So many things, by name: `1 issue`, `12,345 issues`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** A share in whole percent: `57 %`. It is not 100 % before all of it is reached. */
export function percent(ratio: number): string {
  // A double holds decimals only nearly: 0.57 * 100 is 56.99999999999999.
  return `${Math.floor(Math.round(ratio * 10_000) / 100)} %`;
}
