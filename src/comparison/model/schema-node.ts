import type { StatedDeprecation } from './deprecation-of.js'
import type { ValueRules } from './value-rules.js'

/** The part of a contract that a node describes, for sentences. */
export type NodeKind = 'attribute' | 'relation' | 'member' | 'item' | 'variant' | 'joinField'

/** The linkage of a relation: the types that it leads to. */
export interface Linkage {
  readonly isMany: boolean
  readonly targets: readonly string[]
}

/**
 * The values of a member, with the members below it. It is made of one schema or of several that all hold, so that documents that say the
 * same in another way have equal nodes. Null is apart from the other values.
 */
export interface SchemaNode {
  readonly kind: NodeKind
  /** The name of the component that the schema refers to. */
  readonly component: string | null
  /** Whether the member is always there. */
  readonly isRequired: boolean
  readonly isNullable: boolean
  /** The types of JSON without null; `null` for any of them. */
  readonly types: readonly string[] | null
  /** The values without null, if they are listed. */
  readonly values: readonly unknown[] | null
  readonly rules: ValueRules
  /**
   * The names of children begin with a dot; those of items are `[]`, and those of variants are in angle brackets. The links and the meta of a
   * resource object begin with a slash.
   */
  readonly children: ReadonlyMap<string, SchemaNode>
  /** `null` if it is not a relation. */
  readonly linkage: Linkage | null
  readonly deprecation: StatedDeprecation | null
  /** The JSON of its descriptions and examples. */
  readonly text: string
}
