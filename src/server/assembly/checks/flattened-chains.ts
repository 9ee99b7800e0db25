import { isComposite, keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { CompiledRelation, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { relationReader } from '../declared/relation-reader.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule, BuildContext, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { knownColumns } from './known-columns.js'
import { refuseToMany, targetsOf, walkPath } from './relation-paths.js'

/** Checks that `on()` follows to-one relations to one type, and is the only source of the value. */
export const flattenedChains: BuildRule = eachType((declared, context) =>
  declaredAttributes(declared.type).flatMap(({ member, spec, name, declaredOn: of }): readonly TypeFault[] => {
    const { on } = spec
    if (on === null || of !== 'type') return []
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
      ...chainFaults(declared, on, { member, attribute: spec.storedAs ?? name, context }),
    ]
  }),
)

interface Chain {
  readonly member: string
  readonly attribute: string
  readonly context: BuildContext
}

function chainFaults(
  declared: DeclaredType,
  on: readonly string[],
  { member, attribute, context }: Chain,
): readonly TypeFault[] {
  const refuse: Refuse = (relation, owner) =>
    refuseToMany(relation, owner) ?? refuseUnread(relation, owner, targetsOf(context, owner, relation))
  const end = walkPath(declared, on, { context, refuse })
  if (end.kind === 'broken') {
    return [
      {
        member,
        problem: `cannot be flattened over on('${on.join('.')}'): ${end.problem}`,
        remedy: 'name to-one relations that are declared and readable, each of them on the type before it',
      },
    ]
  }
  return end.types.flatMap(({ type }): readonly TypeFault[] => {
    switch (resolveEnd(type, attribute)) {
      case 'found':
        return []
      case 'absent':
        return [
          {
            member,
            problem: `is flattened from '${type.type}', which has no attribute '${attribute}'`,
            remedy: "name an attribute of that type: storedAs('…')",
          },
        ]
      case 'withoutColumn':
        return [
          {
            member,
            problem: `is flattened from '${type.type}.${attribute}', which has no column of its own`,
            remedy:
              "name an attribute that has one: storedAs('…'); if the attribute is itself flattened, give its whole chain to on()",
          },
        ]
    }
  })
}

type Refuse = Parameters<typeof walkPath>[2]['refuse']

/** Refuses relations whose related rows no provider reads. Their linkage may still be rendered. */
function refuseUnread(
  relation: CompiledRelation,
  owner: DeclaredType,
  targets: readonly DeclaredType[],
): string | null {
  const isUnread = owner.provider !== null && targets.some(({ provider }) => provider === null)
  if (!isUnread || relationReader({ relation, owner, targets }) !== null) return null
  return `no provider reads the rows of '${owner.type.type}.${relation.name}'`
}

function isIdName({ id }: CompiledType, name: string): boolean {
  return (name === 'id' && !isComposite(id.column)) || keyColumns(id.column).includes(name)
}

/** Looks up an attribute or a column in the type at the end of a chain. */
function resolveEnd(type: CompiledType, name: string): 'found' | 'absent' | 'withoutColumn' {
  if (knownColumns(type)?.includes(name) === true || isIdName(type, name)) return 'found'
  const attribute = type.attributeNamed.get(name) ?? type.attributes.find(({ column }) => column === name)
  // A type that is declared with defineType() need not declare all columns of its rows.
  if (attribute === undefined) return type.origin === 'resource' ? 'absent' : 'found'
  return attribute.column === null ? 'withoutColumn' : 'found'
}
