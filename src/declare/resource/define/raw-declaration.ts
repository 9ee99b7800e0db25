/**
 * A declaration as the application wrote it. Its members may have any type, since a JavaScript application has no
 * compiler that checks them; the build does.
 */
export interface RawDeclaration {
  readonly type: string
  /** The default operations: `resource` serves all five, `capabilities` none. */
  readonly origin: 'resource' | 'capabilities'
  readonly members: Readonly<Record<string, unknown>>
  /** Returns a copy of the declaration with other metadata, or another type. */
  with(metadata: Readonly<Record<string, unknown>>): RawDeclaration
}

export function rawDeclaration(origin: RawDeclaration['origin'], type: string, members: object): RawDeclaration {
  const frozenMembers = Object.freeze({ ...members })
  return Object.freeze({
    type,
    origin,
    members: frozenMembers,
    with({ type: newType, ...metadata }: Readonly<Record<string, unknown>>) {
      return rawDeclaration(origin, typeof newType === 'string' ? newType : type, { ...frozenMembers, ...metadata })
    },
  })
}

export function isRawDeclaration(value: unknown): value is RawDeclaration {
  if (typeof value !== 'object' || value === null) return false
  const { origin, members, type } = value as Partial<Record<keyof RawDeclaration, unknown>>
  const hasOrigin = origin === 'resource' || origin === 'capabilities'
  return hasOrigin && typeof members === 'object' && members !== null && type !== undefined
}
