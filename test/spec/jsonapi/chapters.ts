import { fetchingStatements } from './fetching-ledger.js'
import { crudStatements } from './ledger.js'
import type { Ledger } from './pointed-statement.js'
import { errorStatements, negotiationStatements, parameterStatements } from './protocol-ledger.js'
import { structureStatements } from './structure-ledger.js'

/** A chapter of the list of statements that the format publishes. */
interface Chapter {
  readonly title: string
  /** Where it is in the text of the format. */
  readonly anchor: string
  /** How many statements the published list has of it, repeated ids included. */
  readonly published: number
  readonly ledger: Ledger
}

export const chapters: readonly Chapter[] = [
  { title: 'Content negotiation', anchor: 'content-negotiation', published: 6, ledger: negotiationStatements },
  { title: 'Document structure', anchor: 'document-structure', published: 53, ledger: structureStatements },
  { title: 'Fetching data', anchor: 'fetching', published: 42, ledger: fetchingStatements },
  { title: 'Creating, updating and deleting', anchor: 'crud', published: 80, ledger: crudStatements },
  { title: 'Query parameters', anchor: 'query-parameters', published: 3, ledger: parameterStatements },
  { title: 'Errors', anchor: 'errors', published: 4, ledger: errorStatements },
]

export type StatementId =
  | keyof typeof crudStatements
  | keyof typeof errorStatements
  | keyof typeof fetchingStatements
  | keyof typeof negotiationStatements
  | keyof typeof parameterStatements
  | keyof typeof structureStatements
