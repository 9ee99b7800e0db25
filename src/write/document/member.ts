/** A resource at the end of a relation, with the keys of its row. */
export interface Member {
  readonly type: string
  readonly id: string
  /** The key that relations refer to; see `referenceColumn`. */
  readonly key: unknown
  /** The key that the id encodes. */
  readonly idKey: unknown
}

/** Returns a text that identifies a resource by its type and id, as a map key. */
export function identityOf({ type, id }: Pick<Member, 'type' | 'id'>): string {
  return `${type}\n${id}`
}
