/** What a resource may have at run time. The types of the client say what it may have for one type. */
export interface SentResource {
  readonly type?: string
  readonly id?: string
  readonly lid?: string
  readonly attributes?: object
  readonly relationships?: Readonly<Record<string, SentLinkage | undefined>>
}

/** A member of a relationship. Other members than these are left out, so that a resource of a result can be sent as it is. */
interface SentMember {
  readonly type: string
  readonly id?: string
  readonly lid?: string
  readonly $pivot?: object
}

export type SentLinkage = SentMember | readonly SentMember[] | null

/** Returns the resource object of a new or a changed resource. JSON leaves out what is undefined. */
export function resourceObject(type: string, { relationships, attributes, ...sent }: SentResource): object {
  return {
    type: sent.type ?? type,
    id: sent.id,
    lid: sent.lid,
    attributes,
    relationships: relationships && Object.fromEntries(Object.entries(relationships).map(relationshipEntry)),
  }
}

function relationshipEntry([name, data]: readonly [string, SentLinkage | undefined]): readonly [string, unknown] {
  return [name, data === undefined ? data : { data: linkageData(data) }]
}

/** Returns the data of a relationship. JSON leaves out what is undefined. */
export function linkageData(members: SentLinkage): unknown {
  if (members === null) return null
  return Array.isArray(members)
    ? (members as readonly SentMember[]).map(identifierOf)
    : identifierOf(members as SentMember)
}

function identifierOf({ type, id, lid, $pivot }: SentMember): object {
  return { type, id, lid, meta: $pivot && { pivot: $pivot } }
}
