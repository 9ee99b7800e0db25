import { isShown } from '../openapi/shown-fields.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'

/** A type in the picture, with its relations. */
export interface GraphType {
  readonly name: string
  readonly relations: readonly GraphRelation[]
}

/** A relation in the picture. */
export interface GraphRelation {
  readonly name: string
  readonly toMany: boolean
  /** The related types that are in the picture. A polymorphic relation may have several. */
  readonly targets: readonly string[]
  /** The related types as text: `tracks[]`. */
  readonly words: string
}

/** Returns the types of a server and the relations that some request may see, in the order of their declarations. */
export function relationGraph(types: readonly ServedType[]): readonly GraphType[] {
  const names = new Set(types.map(({ type }) => type.type))
  return types.map((served) => ({
    name: served.type.type,
    relations: shownRelations(served).map(({ name, spec }) => ({
      name,
      toMany: spec.traits.toMany,
      targets: spec.targets.filter((target) => names.has(target)),
      words: `${relatedWords(spec.targets)}${spec.traits.toMany ? '[]' : ''}`,
    })),
  }))
}

/** Returns the relations that some request may see. */
export function shownRelations({ relations }: ServedType): readonly ServedRelation[] {
  return [...relations.values()].filter(({ spec }) => isShown(spec))
}

function relatedWords(targets: readonly string[]): string {
  const [only = 'any'] = targets
  return targets.length > 1 ? `${targets.length} types` : only
}
