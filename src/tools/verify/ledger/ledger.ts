import type { StatementId } from '../../format/statements/statements.js'
import type { Exchange } from '../exchange/exchange.js'

/** A violation of a statement. */
export interface Violation {
  /** A sentence that describes the observation. */
  readonly problem: string
  /** A JSON pointer into the response document; `null` if the problem is not in the document. */
  readonly pointer?: string | null
  /** The exchange that shows it; `null` if none does by itself. */
  readonly exchange: Exchange | null
  /** `warning` if the statement is a MUST, but binds the client, or the observation may have another reason. */
  readonly severity?: 'warning'
  /** The first version that forbids it, if it is later than that of the statement. */
  readonly since?: '1.1'
}

/** Violations of the same kind, with the first of them. */
export interface Finding extends Violation {
  readonly times: number
}

/** The observations of a statement in a run. */
export interface Entry {
  readonly observations: number
  readonly findings: readonly Finding[]
}

/** Collects the observations of each statement. */
export interface Ledger {
  /** Notes that a statement was seen to hold, or was violated. */
  observe(...statements: readonly StatementId[]): void
  /** Notes a violation, which is an observation too. */
  violate(statement: StatementId, violation: Violation): void
  /** Notes whether a statement holds. */
  expect(statement: StatementId, holds: boolean, violation: Violation): void
  /** Adds a note for the user that belongs to no statement. */
  note(text: string): void
  /** Returns whether a statement is part of the run. */
  includes(statement: StatementId): boolean
  entry(statement: StatementId): Entry
  readonly notes: readonly string[]
}

export function createLedger(selected: ReadonlySet<StatementId>): Ledger {
  const observations = new Map<StatementId, number>()
  const findings = new Map<StatementId, Map<string, Finding>>()
  const notes = new Set<string>()
  const count = (statement: StatementId): void => {
    observations.set(statement, (observations.get(statement) ?? 0) + 1)
  }
  const ledger: Ledger = {
    observe(...statements) {
      for (const statement of statements) if (selected.has(statement)) count(statement)
    },
    violate(statement, violation) {
      if (!selected.has(statement)) return
      count(statement)
      const found = findings.get(statement) ?? new Map<string, Finding>()
      findings.set(statement, found)
      const key = kindOf(violation)
      const first = found.get(key)
      found.set(key, first === undefined ? { ...violation, times: 1 } : { ...first, times: first.times + 1 })
    },
    expect(statement, holds, violation) {
      if (holds) ledger.observe(statement)
      else ledger.violate(statement, violation)
    },
    note: (text) => void notes.add(text),
    includes: (statement) => selected.has(statement),
    entry: (statement) => ({
      observations: observations.get(statement) ?? 0,
      findings: [...(findings.get(statement)?.values() ?? [])],
    }),
    get notes() {
      return [...notes]
    },
  }
  return ledger
}

/** Returns the kind of a violation. Violations of the same kind differ only in addresses, ids with digits, and positions. */
function kindOf({ problem, pointer, severity, since }: Violation): string {
  const plain = problem.replaceAll(/'[^'\d]*\d[^']*'|\b\d+\b|\/\S+/g, '*')
  return [plain, pointer?.replaceAll(/\/\d+(?=\/|$)/g, '/*') ?? '', severity ?? '', since ?? ''].join('\n')
}
