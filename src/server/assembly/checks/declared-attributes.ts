import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../../../declare/resource/fields/attribute-declaration.js'
import { memoize } from '../../../core/util/memoize.js'

/** An attribute with its path in the declaration. */
export interface DeclaredAttribute {
  /** `title`, `releaseInfo.label`, `orderedTracks.position` */
  readonly member: string
  readonly name: string
  readonly spec: AttributeSpec
  /** Declared on the type itself, inside a composite, or on join rows. */
  readonly declaredOn: 'type' | 'composite' | 'pivot'
  /** The names of the attributes that are declared next to it, including its own. */
  readonly siblings: readonly string[]
}

/**
 * Returns all attributes of a type, including those inside composites and of join rows. Memoized: many rules call it.
 */
export const declaredAttributes: (type: CompiledType) => readonly DeclaredAttribute[] = memoize(
  ({ attributes, relations }) => {
    const specs = Object.fromEntries(attributes.map(({ name, spec }) => [name, spec]))
    return [
      ...attributesIn(specs, '', 'type'),
      ...relations.flatMap(({ name, spec }) => attributesIn(spec.pivot, `${name}.`, 'pivot')),
    ]
  },
)

function attributesIn(
  specs: ChildSpecs,
  prefix: string,
  of: DeclaredAttribute['declaredOn'],
): readonly DeclaredAttribute[] {
  const siblings = Object.keys(specs)
  return Object.entries(specs).flatMap(([name, spec]) => [
    { member: `${prefix}${name}`, name, spec, declaredOn: of, siblings },
    ...attributesIn(spec.children, `${prefix}${name}.`, 'composite'),
    ...Object.entries(spec.variants).flatMap(([variant, children]) =>
      attributesIn(children, `${prefix}${name}.${variant}.`, 'composite'),
    ),
  ])
}
