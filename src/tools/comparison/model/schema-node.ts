import type { StatedDeprecation } from './deprecation-of.js'
import type { ValueRules } from './value-rules.js'

/** The kind of a node, for sentences. */
export type NodeKind = 'attribute' | 'relation' | 'member' | 'item' | 'variant' | 'joinField'

/** The linkage of a relation: the types to which it refers. */
export interface Linkage {
  readonly isMany: boolean
  readonly targets: readonly string[]
}

/**
 * The values of a member, with its children. It is built from one schema or several that all apply, so that equivalent documents
 * have equal nodes. Null is separate from the other values.
 */
export interface SchemaNode {
  readonly kind: NodeKind
  /** The name of the component to which the schema refers. */
  readonly component: string | null
  /** Whether the member is always present. */
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
