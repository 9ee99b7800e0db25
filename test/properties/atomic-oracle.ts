import type { TestClient, TestResponse } from 'ashlar/testing'
import type { Identifier, Linkage, Planned, ResourceData } from './atomic-operations.js'

/** The outcome of the operations of a batch when each is a separate request: without any code of batches. */
export interface OneByOne {
  /** Up to the first that fails. */
  readonly responses: readonly TestResponse[]
  /** The one that failed; `null` where all went well. */
  readonly failed: number | null
}

const methods = { add: 'POST', update: 'PATCH', remove: 'DELETE' } as const

/** Sends one after the other, up to the first that fails, with the returned ids instead of local ids. */
export async function oneByOne(api: TestClient, operations: readonly Planned[]): Promise<OneByOne> {
  const ids = new Map<string, string>()
  const responses: TestResponse[] = []
  for (const [index, { sent, type, resource, relationship }] of operations.entries()) {
    const path = resource === null ? `/${type}` : `/${type}/${named(resource, ids).id ?? ''}`
    const isNew = sent.op === 'add' && relationship === null
    // Results of relationship operations have the linkage.
    const headers = relationship === null ? {} : { Prefer: 'return=representation' }
    const data = sent.data === undefined ? {} : { headers, body: { data: withIds(sent.data, ids, isNew) } }
    const response = await api.request(methods[sent.op], relationship === null ? path : `${path}/relationships/${relationship}`, data) // biome-ignore format: a request
    responses.push(response)
    if (response.status >= 400) return { responses, failed: index }
    const { type: added = '', lid } = isNew ? (sent.data as ResourceData) : {}
    if (lid !== undefined) ids.set(`${added} ${lid}`, response.resource.id)
  }
  return { responses, failed: null }
}

type Ids = ReadonlyMap<string, string>

function withIds(data: NonNullable<unknown> | null, ids: Ids, isNew: boolean): unknown {
  if (data === null || Array.isArray(data) || !('attributes' in data)) return linked(data as Linkage, ids)
  const { lid: _lid, ...resource } = data as ResourceData
  const relationships = Object.entries(resource.relationships).map(([name, { data: linkage }]) => {
    return [name, { data: linked(linkage, ids) }]
  })
  const identified = isNew ? resource : { ...resource, ...named(data as ResourceData, ids) }
  const { attributes } = resource
  return { ...identified, attributes, relationships: Object.fromEntries(relationships) as unknown }
}

function linked(linkage: Linkage, ids: Ids): unknown {
  if (linkage === null) return null
  return Array.isArray(linkage)
    ? linkage.map((each: Identifier) => named(each, ids))
    : named(linkage as Identifier, ids)
}

function named({ lid, ...identifier }: Identifier, ids: Ids): Identifier {
  if (lid === undefined) return identifier
  const id = ids.get(`${identifier.type} ${lid}`)
  if (id === undefined) throw new Error(`Nothing was added as ${identifier.type} ${lid}.`)
  return { ...identifier, id }
}

/** The errors of a batch, derived from those of the operation by itself. */
export function errorsAt({ errors }: TestResponse, index: number, { sent }: Planned): readonly object[] {
  return errors.map((error) => {
    const { pointer = '' } = (error.source ?? {}) as { readonly pointer?: string }
    const local = pointer.replace(/\/id$/, '/lid')
    const isLocal = local !== pointer && valueAt(sent, local) !== undefined && valueAt(sent, pointer) === undefined
    return { ...error, source: { pointer: `/atomic:operations/${index}${isLocal ? local : pointer}` } }
  })
}

function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const name of pointer.split('/').slice(1)) value = (value as Record<string, unknown> | undefined)?.[name]
  return value
}
