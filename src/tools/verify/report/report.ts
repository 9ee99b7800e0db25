import type { Level, NormativeStatement } from '../../format/statements/statement.js'
import { type StatementId, statementChapters } from '../../format/statements/statements.js'
import { curlText } from '../exchange/curl-text.js'
import type { Entry, Finding, Ledger } from '../ledger/ledger.js'

/** The result of a statement: it holds, it is violated, or it was not observed. */
export type StatementOutcome = 'passed' | 'failed' | 'warned' | 'not seen'

/** A violation, as it is reported. */
export interface ReportedFinding {
  readonly severity: 'failure' | 'warning'
  readonly problem: string
  /** A JSON pointer into the response document; `null` if the problem is not in the document. */
  readonly pointer: string | null
  /** The number of violations of this kind. The request is that of the first one. */
  readonly times: number
  readonly request: ReportedRequest | null
}

export interface ReportedRequest {
  readonly method: string
  readonly url: string
  /** The status of the response; 0 if there was none. */
  readonly status: number
  /** A command that repeats the request. */
  readonly curl: string
}

export interface ReportedStatement {
  readonly id: string
  readonly chapter: string
  readonly level: Level
  readonly text: string
  readonly outcome: StatementOutcome
  /** The number of observations that the statement holds or is violated. */
  readonly observations: number
  /** The reason why it was not observed; `null` if it was. */
  readonly reason: string | null
  readonly findings: readonly ReportedFinding[]
}

/** The result of a run. `ashlar verify --json` prints it. */
export interface Report {
  readonly url: string
  /** The version that the server declares in `jsonapi.version`; `null` if it declares none. */
  readonly version: string | null
  readonly writes: boolean
  readonly strict: boolean
  readonly requests: number
  readonly types: readonly string[]
  /** The address or the file of the OpenAPI document; `null` if there is none. */
  readonly openapi: string | null
  readonly counts: Readonly<Record<'passed' | 'failed' | 'warned' | 'notSeen', number>>
  readonly statements: readonly ReportedStatement[]
  readonly notes: readonly string[]
  /** Addresses of resources that the run has created, and could not remove. */
  readonly leftBehind: readonly string[]
}

export interface ReportFacts {
  readonly url: string
  readonly version: string | null
  readonly writes: boolean
  readonly strict: boolean
  readonly requests: number
  readonly types: readonly string[]
  readonly openapi: string | null
  readonly ledger: Ledger
  /** Headers whose values are not printed, in lower case. */
  readonly secrets: ReadonlySet<string>
  readonly leftBehind: readonly string[]
}

/** Creates the report of a ledger. */
export function createReport(facts: ReportFacts): Report {
  const { url, version, writes, strict, requests, types, openapi, ledger, leftBehind } = facts
  const statements = statementChapters.flatMap(({ name: chapter, statements: rows }) =>
    Object.entries(rows)
      .filter(([id]) => ledger.includes(id as StatementId))
      .map(([id, statement]) => reported(id as StatementId, statement, chapter, facts)),
  )
  const count = (outcome: StatementOutcome): number => statements.filter((each) => each.outcome === outcome).length
  return {
    url,
    version,
    writes,
    strict,
    requests,
    types: types.toSorted(),
    openapi,
    counts: {
      passed: count('passed'),
      failed: count('failed'),
      warned: count('warned'),
      notSeen: count('not seen'),
    },
    statements,
    notes: ledger.notes,
    leftBehind,
  }
}

function reported(
  id: StatementId,
  statement: NormativeStatement,
  chapter: string,
  facts: ReportFacts,
): ReportedStatement {
  const { level, text } = statement
  const entry = facts.ledger.entry(id)
  const reason = unseenReason(statement, entry, facts)
  const findings =
    reason === null
      ? entry.findings
          .filter(({ since }) => since === undefined || isAtLeast(facts.version, since))
          .map((finding) => reportedFinding(finding, statement, facts))
      : []
  const isFailed = findings.some(({ severity }) => severity === 'failure' || facts.strict)
  const outcome = reason !== null ? 'not seen' : isFailed ? 'failed' : findings.length > 0 ? 'warned' : 'passed'
  const observations = reason === null ? entry.observations : 0
  return { id, chapter, level, text, outcome, observations, reason, findings }
}

function reportedFinding(
  { problem, pointer = null, times, exchange, severity }: Finding,
  { level }: NormativeStatement,
  { secrets }: ReportFacts,
): ReportedFinding {
  return {
    severity: level === 'MUST' && severity !== 'warning' ? 'failure' : 'warning',
    problem,
    pointer,
    times,
    request:
      exchange === null
        ? null
        : {
            method: exchange.request.method,
            url: exchange.request.url,
            status: exchange.response.status,
            curl: curlText(exchange.request, secrets),
          },
  }
}

/** Returns whether a version is another one or a later one. Versions are additive. */
function isAtLeast(version: string | null, least: string): boolean {
  const [[major = 0, minor = 0], [leastMajor = 0, leastMinor = 0]] = [version ?? '0', least].map((text) => {
    return text.split('.').map(Number)
  }) as [number[], number[]]
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

/** Returns why a statement was not seen; `null` if it was. */
function unseenReason(statement: NormativeStatement, entry: Entry, { version, writes }: ReportFacts): string | null {
  const { seen, needs, since, until } = statement
  if (seen === 'client') return 'It is about clients.'
  // Servers that declare no version are checked against 1.0.
  if (since !== undefined && !isAtLeast(version, since)) return `The server does not declare version ${since}.`
  if (until !== undefined && version !== until)
    return `Only version ${until} has it, which the server does not declare.`
  if (entry.observations > 0) return null
  switch (seen) {
    case 'permission':
      return 'It permits something, and forbids nothing.'
    case 'hidden':
      return needs === undefined || /^[A-Z]/.test(needs) ? (needs ?? 'It cannot be observed.') : `It needs ${needs}.`
    case 'write':
      return writes ? `It needs ${needs}.` : `It needs --write, and ${needs}.`
    case 'feature':
      return `It needs ${needs}.`
    case 'read':
      return 'No response has shown it.'
  }
}
