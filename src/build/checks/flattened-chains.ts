import type { CompiledRelation, CompiledType } from '../../resource/compiled-type.js'
import { relationReader } from '../declared/relation-reader.js'
import { attributePlaces } from './attribute-places.js'
import type { BuildRule, BuildWorld, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { knownColumns } from './known-columns.js'
import { refuseToMany, targetsOf, walkPath } from './relation-paths.js'

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
  const refuse: Refuse = (relation, owner) =>
    refuseToMany(relation, owner) ?? refuseUnread(relation, owner, targetsOf(world, owner, relation))
  const end = walkPath(declared, on, { world, refuse })
  if (end.kind === 'broken') {
    return [
      {
        member,
        problem: `cannot be flattened over on('${on.join('.')}'): ${end.problem}`,
        remedy: 'name to-one relations that are declared and read, each of the type before it',
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

type Refuse = Parameters<typeof walkPath>[2]['refuse']

/** Without a provider of the related type, linkage may still be shown; its rows are nobody's to read. */
function refuseUnread(
  relation: CompiledRelation,
  owner: DeclaredType,
  targets: readonly DeclaredType[],
): string | null {
  const isUnread = owner.provider !== null && targets.some(({ provider }) => provider === null)
  if (!isUnread || relationReader({ relation, owner, targets }) !== null) return null
  return `nobody reads the rows of '${owner.type.type}.${relation.name}'`
}

/** What a name means at the end of a chain. */
function endOf(type: CompiledType, name: string): 'found' | 'absent' | 'underived' {
  if (knownColumns(type)?.includes(name) === true || name === 'id' || name === type.id.column) return 'found'
  const attribute = type.attributeNamed.get(name) ?? type.attributes.find(({ column }) => column === name)
  // A type made of capabilities need not declare what its rows hold.
  if (attribute === undefined) return type.origin === 'resource' ? 'absent' : 'found'
  return attribute.column === null ? 'underived' : 'found'
}
