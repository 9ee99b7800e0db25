/**
 * A declaration as the author wrote it, whatever it is: JavaScript authors have no compiler in front of it, so the
 * build reads it with open eyes.
 */
export interface RawDeclaration {
  readonly type: string
  /** `resource` serves all five operations unless told otherwise, `capabilities` none. */
  readonly origin: 'resource' | 'capabilities'
  readonly members: Readonly<Record<string, unknown>>
  with(metadata: Readonly<Record<string, unknown>>): RawDeclaration
}

export function rawDeclaration(origin: RawDeclaration['origin'], type: string, members: object): RawDeclaration {
  const own = Object.freeze({ ...members })
  return Object.freeze({
    type,
    origin,
    members: own,
    with({ type: other, ...metadata }: Readonly<Record<string, unknown>>) {
      return rawDeclaration(origin, typeof other === 'string' ? other : type, { ...own, ...metadata })
    },
  })
}

export function isRawDeclaration(value: unknown): value is RawDeclaration {
  if (typeof value !== 'object' || value === null) return false
  const { origin, members, type } = value as Partial<Record<keyof RawDeclaration, unknown>>
  const known = origin === 'resource' || origin === 'capabilities'
  return known && typeof members === 'object' && members !== null && type !== undefined
}
