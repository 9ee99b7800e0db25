/** Something that keeps a server from being built, and how to mend it. */
export interface BuildFault {
  /** The declared type, `null` for what concerns the server as a whole. */
  readonly type: string | null
  /** The attribute, relation, filter or setting, `null` for the type as a whole. */
  readonly member: string | null
  readonly problem: string
  readonly remedy: string
}

/**
 * Thrown by `createServer` with every fault at once.
 *
 * @example
 * ```ts
 * try {
 *   createServer({ resources: [albums, artists] })
 * } catch (error) {
 *   if (error instanceof BuildError) for (const { type, problem } of error.faults) console.error(type, problem)
 * }
 * ```
 */
export class BuildError extends Error {
  declare readonly faults: readonly BuildFault[]

  constructor(faults: readonly BuildFault[]) {
    super(report(faults))
    this.name = 'BuildError'
    // Not enumerable: the message says it all, and an uncaught error would print the list a second time.
    Object.defineProperty(this, 'faults', { value: Object.freeze([...faults]) })
  }
}

function report(faults: readonly BuildFault[]): string {
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`
  return [`The server cannot be built: ${count}.`, ...faults.map((fault) => `  - ${sentence(fault)}`)].join('\n')
}

/** `albums.title: is declared twice. Remedy: …` */
export function sentence({ type, member, problem, remedy }: BuildFault): string {
  const place = [type, member].filter((part) => part !== null).join('.')
  return `${place === '' ? 'server' : place}: ${problem}. Remedy: ${remedy}.`
}
