/** A resource at the end of a relation, with the keys of its row. */
export interface Member {
  readonly type: string
  readonly id: string
  /** What relations point at; see `referenceColumn`. */
  readonly key: unknown
  /** What its id stands for. */
  readonly idKey: unknown
}

/** Tells resources apart: no two have one type and one id. */
export function identityOf({ type, id }: Pick<Member, 'type' | 'id'>): string {
  return `${type}\n${id}`
}
