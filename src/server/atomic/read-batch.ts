import { UPSERT_EXTENSION } from '../../core/document/media-type.js'
import { pointer } from '../../core/document/json-pointer.js'
import { fail, failAll } from '../../core/errors/json-api-error.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../core/util/types.js'
import type { ProblemCollector } from './problem-collector.js'
import { invalidBatch, problemCollector } from './problem-collector.js'
import { checkLinkageForm } from './check-linkage-form.js'
import type { LocalIdScope } from './local-ids.js'
import { localIdsIn, checkLocalIds } from './local-ids.js'
import { checkOperationData } from './check-operation-data.js'
import type { FindTypeOperation } from './type-operation.js'
import { readTarget } from './operation-target.js'
import type { ResolveHref } from './resolve-href.js'
import type { OperationCode, SentOperation } from './sent-operation.js'
import { sentVersion } from './sent-version.js'

/** The options for reading a batch. */
export interface BatchReadOptions extends Pick<LocalIdScope, 'hasRelation'> {
  readonly maxOperations: number
  /** The maximum number of problems that are reported. */
  readonly limit: number
  readonly resolveHref: ResolveHref
  readonly findTypeOperation: FindTypeOperation
  /** Whether the request names the extension of upserts. */
  readonly hasUpserts: () => boolean
}

/** The member of the document that has the operations. */
const member = 'atomic:operations'

/** The member of an operation that the extension of upserts defines. */
export const upsertMember = 'upsert:by'

/** The pointer of that member within its operation. */
export const upsertPointer: string = pointer(upsertMember)

/** The members that a document with operations must not have. https://jsonapi.org/ext/atomic/#document-structure */
const excluded: readonly string[] = Object.freeze(['data', 'included', 'errors', 'atomic:results'])

/** Reads the operations of a document. Fails with 400 and all problems of its structure before any operation runs. */
export function readBatch(document: unknown, options: BatchReadOptions): readonly SentOperation[] {
  const sent = operationsIn(document)
  const { maxOperations, limit } = options
  if (sent.length > maxOperations) {
    fail('ATOMIC_OPERATIONS_TOO_MANY', { limit: maxOperations }, { source: { pointer: pointer(member) } })
  }
  const faults = problemCollector(limit)
  checkTopLevel(document, faults)
  const { resolveHref, hasRelation, findTypeOperation, hasUpserts } = options
  const known = new Set<string>()
  const reading = { resolveHref, hasRelation, findTypeOperation, hasUpserts, known, faults }
  const operations: SentOperation[] = []
  for (const [index, each] of sent.entries()) {
    if (faults.isFull()) break
    const operation = readOperation(each, pointer(member, index), reading)
    if (operation !== null) operations.push(operation)
  }
  if (faults.all.length > 0) failAll(faults.all)
  return operations
}

function operationsIn(document: unknown): readonly unknown[] {
  if (!isPlainObject(document)) return reject(`the document must be an object with the member '${member}'`, '')
  if (!Object.hasOwn(document, member)) return reject(`the document has no member '${member}'`, '')
  const operations = document[member]
  if (!Array.isArray(operations)) return reject(`'${member}' must be an array`, pointer(member))
  if (operations.length === 0) return reject(`'${member}' must have at least one operation`, pointer(member))
  return operations
}

function reject(message: string, at: string): never {
  failAll([invalidBatch(message, at)])
}

function checkTopLevel(document: unknown, faults: ProblemCollector): void {
  for (const name of excluded) {
    if (!isPlainObject(document) || !Object.hasOwn(document, name)) continue
    faults.report(invalidBatch(`a document with operations must not have the member '${name}'`, pointer(name)))
  }
}

interface OperationReading extends Omit<BatchReadOptions, 'maxOperations' | 'limit'> {
  /** The local ids that earlier operations add. */
  readonly known: Set<string>
  readonly faults: ProblemCollector
}

/** Reads one operation. Returns `null` if it has a problem, which is reported. */
function readOperation(sent: unknown, at: string, options: OperationReading): SentOperation | null {
  const { resolveHref, hasRelation, findTypeOperation, known, faults } = options
  if (!isPlainObject(sent)) {
    faults.report(invalidBatch('an operation must be an object', at))
    return null
  }
  const { op, data, meta } = sent
  if (meta !== undefined && !isPlainObject(meta)) faults.report(invalidBatch("'meta' must be an object", `${at}/meta`))
  if (!isCode(op)) {
    faults.report(
      op === undefined
        ? invalidBatch("an operation must have the member 'op'", at)
        : invalidBatch("'op' must be one of add, update and remove", `${at}/op`),
    )
    return null
  }
  const before = faults.all.length
  const upsertBy = readUpsertKey(sent, op, at, options)
  const { target, isRelationship } = readTarget(sent, op, { at, resolveHref, faults })
  const scope = { isRelationship, hasRelation }
  checkOperationData(sent, at, scope, faults)
  const localIds = localIdsIn(sent, scope)
  checkLocalIds(localIds, at, known, faults)
  if (isRelationship === true && upsertBy !== null)
    faults.report(invalidBatch('members of a relationship are not upserted', `${at}${upsertPointer}`))
  if (target === null || faults.all.length > before) return null
  const isCreate = op === 'add' && isRelationship !== true && upsertBy === null
  const version = isCreate ? null : sentVersion(sent, isRelationship !== true)
  const operation = { op, target, data, pointer: at, localIds, version, upsertBy }
  checkLinkageForm(operation, findTypeOperation, faults)
  return operation
}

/** Reads the member of the extension of upserts. A document must not have members of an extension that its media type does not name. */
function readUpsertKey(sent: JsonMembers, op: OperationCode, at: string, options: OperationReading): string | null {
  const { faults, hasUpserts } = options
  const key = sent[upsertMember]
  if (key === undefined) return null
  const report = (message: string): null => {
    faults.report(invalidBatch(message, `${at}${upsertPointer}`))
    return null
  }
  if (!hasUpserts()) {
    return report(
      `a request with '${upsertMember}' must name the extension ${UPSERT_EXTENSION} in 'ext' of Content-Type`,
    )
  }
  if (op !== 'add') return report(`only an 'add' operation may have '${upsertMember}'`)
  return typeof key === 'string' && key !== '' ? key : report(`'${upsertMember}' must be the name of a unique key`)
}

const codes: readonly unknown[] = Object.freeze(['add', 'update', 'remove'] satisfies readonly OperationCode[])

function isCode(op: unknown): op is OperationCode {
  return codes.includes(op)
}
