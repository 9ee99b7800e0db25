import { creatingStatements } from './creating.js'
import { deletingStatements } from './deleting.js'
import { errorStatements } from './errors.js'
import { negotiationStatements } from './negotiation.js'
import { openapiStatements } from './openapi.js'
import { parameterStatements } from './parameters.js'
import { readingStatements } from './reading.js'
import { relationshipStatements } from './relationships.js'
import type { Statement, Statements } from './statement.js'
import { structureStatements } from './structure.js'
import { updatingStatements } from './updating.js'

/** The id of a statement: that of the published list, or one of this project if the list lacks it. */
export type StatementId =
  | keyof typeof negotiationStatements
  | keyof typeof structureStatements
  | keyof typeof readingStatements
  | keyof typeof creatingStatements
  | keyof typeof updatingStatements
  | keyof typeof relationshipStatements
  | keyof typeof deletingStatements
  | keyof typeof parameterStatements
  | keyof typeof errorStatements
  | keyof typeof openapiStatements

/** A chapter of statements, in the order of the format. */
export interface StatementChapter {
  readonly name: string
  readonly title: string
  readonly statements: Statements
}

export const statementChapters: readonly StatementChapter[] = Object.freeze([
  { name: 'negotiation', title: 'Content negotiation', statements: negotiationStatements },
  { name: 'structure', title: 'Document structure', statements: structureStatements },
  { name: 'reading', title: 'Fetching data', statements: readingStatements },
  { name: 'creating', title: 'Creating resources', statements: creatingStatements },
  { name: 'updating', title: 'Updating resources', statements: updatingStatements },
  { name: 'relationships', title: 'Updating relationships', statements: relationshipStatements },
  { name: 'deleting', title: 'Deleting resources', statements: deletingStatements },
  { name: 'parameters', title: 'Query parameters', statements: parameterStatements },
  { name: 'errors', title: 'Errors', statements: errorStatements },
  { name: 'openapi', title: 'OpenAPI', statements: openapiStatements },
])

/** Returns a statement by its id. */
export function statementOf(id: StatementId): Statement {
  return all[id]
}

const all: Readonly<Record<StatementId, Statement>> = {
  ...negotiationStatements,
  ...structureStatements,
  ...readingStatements,
  ...creatingStatements,
  ...updatingStatements,
  ...relationshipStatements,
  ...deletingStatements,
  ...parameterStatements,
  ...errorStatements,
  ...openapiStatements,
}

/** All ids, in the order of the chapters. */
export const statementIds: readonly StatementId[] = Object.freeze(Object.keys(all)) as readonly StatementId[]
