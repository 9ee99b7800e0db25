import type { CompiledType } from '../../resource/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import { oncePer } from '../../util/once-per.js'

/** An attribute, wherever it was declared. */
export interface AttributePlace {
  /** `title`, `releaseInfo.label`, `orderedTracks.position` */
  readonly member: string
  readonly name: string
  readonly spec: AttributeSpec
  /** Declared on the type itself, inside a composite, or on join rows. */
  readonly of: 'type' | 'composite' | 'pivot'
  /** What is declared next to it, itself included. */
  readonly siblings: readonly string[]
}

/** The attributes of a type, those inside composites and those of join rows. Many rules ask for them. */
export const attributePlaces: (type: CompiledType) => readonly AttributePlace[] = oncePer(
  ({ attributes, relations }) => {
    const own = Object.fromEntries(attributes.map(({ name, spec }) => [name, spec]))
    return [
      ...placesIn(own, '', 'type'),
      ...relations.flatMap(({ name, spec }) => placesIn(spec.pivot, `${name}.`, 'pivot')),
    ]
  },
)

function placesIn(specs: ChildSpecs, prefix: string, of: AttributePlace['of']): readonly AttributePlace[] {
  const siblings = Object.keys(specs)
  return Object.entries(specs).flatMap(([name, spec]) => [
    { member: `${prefix}${name}`, name, spec, of, siblings },
    ...placesIn(spec.children, `${prefix}${name}.`, 'composite'),
    ...Object.entries(spec.variants).flatMap(([variant, children]) =>
      placesIn(children, `${prefix}${name}.${variant}.`, 'composite'),
    ),
  ])
}
