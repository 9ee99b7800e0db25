/** A resource at run time. The types of the client define which members it may have for one type. */
export interface SentResource {
  readonly type?: string
  readonly id?: string
  readonly lid?: string
  readonly attributes?: object
  readonly relationships?: Readonly<Record<string, SentLinkage | undefined>>
}

/** A member of a relationship. Other members are omitted, so that a resource of a result can be sent unchanged. */
interface SentMember {
  readonly type: string
  readonly id?: string
  readonly lid?: string
  readonly $pivot?: object
}

export type SentLinkage = SentMember | readonly SentMember[] | null

/** Returns the resource object of a new or a changed resource. JSON omits undefined members. */
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

/** Returns the data of a relationship. JSON omits undefined members. */
export function linkageData(members: SentLinkage): unknown {
  if (members === null) return null
  return Array.isArray(members)
    ? (members as readonly SentMember[]).map(identifierOf)
    : identifierOf(members as SentMember)
}

function identifierOf({ type, id, lid, $pivot }: SentMember): object {
  return { type, id, lid, meta: $pivot && { pivot: $pivot } }
}
