import { chapterNames } from './chapter-names.js'
import { creatingStatements } from './creating.js'
import { deletingStatements } from './deleting.js'
import { errorStatements } from './errors.js'
import { featureStatements } from './features.js'
import { negotiationStatements } from './negotiation.js'
import { openapiStatements } from './openapi.js'
import { parameterStatements } from './parameters.js'
import { readingStatements } from './reading.js'
import { relationshipStatements } from './relationships.js'
import type { NormativeStatement, NormativeStatements } from './statement.js'
import { structureStatements } from './structure.js'
import { updatingStatements } from './updating.js'

/** The id of a statement: from the published list, or from this project if it is not in the list. */
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
  | keyof typeof featureStatements

/** A chapter of statements, in the order of the format. */
export interface StatementChapter {
  readonly name: string
  readonly title: string
  readonly statements: NormativeStatements
}

const chapters: Readonly<Record<(typeof chapterNames)[number], Omit<StatementChapter, 'name'>>> = {
  negotiation: { title: 'Content negotiation', statements: negotiationStatements },
  structure: { title: 'Document structure', statements: structureStatements },
  reading: { title: 'Fetching data', statements: readingStatements },
  creating: { title: 'Creating resources', statements: creatingStatements },
  updating: { title: 'Updating resources', statements: updatingStatements },
  relationships: { title: 'Updating relationships', statements: relationshipStatements },
  deleting: { title: 'Deleting resources', statements: deletingStatements },
  parameters: { title: 'Query parameters', statements: parameterStatements },
  errors: { title: 'Errors', statements: errorStatements },
  openapi: { title: 'OpenAPI', statements: openapiStatements },
  features: { title: 'Features of the OpenAPI document', statements: featureStatements },
}

export const statementChapters: readonly StatementChapter[] = Object.freeze(
  chapterNames.map((name) => ({ name, ...chapters[name] })),
)

/** Returns a statement by its id. */
export function statementOf(id: StatementId): NormativeStatement {
  return all[id]
}

const all: Readonly<Record<StatementId, NormativeStatement>> = {
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
  ...featureStatements,
}

/** All ids, in the order of the chapters. */
export const statementIds: readonly StatementId[] = Object.freeze(Object.keys(all)) as readonly StatementId[]
