/** A fault in a declaration or setting that prevents the build of a server, and its remedy. See {@link BuildError}. */
export interface BuildFault {
  /** The declared type; `null` for a fault of the server as a whole. */
  readonly type: string | null
  /** The attribute, relation, filter or setting; `null` for a fault of the type as a whole. */
  readonly member: string | null
  readonly problem: string
  readonly remedy: string
}

/**
 * The error that `createServer` throws, with all faults of the build.
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
    // Not enumerable: the message contains the faults, and Node would print them a second time for an uncaught error.
    Object.defineProperty(this, 'faults', { value: Object.freeze([...faults]) })
  }
}

function report(faults: readonly BuildFault[]): string {
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`
  return [`The server cannot be built: ${count}.`, ...faults.map((fault) => `  - ${formatFault(fault)}`)].join('\n')
}

/** `albums.title: is declared twice. Remedy: …` */
export function formatFault({ type, member, problem, remedy }: BuildFault): string {
  const path = [type, member].filter((part) => part !== null).join('.')
  return `${path === '' ? 'server' : path}: ${problem}. Remedy: ${remedy}.`
}
