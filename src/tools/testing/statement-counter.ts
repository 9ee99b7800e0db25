import type { Awaitable } from '../../core/util/types.js'

/** A statement that a store reports: the argument of `onStatement` of `sqlData()`, or any other object with `sql`. */
export interface ExecutedStatement {
  readonly sql: string
  readonly values?: readonly unknown[]
  /** Whether it only begins or ends a transaction or a savepoint. Such a statement is not counted. */
  readonly isTransactionControl?: boolean
}

/** A statement that was counted. */
export interface CountedStatement {
  readonly sql: string
  /** The values of its parameters. */
  readonly values: readonly unknown[]
  /**
   * The kind, by the keywords of the statement. A `write` has `insert`, `update`, `delete`, `merge` or `replace` at its
   * beginning or after `with`, or creates, alters, drops or truncates tables. Every other statement is a `read`: also
   * one that locks rows, or that changes data by a function, a procedure or `copy`.
   */
  readonly kind: 'read' | 'write'
}

/** Counts the statements of a store: see `statementCounter()`. */
export interface StatementCounter {
  /** The callback for `sqlData(database, { onStatement: counter.onStatement })`. */
  readonly onStatement: (statement: ExecutedStatement) => void
  /** All statements since the counter was created or reset, in the order in which they ended. */
  readonly statements: readonly CountedStatement[]
  readonly count: number
  /** Removes all counted statements. */
  readonly reset: () => void
  /** Runs work and returns the statements that ended during the work, including statements of concurrent work. */
  readonly during: (work: () => Awaitable<unknown>) => Promise<readonly CountedStatement[]>
}

/**
 * Counts the statements of requests, so that a test can detect N+1 queries.
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
    onStatement({ sql, values = [], isTransactionControl = false }: ExecutedStatement) {
      if (!isTransactionControl) counted.push(Object.freeze({ sql, values, kind: kindOf(sql) }))
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
/**
 * A writing keyword after `with … as (…)`. A statement that only locks rows with `for update` is a read. Values are
 * parameters, so the text of a value cannot match.
 */
const writingWithin = /(?<!["\w]|\b(?:for|key)\s+)(?:insert\s+into|update|delete\s+from|merge\s+into)(?!["\w])/i
const comments = /^(?:\s+|--[^\n]*\n|\/\*.*?\*\/)+/s

function kindOf(sql: string): CountedStatement['kind'] {
  const text = sql.replace(comments, '')
  return writing.test(text) || (/^with\b/i.test(text) && writingWithin.test(text)) ? 'write' : 'read'
}

/** The expected numbers of statements. An omitted number may have any value. */
export interface ExpectedStatements {
  readonly count?: number
  readonly reads?: number
  readonly writes?: number
}

/**
 * Throws unless there are as many statements as expected, with a message that lists the statements. Returns them, for
 * further assertions.
 *
 * @example
 * ```ts
 * const counter = statementCounter()
 * const ran = await counter.during(() => client.post('/albums', { body: untitled }))
 * expectStatements(ran, 0) // Invalid values cause no statements.
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

/** Shortens a statement, which may have thousands of parameters. */
function shortened(sql: string): string {
  return sql.length > maxLength ? `${sql.slice(0, maxLength)} …` : sql
}

const maxLength = 500

function differs(what: string, expected: number | undefined, actual: number): string | null {
  return expected === undefined || expected === actual
    ? null
    : `Expected ${expected} ${what}, and there were ${actual}.`
}
