import { pointer } from '../document/json-pointer.js'
import type { Problem } from '../errors/json-api-error.js'
import { fail, failAll } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'
import { invalid } from './invalid.js'
import { linkageFormProblems } from './linkage-form.js'
import type { LocalIds } from './local-ids.js'
import { localIdProblems, localIdsIn } from './local-ids.js'
import { dataProblems } from './operation-data.js'
import type { KindOf } from './operation-kind.js'
import { readTarget } from './operation-target.js'
import type { ResolveHref } from './resolve-href.js'
import type { OperationCode, SentOperation } from './sent-operation.js'

/** How a document is read. */
export interface BatchReading {
  readonly maxOperations: number
  /** The most problems that are told. */
  readonly limit: number
  readonly resolveHref: ResolveHref
  readonly kindOf: KindOf
}

/** The member of a document that the operations stand in. */
const member = 'atomic:operations'

/** What may not stand beside them. https://jsonapi.org/ext/atomic/#document-structure */
const excluded: readonly string[] = Object.freeze(['data', 'included', 'errors', 'atomic:results'])

/** The operations of a document. 400 with everything that is wrong with its structure, before any of them is run. */
export function readBatch(
  document: unknown,
  { maxOperations, limit, resolveHref, kindOf }: BatchReading,
): readonly SentOperation[] {
  const sent = operationsIn(document)
  if (sent.length > maxOperations) {
    fail('ATOMIC_OPERATIONS_TOO_MANY', { limit: maxOperations }, { source: { pointer: pointer(member) } })
  }
  const read = sent.map((each, index) => readOperation(each, pointer(member, index), resolveHref))
  const ofLocalIds = localIdProblems(read.map(({ localIds }) => localIds))
  const problems = [...strangerProblems(document)]
  for (const [index, { operation, localIds, problems: found }] of read.entries()) {
    problems.push(...found, ...(ofLocalIds[index] ?? []))
    const isNamed = localIds.problems.length === 0
    if (operation !== null && isNamed) problems.push(...linkageFormProblems(operation, kindOf))
  }
  if (problems.length > 0) failAll(problems.slice(0, limit))
  return read.flatMap(({ operation }) => operation ?? [])
}

function operationsIn(document: unknown): readonly unknown[] {
  if (!isPlainObject(document)) return refuse(`the document is an object with the member '${member}'`, '')
  if (!Object.hasOwn(document, member)) return refuse(`the document has no member '${member}'`, '')
  const operations = document[member]
  if (!Array.isArray(operations)) return refuse('operations are a list', pointer(member))
  if (operations.length === 0) return refuse('there are no operations in it', pointer(member))
  return operations
}

function refuse(message: string, at: string): never {
  failAll([invalid(message, at)])
}

function strangerProblems(document: unknown): readonly Problem[] {
  return excluded
    .filter((name) => isPlainObject(document) && Object.hasOwn(document, name))
    .map((name) => invalid(`a document with operations has no member '${name}'`, pointer(name)))
}

/** `operation` is `null` where there are problems. */
interface ReadOperation {
  readonly operation: SentOperation | null
  readonly problems: readonly Problem[]
  readonly localIds: LocalIds
}

function readOperation(sent: unknown, at: string, resolveHref: ResolveHref): ReadOperation {
  const localIds = localIdsIn(sent, at)
  const refused = (...problems: readonly Problem[]): ReadOperation => ({ operation: null, problems, localIds })
  if (!isPlainObject(sent)) return refused(invalid('an operation is an object', at))
  const { op, data, meta } = sent
  const ofMeta = meta === undefined || isPlainObject(meta) ? [] : [invalid("'meta' is an object", `${at}/meta`)]
  if (op === undefined) return refused(...ofMeta, invalid("an operation has a member 'op'", at))
  if (!isCode(op)) return refused(...ofMeta, invalid("'op' is one of add, update and remove", `${at}/op`))
  const { target, isRelationship, problems } = readTarget(sent, op, { at, resolveHref })
  const all = [...ofMeta, ...problems, ...dataProblems(sent, op, { at, isRelationship })]
  if (target === null || all.length > 0) return refused(...all)
  return { operation: { op, target, data, pointer: at, localIds }, problems: [], localIds }
}

const codes: readonly unknown[] = Object.freeze(['add', 'update', 'remove'] satisfies readonly OperationCode[])

function isCode(op: unknown): op is OperationCode {
  return codes.includes(op)
}
