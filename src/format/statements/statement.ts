/** How strictly a statement binds: RFC 2119. */
export type Level = 'MUST' | 'SHOULD' | 'RECOMMENDED' | 'MAY'

/**
 * Where a statement shows from outside.
 *
 * - `read`: in the responses to any read-only run.
 * - `feature`: in a read-only run, if the server has what `needs` says.
 * - `write`: only in a run that writes, if the server has what `needs` says.
 * - `client`: nowhere, because it binds clients.
 * - `permission`: nowhere, because it permits something, and forbids nothing.
 * - `hidden`: nowhere, for the reason in `needs`.
 */
export type Visibility = 'read' | 'feature' | 'write' | 'client' | 'permission' | 'hidden'

/** A normative statement that a server is held to. */
export interface NormativeStatement {
  readonly level: Level
  readonly seen: Visibility
  /** The statement in the words of 1.1. What 1.0 says otherwise is in parentheses. */
  readonly text: string
  /** The thing that must occur to see it. For `hidden`, the reason as a sentence. */
  readonly needs?: string
  /** The id in the list that the format publishes, if two statements share it there. */
  readonly listedAs?: string
  /** How often the published list repeats it. Default: 1. */
  readonly times?: number
  /** Where the statement comes from, if the published list lacks it. */
  readonly source?: 'text' | 'http' | 'openapi'
  /** The first version with this statement. Default: 1.0. */
  readonly since?: '1.1'
  /** The last version with this statement. Default: 1.1. */
  readonly until?: '1.0'
}

export type NormativeStatements = Readonly<Record<string, NormativeStatement>>
