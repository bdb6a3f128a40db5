const cents = 2;
/** A price of a million tokens has as many digits as the setting allows. */
const priceDigits = 9;

/**
 * Formats an amount that the API writes as a decimal text, such as $1,204.50. One below a cent has up to four digits,
 * because a request costs less than that.
 */
export function formatMoney(amount: string, currency: string): string {
  const size = Math.abs(Number(amount));
  return format(amount, currency, size > 0 && size < 0.01 ? 4 : cents);
}

/** Formats a price with all its digits, such as $0.075. */
export function formatPrice(price: string, currency: string): string {
  return format(price, currency, priceDigits);
}

/** Formats an amount. A currency that the browser does not know stands behind the number. */
function format(amount: string, currency: string, maximumFractionDigits: number): string {
  const digits = { minimumFractionDigits: cents, maximumFractionDigits };
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...digits }).format(
      Number(amount),
    );
  } catch {
    return `${new Intl.NumberFormat(undefined, digits).format(Number(amount))} ${currency}`;
  }
}
