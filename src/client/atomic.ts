import type { Contract, RelationsThatAre, TypeName } from './contract.js'
import { type RawDocument, readData } from './read-document.js'
import type { ResourceOf } from './resource.js'
import { type CallOptions, call, type ClientContext } from './type-verbs.js'
import { linkageData, resourceObject, type SentLinkage, type SentResource } from './write-document.js'
import type { Changes, Linkage, Linked, LocalIdentifier, NewResource } from './writes.js'

/** The key of the result of a step. Only the compiler sees it. */
declare const result: unique symbol

/** An operation of a batch. In the list that the function of a batch returns, it stands for its result. */
export interface BatchStep<Result> {
  readonly [result]?: Result
}

/** A resource that a batch creates. Later operations of the batch use it in place of its identifier. */
export interface CreatedStep<Api extends Contract, T extends TypeName<Api>>
  extends BatchStep<ResourceOf<Api, T>>,
    LocalIdentifier<T> {}

/** The types that have an operation. */
type TypesWith<Api extends Contract, Operation> = {
  [T in TypeName<Api>]: Operation extends Api['types'][T]['operations'] ? T : never
}[TypeName<Api>]

/** A resource by its id, or one that the batch creates. */
type Target = string | { readonly lid: string }

/** The operations that a batch may have. */
export interface Batch<Api extends Contract> {
  create<const T extends TypesWith<Api, 'Create'>>(type: T, resource: NewResource<Api, T>): CreatedStep<Api, T>
  update<const T extends TypesWith<Api, 'Update'>>(
    type: T,
    target: Target,
    changes: Changes<Api, T>,
  ): BatchStep<ResourceOf<Api, T> | null>
  delete<const T extends TypesWith<Api, 'Delete'>>(type: T, target: Target): BatchStep<null>
  add<const T extends TypesWith<Api, 'Update'>, const N extends RelationsThatAre<Api, T, 'addable'>>(
    type: T,
    target: Target,
    relation: N,
    members: readonly Linked<Api, T, N>[],
  ): BatchStep<unknown>
  remove<const T extends TypesWith<Api, 'Update'>, const N extends RelationsThatAre<Api, T, 'removable'>>(
    type: T,
    target: Target,
    relation: N,
    members: readonly Linked<Api, T, N>[],
  ): BatchStep<unknown>
  replace<const T extends TypesWith<Api, 'Update'>, const N extends RelationsThatAre<Api, T, 'replaceable'>>(
    type: T,
    target: Target,
    relation: N,
    members: Linkage<Api, T, N>,
  ): BatchStep<unknown>
}

/** The results of the steps of a list. */
export type Results<Steps> = {
  readonly [Index in keyof Steps]: Steps[Index] extends BatchStep<infer Result> ? Result : never
}

const extension = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

/** Sends the operations that a function adds to a batch, and returns the results of those that it returns. */
export async function sendBatch(
  context: ClientContext,
  path: string,
  build: (batch: never) => readonly object[],
  options: CallOptions = {},
): Promise<readonly unknown[]> {
  const operations: object[] = []
  const steps = new Map<object, number>()
  const wanted = build(batchOf(operations, steps) as never)
  const headers = { Accept: extension, ...options.headers }
  const body = { content: JSON.stringify({ 'atomic:operations': operations }), type: extension }
  const { document } = await call(context, 'POST', `${context.url}${path}`, { ...options, headers }, body)
  const results = (document as { readonly 'atomic:results'?: readonly RawDocument[] })['atomic:results'] ?? []
  return wanted.map((step) => {
    const found = results[steps.get(step) ?? -1]
    return found?.data === undefined ? null : readData(found)
  })
}

function batchOf(operations: object[], steps: Map<object, number>): object {
  const add = <Step extends object>(operation: object, step: Step): Step => {
    steps.set(step, operations.push(operation) - 1)
    return step
  }
  const identity = (target: Target | { readonly id: string }): object => {
    if (typeof target === 'string') return { id: target }
    return 'id' in target ? { id: target.id } : { lid: target.lid }
  }
  const change =
    (op: string) =>
    (type: string, target: Target, relationship: string, members: SentLinkage): object =>
      add({ op, ref: { type, ...identity(target), relationship }, data: linkageData(members) }, {})
  return {
    create(type: string, resource: SentResource) {
      const lid = `lid-${operations.length + 1}`
      // A resource whose id the client chooses needs no local id.
      const identified = resource.id === undefined ? { lid } : { id: resource.id }
      return add({ op: 'add', data: resourceObject(type, { ...resource, ...identified }) }, { type, ...identified })
    },
    update: (type: string, target: Target, changes: SentResource) =>
      add({ op: 'update', data: resourceObject(type, { ...changes, ...identity(target) }) }, {}),
    delete: (type: string, target: Target) => add({ op: 'remove', ref: { type, ...identity(target) } }, {}),
    add: change('add'),
    remove: change('remove'),
    replace: change('update'),
  }
}
