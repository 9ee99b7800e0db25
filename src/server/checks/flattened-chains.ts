import type { CompiledType } from '../../resource/compiled-type.js'
import { attributePlaces } from './attribute-places.js'
import type { BuildRule, BuildWorld, DeclaredType, TypeFault } from './build-rule.js'
import { eachType } from './build-rule.js'
import { knownColumns } from './known-columns.js'
import { refuseToMany, walkPath } from './relation-paths.js'

/** `on()` leads over to-one relations to one type, and is the only thing that says where the value comes from. */
export const flattenedChains: BuildRule = eachType((declared, world) =>
  attributePlaces(declared.type).flatMap((place): readonly TypeFault[] => {
    const { member, spec, name } = place
    const { on } = spec
    if (on === null || place.of !== 'type') return []
    return [
      ...(spec.computed || spec.extract !== null
        ? [
            {
              member,
              problem: `takes its value from on('${on.join('.')}') and from a function`,
              remedy: 'keep one of the two',
            },
          ]
        : []),
      ...chainFaults(declared, on, { member, attribute: spec.storedAs ?? name, world }),
    ]
  }),
)

interface Chain {
  readonly member: string
  readonly attribute: string
  readonly world: BuildWorld
}

function chainFaults(
  declared: DeclaredType,
  on: readonly string[],
  { member, attribute, world }: Chain,
): readonly TypeFault[] {
  const end = walkPath(declared, on, { world, refuse: refuseToMany })
  if (end.kind === 'broken') {
    return [
      {
        member,
        problem: `cannot be flattened over on('${on.join('.')}'): ${end.problem}`,
        remedy: 'name to-one relations that are declared, each of the type before it',
      },
    ]
  }
  return end.types.flatMap(({ type }): readonly TypeFault[] => {
    switch (endOf(type, attribute)) {
      case 'found':
        return []
      case 'absent':
        return [
          {
            member,
            problem: `is flattened from '${type.type}', which has no attribute '${attribute}'`,
            remedy: "name the attribute there: storedAs('…')",
          },
        ]
      case 'underived':
        return [
          {
            member,
            problem: `is flattened from '${type.type}.${attribute}', which has no column of its own`,
            remedy: "end in an attribute that has one: storedAs('…'); a flattened one is reached by its whole chain",
          },
        ]
    }
  })
}

/** What a name means at the end of a chain. */
function endOf(type: CompiledType, name: string): 'found' | 'absent' | 'underived' {
  if (knownColumns(type)?.includes(name) === true || name === 'id' || name === type.id.column) return 'found'
  const attribute = type.attributeNamed.get(name) ?? type.attributes.find(({ column }) => column === name)
  // A type made of capabilities need not declare what its rows hold.
  if (attribute === undefined) return type.origin === 'resource' ? 'absent' : 'found'
  return attribute.column === null ? 'underived' : 'found'
}
