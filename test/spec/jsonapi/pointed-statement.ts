import type { Statement } from './ledger.js'

/** A statement that tests outside of this folder check, by their file and name. */
export interface PointedStatement extends Statement {
  /** What the server does. */
  readonly says?: string
  readonly by?: readonly TestName[]
}

/** The file under `test`, and a name in it. */
type TestName = readonly [file: string, name: string]

export type Ledger = Readonly<Record<string, PointedStatement>>

export function must(says: string, ...by: readonly TestName[]): PointedStatement {
  return { level: 'MUST', stands: 'tested', says, by }
}

export function should(says: string, ...by: readonly TestName[]): PointedStatement {
  return { level: 'SHOULD', stands: 'tested', says, by }
}

export function may(says: string, ...by: readonly TestName[]): PointedStatement {
  return { level: 'MAY', stands: 'tested', says, by }
}

/** The validator checks every document that a server returns in a test. The tests of the validator have a document with this fault. */
export function examined(says: string, fault: string): PointedStatement {
  return must(says, ['spec/testing-kit-documents.test.ts', fault])
}
