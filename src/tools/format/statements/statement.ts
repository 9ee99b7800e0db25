/** How strictly a statement binds: RFC 2119. */
export type Level = 'MUST' | 'SHOULD' | 'RECOMMENDED' | 'MAY'

/**
 * The requests that can show whether a server violates a statement.
 *
 * - `read`: in the responses to any read-only run.
 * - `feature`: in a read-only run, if the server has the feature in `needs`.
 * - `write`: only in a run that writes, if the server has the feature in `needs`.
 * - `client`: nowhere, because it binds clients.
 * - `permission`: nowhere, because it permits something, and forbids nothing.
 * - `hidden`: nowhere, for the reason in `needs`.
 */
export type Visibility = 'read' | 'feature' | 'write' | 'client' | 'permission' | 'hidden'

/** A normative statement that a server must comply with. */
export interface NormativeStatement {
  readonly level: Level
  readonly seen: Visibility
  /** The text of 1.1. Differences in 1.0 are in parentheses. */
  readonly text: string
  /** The feature that shows it. For `hidden`, the reason as a sentence. */
  readonly needs?: string
  /** The id in the list that the format publishes, if two statements share it there. */
  readonly listedAs?: string
  /** How often the published list repeats it. Default: 1. */
  readonly times?: number
  /** The source of the statement, if it is not in the published list. */
  readonly source?: 'text' | 'http' | 'openapi'
  /** The first version with this statement. Default: 1.0. */
  readonly since?: '1.1'
  /** The last version with this statement. Default: 1.1. */
  readonly until?: '1.0'
}

export type NormativeStatements = Readonly<Record<string, NormativeStatement>>
