import type { Statement } from './ledger.js'

/** A statement that tests outside of this folder check, by their file and name. */
export interface PointedStatement extends Statement {
  /** The behaviour of the server. */
  readonly summary?: string
  readonly by?: readonly TestName[]
}

/** The file under `test`, and a name in it. */
type TestName = readonly [file: string, name: string]

export type Ledger = Readonly<Record<string, PointedStatement>>

export function must(summary: string, ...by: readonly TestName[]): PointedStatement {
  return { level: 'MUST', status: 'tested', summary, by }
}

export function should(summary: string, ...by: readonly TestName[]): PointedStatement {
  return { level: 'SHOULD', status: 'tested', summary, by }
}

export function may(summary: string, ...by: readonly TestName[]): PointedStatement {
  return { level: 'MAY', status: 'tested', summary, by }
}

/** The validator checks every document that a server returns in a test. The tests of the validator have a document with this fault. */
export function examined(summary: string, fault: string): PointedStatement {
  return must(summary, ['spec/testing-kit-documents.test.ts', fault])
}
