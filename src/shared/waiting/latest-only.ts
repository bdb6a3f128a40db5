/**
 * Detects answers that arrive out of order. Call the returned function when a request starts, and call its result when
 * the answer arrives: it returns false if a later request has already been answered.
 */
export function latestOnly(): () => () => boolean {
  let started = 0;
  let answered = 0;
  return () => {
    started += 1;
    const request = started;
    return () => {
      if (request < answered) return false;
      answered = request;
      return true;
    };
  };
}
