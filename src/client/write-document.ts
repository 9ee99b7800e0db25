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

/** Returns the resource object of a new or a changed resource. */
export function resourceObject(type: string, { relationships, attributes, ...sent }: SentResource): object {
  const linkage = Object.entries(relationships ?? {}).flatMap(([name, data]) =>
    data === undefined ? [] : [[name, { data: linkageData(data) }] as const],
  )
  return {
    type: sent.type ?? type,
    ...(sent.id === undefined ? {} : { id: sent.id }),
    ...(sent.lid === undefined ? {} : { lid: sent.lid }),
    ...(attributes === undefined ? {} : { attributes }),
    ...(linkage.length === 0 ? {} : { relationships: Object.fromEntries(linkage) }),
  }
}

/** Returns the data of a relationship. */
export function linkageData(members: SentLinkage): unknown {
  if (members === null) return null
  return Array.isArray(members)
    ? (members as readonly SentMember[]).map(identifierOf)
    : identifierOf(members as SentMember)
}

function identifierOf({ type, id, lid, $pivot }: SentMember): object {
  const identity = id === undefined ? { type, lid } : { type, id }
  return $pivot === undefined ? identity : { ...identity, meta: { pivot: $pivot } }
}
