/**
 * Numbers the looks at something that changes: what is returned begins one, and says, when its answer is there, whether
 * that is to be taken. Answers may come in another order, and one that a later look has overtaken is older than what is
 * seen.
 */
export function createLooks(): () => () => boolean {
  let asked = 0;
  let taken = 0;
  return () => {
    asked += 1;
    const look = asked;
    return () => {
      if (look < taken) return false;
      taken = look;
      return true;
    };
  };
}

/**
 * Work on something, done once at a time: whoever asks for it while it is under way has it done once more afterwards,
 * together with all the others who do. A service that is slow is not asked the more, the slower it is.
 */
export function oneAtATime<Thing>(work: (thing: Thing) => Promise<void>): (thing: Thing) => void {
  const underWay = new Set<Thing>();
  const asked = new Set<Thing>();
  const workOn = async (thing: Thing) => {
    underWay.add(thing);
    try {
      while (asked.delete(thing)) await work(thing);
    } finally {
      underWay.delete(thing);
    }
  };
  return (thing) => {
    asked.add(thing);
    if (!underWay.has(thing)) void workOn(thing);
  };
}
