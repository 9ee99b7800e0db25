import type { Run } from '../checks/run.js'
import { checkCreation } from './check-creation.js'
import { checkDeletion } from './check-deletion.js'
import { checkRelationships } from './check-relationships.js'
import { checkUpdates } from './check-updates.js'
import { findMaker, type Maker } from './maker.js'
import { addressOf, removeCreated, type WriteRun } from './write-run.js'

/**
 * Creates, changes and deletes resources of all types that can be created, one request after the other. Only resources
 * of the run are changed, except members of relationships whose type cannot be created. Returns the addresses of
 * resources that could not be removed.
 */
export async function runWriteChecks(run: Run): Promise<readonly string[]> {
  const writing: WriteRun = { ...run, created: [] }
  await checkTypes(writing)
  return removeCreated(writing)
}

async function checkTypes(run: WriteRun): Promise<void> {
  const makers = new Map<string, Maker>()
  for (const type of run.knowledge.types.values()) {
    const maker = await findMaker(type, run)
    if (maker !== null) makers.set(type.name, maker)
  }
  if (makers.size === 0) run.ledger.note('No type could be created, so that no write was judged.')
  for (const maker of makers.values()) {
    await checkCreation(maker, run)
    const url = addressOf(maker.exchange, run)
    if (url !== null) {
      await checkUpdates(url, maker, run)
      await checkRelationships(url, makers, run)
    }
    await checkDeletion(maker, run)
  }
}
