import { type CallOptions, callServer, type ClientContext, documentBody } from './call-server.js'
import type { Contract, RelationsThatAre, TypeName } from './contract.js'
import { type RawDocument, readData } from './read-document.js'
import type { Identifier, ResourceOf } from './resource.js'
import { linkageData, resourceObject, type SentLinkage, type SentResource } from './write-document.js'
import type { AddedInput, Changes, LinkageInput, LinkedInput, LocalIdentifier, NewResource } from './writes.js'

/** The key of the result of a step. Only the compiler sees it. */
declare const result: unique symbol

/** An operation of a batch. In the list that the function of a batch returns, it represents its result. See {@link createClient}. */
export interface BatchStep<Result> {
  readonly [result]?: Result
}

/** A resource that a batch creates. Later operations of the batch use it instead of its identifier. See {@link createClient}. */
export interface CreatedStep<Api extends Contract, T extends TypeName<Api>>
  extends BatchStep<ResourceOf<Api, T>>,
    LocalIdentifier<T> {}

/** The types that have an operation, unless its response is always a job: a batch is finished when the server responds. */
type BatchTypes<Api extends Contract, Operation extends string> = {
  [T in TypeName<Api>]: Operation extends Api['types'][T]['operations']
    ? Api['types'][T]['results'][Uncapitalize<Operation>] extends { job: string }
      ? never
      : T
    : never
}[TypeName<Api>]

/** A resource by its id or its identifier, or one that the batch creates. */
type Target<T extends string> = string | Identifier<T> | LocalIdentifier<T>

/** The options of an operation of a batch. See {@link createClient}. */
export interface StepOptions {
  /**
   * The version of the target that the client has read. If there is a later one, the batch is refused with 412. It is `meta.version` of a resource
   * object, which `raw` returns, if the type has `version` with `inMeta`.
   */
  readonly version?: string | undefined
}

/** The operations that a batch may have. See {@link createClient}. */
export interface Batch<Api extends Contract> {
  create<const T extends BatchTypes<Api, 'Create'>>(type: T, resource: NewResource<Api, T>): CreatedStep<Api, T>
  /**
   * Updates the resource that the caller sees with the value of a key, or creates it. `meta.created` of the result, which `raw` returns, is
   * whether it was created.
   */
  upsert<const T extends UpsertableTypes<Api>, const Key extends UpsertKey<Api, T>>(
    type: T,
    key: Key,
    resource: NewResource<Api, T>,
    options?: StepOptions,
  ): CreatedStep<Api, T>
  update<const T extends BatchTypes<Api, 'Update'>>(
    type: T,
    target: Target<NoInfer<T>>,
    changes: Changes<Api, T>,
    options?: StepOptions,
  ): BatchStep<ResourceOf<Api, T> | null>
  delete<const T extends BatchTypes<Api, 'Delete'>>(
    type: T,
    target: Target<NoInfer<T>>,
    options?: StepOptions,
  ): BatchStep<null>
  add<const T extends BatchTypes<Api, 'Update'>, const N extends RelationsThatAre<Api, T, 'addable'>>(
    type: T,
    target: Target<NoInfer<T>>,
    relation: N,
    members: readonly AddedInput<Api, T, N>[],
    options?: StepOptions,
  ): BatchStep<unknown>
  remove<const T extends BatchTypes<Api, 'Update'>, const N extends RelationsThatAre<Api, T, 'removable'>>(
    type: T,
    target: Target<NoInfer<T>>,
    relation: N,
    members: readonly LinkedInput<Api, T, N>[],
    options?: StepOptions,
  ): BatchStep<unknown>
  replace<const T extends BatchTypes<Api, 'Update'>, const N extends RelationsThatAre<Api, T, 'replaceable'>>(
    type: T,
    target: Target<NoInfer<T>>,
    relation: N,
    members: LinkageInput<Api, T, N>,
    options?: StepOptions,
  ): BatchStep<unknown>
}

/** The keys by which a batch creates or updates resources of a type. */
type UpsertKey<Api extends Contract, T extends TypeName<Api>> = Api['types'][T]['upsertBy'] & string

type UpsertableTypes<Api extends Contract> = {
  [T in TypeName<Api>]: [UpsertKey<Api, T>] extends [never] ? never : T
}[TypeName<Api>]

/** The results of the steps of a list. */
export type Results<Steps> = {
  readonly [Index in keyof Steps]: Steps[Index] extends BatchStep<infer Result> ? Result : never
}

const atomicExtension = 'https://jsonapi.org/ext/atomic'
const upsertExtension = 'https://ashlar.dev/ext/upsert/'
const upsertMember = 'upsert:by'

/** Sends the operations that a function adds to a batch, and returns the results of the operations that it returns. */
export async function sendBatch(
  context: ClientContext,
  path: string,
  build: (batch: never) => readonly object[],
  options: CallOptions = {},
): Promise<readonly unknown[]> {
  const operations: object[] = []
  const steps = new Map<object, number>()
  const wanted = build(batchOf(operations, steps) as never)
  const hasUpserts = operations.some((operation) => upsertMember in operation)
  const extensions = hasUpserts ? `${atomicExtension} ${upsertExtension}` : atomicExtension
  const body = documentBody({ 'atomic:operations': operations }, `; ext="${extensions}"`)
  const { document } = await callServer(context, 'POST', `${context.url}${path}`, options, body)
  const results = (document as { readonly 'atomic:results'?: readonly RawDocument[] })['atomic:results'] ?? []
  return wanted.map((step) => readData(results[steps.get(step) ?? -1] ?? {}))
}

function batchOf(operations: object[], steps: Map<object, number>): object {
  const add = <Step extends object>(operation: object, step: Step): Step => {
    steps.set(step, operations.push(operation) - 1)
    return step
  }
  const change =
    (op: string) =>
    (type: string, target: AnyTarget, relationship: string, members: SentLinkage, options?: StepOptions): object =>
      add(
        {
          op,
          ref: { type, ...identityOf(target), relationship, meta: versionMeta(options) },
          data: linkageData(members),
        },
        {},
      )
  const create = (type: string, resource: SentResource, members: object, meta?: object): object => {
    const lid = `lid-${operations.length + 1}`
    // A resource whose id the client chooses needs no local id.
    const identity = resource.id === undefined ? { lid } : { id: resource.id }
    const data = { ...resourceObject(type, { ...resource, ...identity }), meta }
    return add({ op: 'add', ...members, data }, { type, ...identity })
  }
  return {
    create: (type: string, resource: SentResource) => create(type, resource, {}),
    upsert: (type: string, key: string, resource: SentResource, options?: StepOptions) =>
      create(type, resource, { [upsertMember]: key }, versionMeta(options)),
    update: (type: string, target: AnyTarget, changes: SentResource, options?: StepOptions) =>
      add(
        {
          op: 'update',
          data: { ...resourceObject(type, { ...changes, ...identityOf(target) }), meta: versionMeta(options) },
        },
        {},
      ),
    delete: (type: string, target: AnyTarget, options?: StepOptions) =>
      add({ op: 'remove', ref: { type, ...identityOf(target), meta: versionMeta(options) } }, {}),
    add: change('add'),
    remove: change('remove'),
    replace: change('update'),
  }
}

type AnyTarget = string | { readonly id: string } | { readonly lid: string }

/** Returns the id, also of a whole resource of a result, or the local id. */
function identityOf(target: AnyTarget): { readonly id: string } | { readonly lid: string } {
  if (typeof target === 'string') return { id: target }
  return 'id' in target ? { id: target.id } : { lid: target.lid }
}

/** Returns the meta of a target; JSON leaves it out if it is undefined. */
function versionMeta({ version }: StepOptions = {}): object | undefined {
  return version === undefined ? version : { version }
}
