import { creatingStatements } from '../../format/statements/creating.js'
import { deletingStatements } from '../../format/statements/deleting.js'
import { errorStatements } from '../../format/statements/errors.js'
import { featureStatements } from '../../format/statements/features.js'
import { negotiationStatements } from '../../format/statements/negotiation.js'
import { openapiStatements } from '../../format/statements/openapi.js'
import { relationshipStatements } from '../../format/statements/relationships.js'
import type { StatementId } from '../../format/statements/statements.js'
import { structureStatements } from '../../format/statements/structure.js'
import { updatingStatements } from '../../format/statements/updating.js'
import type { Run } from '../checks/run.js'
import { ServerUnreachable } from '../exchange/sender.js'
import { checkCreation } from './check-creation.js'
import { checkDeletion } from './check-deletion.js'
import { checkRelationships } from './check-relationships.js'
import { checkUpdates } from './check-updates.js'
import { checkUpserts } from './check-upserts.js'
import { findMaker, type Maker } from './maker.js'
import { createdAddress, removeCreated, type WriteRun } from './write-run.js'

/**
 * Creates, changes and deletes resources of all types that can be created, one request after the other. Only resources
 * of the run are changed, except members of relationships whose type cannot be created. Returns the addresses of
 * resources that could not be removed.
 */
export async function runWriteChecks(run: Run): Promise<readonly string[]> {
  const writing: WriteRun = { ...run, created: [] }
  try {
    await checkTypes(writing)
  } catch (error) {
    if (!(error instanceof ServerUnreachable) || writing.created.length === 0) throw error
    const left = writing.created.map(({ url }) => url).join(', ')
    throw new ServerUnreachable(`${error.message} The run has created resources that may be left: ${left}.`, {
      cause: error,
    })
  }
  return removeCreated(writing)
}

/** The chapters of the statements of each check. */
const chapters = {
  creation: [negotiationStatements, structureStatements, creatingStatements, errorStatements],
  updates: [updatingStatements, creatingStatements, errorStatements],
  relationships: [relationshipStatements, structureStatements, errorStatements],
  deletion: [deletingStatements],
  upserts: [featureStatements],
} as const

function isWanted(check: keyof typeof chapters, { ledger, description }: WriteRun): boolean {
  const ids = [...chapters[check], ...(description === null ? [] : [openapiStatements])].flatMap((chapter) =>
    Object.keys(chapter),
  )
  return ids.some((id) => ledger.includes(id as StatementId))
}

async function checkTypes(run: WriteRun): Promise<void> {
  const makers = new Map<string, Maker>()
  for (const type of run.knowledge.types.values()) {
    const maker = await findMaker(type, run)
    if (maker !== null) makers.set(type.name, maker)
  }
  if (makers.size === 0) run.ledger.note('No type could be created, so that no write was judged.')
  for (const maker of makers.values()) {
    if (isWanted('creation', run)) await checkCreation(maker, run)
    const url = createdAddress(maker.exchange, run)
    if (url !== null && isWanted('updates', run)) await checkUpdates(url, maker, run)
    if (url !== null && isWanted('relationships', run)) await checkRelationships(url, makers, run)
    if (isWanted('upserts', run)) await checkUpserts(maker, run)
    if (isWanted('deletion', run)) await checkDeletion(maker, run)
  }
}
