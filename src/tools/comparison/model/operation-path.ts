/** The parts of the path of an operation. An application may change the ids of operations, but not their paths. */
export interface OperationPath {
  /** The first segment, which all operations of a type share; `null` for the root. */
  readonly segment: string | null
  readonly kind: 'collection' | 'resource' | 'related' | 'relationship' | 'action' | 'other'
  /** The segment of the relation; `null` if there is none. */
  readonly relation: string | null
}

export function operationPath(path: string): OperationPath {
  const [first = '', ...rest] = path.split('/').slice(1).map(decodeURIComponent)
  const segment = first === '' ? null : first
  const [id, second, third] = rest
  if (segment === null) return { segment, kind: 'other', relation: null }
  if (rest.length === 0) return { segment, kind: 'collection', relation: null }
  if (id === '-actions' || second === '-actions') return { segment, kind: 'action', relation: null }
  if (id !== '{id}') return { segment, kind: 'other', relation: null }
  if (second === undefined) return { segment, kind: 'resource', relation: null }
  if (third === undefined) return { segment, kind: 'related', relation: second }
  return { segment, kind: second === 'relationships' ? 'relationship' : 'other', relation: third }
}
