import type { Awaitable } from '../util/types.js'

/** A statement that a store has told of: what `onStatement` of `sqlData()` is given, or anything else with a text. */
export interface ToldStatement {
  readonly sql: string
  readonly values?: readonly unknown[]
}

/** A statement that was counted. */
export interface CountedStatement {
  readonly sql: string
  /** What stood in its places. */
  readonly values: readonly unknown[]
  /**
   * By the words of the statement: a `write` says `insert`, `update`, `delete`, `merge` or `replace`, at its beginning or
   * behind `with`, or makes, changes, drops or empties tables. Everything else is a `read`: what locks rows, and also what
   * changes something by a function, a procedure or `copy`.
   */
  readonly kind: 'read' | 'write'
}

/** Counts the statements of a store: see `statementCounter()`. */
export interface StatementCounter {
  /** For `sqlData(database, { onStatement: counter.onStatement })`. */
  readonly onStatement: (statement: ToldStatement) => void
  /** All of them since the counter was made or reset, in the order in which they ended. */
  readonly statements: readonly CountedStatement[]
  readonly count: number
  /** Forgets what was counted so far. */
  readonly reset: () => void
  /** The statements that ended while some work was done. Work that goes on beside it is counted with it. */
  readonly during: (work: () => Awaitable<unknown>) => Promise<readonly CountedStatement[]>
}

/**
 * Counts the statements that requests cost, so that a test finds out when one begins to ask once for each row.
 *
 * @example
 * ```ts
 * const counter = statementCounter()
 * const options: SqlDataOptions = { onStatement: counter.onStatement }
 * // With a client of a server over sqlData(database, options):
 * expectStatements(await counter.during(() => client.get('/albums?include=artist')), 2)
 * ```
 */
export function statementCounter(): StatementCounter {
  const counted: CountedStatement[] = []
  return Object.freeze({
    onStatement({ sql, values = [] }: ToldStatement) {
      counted.push(Object.freeze({ sql, values, kind: kindOf(sql) }))
    },
    get statements() {
      return Object.freeze([...counted])
    },
    get count() {
      return counted.length
    },
    reset() {
      counted.length = 0
    },
    async during(work: () => Awaitable<unknown>) {
      const before = counted.length
      await work()
      return Object.freeze(counted.slice(before))
    },
  })
}

const writing = /^(?:insert|update|delete|merge|replace|create|alter|drop|truncate)\b/i
/** Behind `with … as (…)`; rows that are only locked `for update` are read. Values have places, so no text of one stands here. */
const writingWithin = /(?<!["\w]|\b(?:for|key)\s+)(?:insert\s+into|update|delete\s+from|merge\s+into)(?!["\w])/i
const comments = /^(?:\s+|--[^\n]*\n|\/\*.*?\*\/)+/s

function kindOf(sql: string): CountedStatement['kind'] {
  const text = sql.replace(comments, '')
  return writing.test(text) || (/^with\b/i.test(text) && writingWithin.test(text)) ? 'write' : 'read'
}

/** How many statements there shall be; what is left out may be any number. */
export interface ExpectedStatements {
  readonly count?: number
  readonly reads?: number
  readonly writes?: number
}

/**
 * Throws unless there are as many statements as expected, with a message that lists those that ran. Answers them, for a
 * closer look.
 *
 * @example
 * ```ts
 * const counter = statementCounter()
 * const ran = await counter.during(() => client.post('/albums', { body: untitled }))
 * expectStatements(ran, 0) // What is not valid reaches no database.
 * expectStatements(ran, { writes: 0 })
 * ```
 */
export function expectStatements(
  ran: readonly CountedStatement[],
  expected: number | ExpectedStatements,
): readonly CountedStatement[] {
  const { count, reads, writes } = typeof expected === 'number' ? { count: expected } : expected
  const number = (kind: CountedStatement['kind']): number => ran.filter((each) => each.kind === kind).length
  const wrong = [
    differs('statements', count, ran.length),
    differs('reads', reads, number('read')),
    differs('writes', writes, number('write')),
  ].filter((sentence) => sentence !== null)
  if (wrong.length === 0) return ran
  const listed = ran.map(({ kind, sql }, index) => `  ${index + 1}. (${kind}) ${shortened(sql)}`)
  throw new Error([...wrong, ...(listed.length === 0 ? ['None ran.'] : ['These ran:', ...listed])].join('\n'))
}

/** A statement may have a place for each value of thousands. */
function shortened(sql: string): string {
  return sql.length > longest ? `${sql.slice(0, longest)} …` : sql
}

const longest = 500

function differs(what: string, expected: number | undefined, came: number): string | null {
  return expected === undefined || expected === came ? null : `Expected ${expected} ${what}, and there were ${came}.`
}
