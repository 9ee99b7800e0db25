/** Something that happens once, and that others can wait for. */
export interface Signal {
  readonly given: Promise<void>
  give(): void
}

export function signal(): Signal {
  const waiting: (() => void)[] = []
  const given = new Promise<void>((resolve) => void waiting.push(resolve))
  return { given, give: () => waiting.forEach((resolve) => resolve()) }
}

/** Returns a function that waits until it has been called so many times; later calls return immediately. */
export function meeting(count: number): () => Promise<void> {
  const complete = signal()
  let arrived = 0
  return () => {
    arrived += 1
    if (arrived === count) complete.give()
    return complete.given
  }
}
