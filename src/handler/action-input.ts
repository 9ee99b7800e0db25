import type { ActionCall } from '../operation/action-call.js'
import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { RequestServices } from '../read/request-services.js'
import { servedType } from '../read/request-services.js'
import { nothingStored } from '../validation/validation.js'
import { checkDocument } from '../write/check-document.js'
import { hydrate } from '../write/columns/hydrate.js'
import { readResourceDocument } from '../write/document/resource-document.js'
import { writableAttributes } from '../validation/writable-attributes.js'

/**
 * The columns that the document of an action sets, checked as for a resource to be created. Nothing is created: neither an
 * id nor relationships are taken.
 */
export async function actionInput(
  { document: sent, context }: ActionCall,
  inputType: string,
  services: RequestServices,
): Promise<ColumnValues> {
  const served = servedType(services, { ...context, type: inputType })
  const document = { ...readResourceDocument(sent, served.type, 'update'), id: null }
  const attributes = writableAttributes(served.type, 'create', context)
  const writable = { attributes, relations: [] }
  const about = { writable, changes: [], storesRow: false, transaction: null }
  const write = { mode: 'create', context, row: null, stored: nothingStored, ...about } as const
  await checkDocument(served, document, write, services)
  const { maxErrors: limit } = services
  return hydrate(served, document, { context, writable: attributes, row: null, stored: nothingStored, limit })
}
