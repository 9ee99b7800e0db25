import type { CompiledRelation, CompiledType } from '../../resource/compiled-type.js'
import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { BuildRule, BuildWorld, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { knownColumns } from './known-columns.js'
import { targetsOf } from './relation-paths.js'
import { oneOf, shown } from '../declared/shown.js'

/** Where a model lists its columns, nothing stands on one that is not there. */
export const columns: BuildRule = eachType((declared, world) => {
  const { type } = declared
  const ownRows = type.origin === 'resource' && (declared.serializer === null || declared.hydrator === null)
  return [
    ...(ownRows ? [...idFaults(type), ...attributeFaults(type)] : []),
    ...type.relations.flatMap((relation) => keyFaults(relation, declared, world)),
  ]
})

function idFaults(type: CompiledType): readonly TypeFault[] {
  // Without a column of its own the id stands on the model's key, which the rule for models looks at.
  return type.ids.flatMap(({ column }) =>
    column === type.model?.key ? [] : missing(type, column, { member: 'id', way: "id('…')" }),
  )
}

function attributeFaults(type: CompiledType): readonly TypeFault[] {
  return type.attributes.flatMap(({ name, spec, column }) => {
    if (spec.kind.children === 'columns') return childFaults(type, name, spec)
    return column === null || !needsColumn(spec) ? [] : missing(type, column, { member: name, way: "storedAs('…')" })
  })
}

function childFaults(type: CompiledType, parent: string, spec: AttributeSpec): readonly TypeFault[] {
  return Object.entries(spec.children).flatMap(([name, child]) => {
    const member = `${parent}.${name}`
    if (child.kind.children === 'columns') return childFaults(type, member, child)
    if (child.computed || !needsColumn(child)) return []
    return missing(type, child.storedAs ?? name, { member, way: "storedAs('…')" })
  })
}

/** A value that is read by a function, and written by one or not at all, stands on no column. */
function needsColumn({ extract, serialize, fill, readOnlyOnCreate, readOnlyOnUpdate }: AttributeSpec): boolean {
  const ownRead = extract !== null || serialize !== null
  const ownWrite = fill !== null || (readOnlyOnCreate === true && readOnlyOnUpdate === true)
  return !(ownRead && ownWrite)
}

/** The key is in the owner's row or in the related rows; that of join rows is for the store to know. */
function keyFaults(relation: CompiledRelation, declared: DeclaredType, world: BuildWorld): readonly TypeFault[] {
  const { key, traits } = relation.spec
  if (key === null || traits.joined) return []
  const owners = traits.ownerSide ? [declared] : targetsOf(world, declared, relation)
  const [owner] = owners
  if (owner === undefined) return []
  return [key.id, ...(key.type === null ? [] : [key.type])].flatMap((column) =>
    missing(owner.type, column, { member: relation.name, way: "via('…')" }),
  )
}

interface Place {
  readonly member: string
  /** How the author names another column. */
  readonly way: string
}

function missing(type: CompiledType, column: unknown, { member, way }: Place): readonly TypeFault[] {
  const known = knownColumns(type)
  if (known === null || (typeof column === 'string' && known.includes(column))) return []
  return [
    {
      member,
      problem: `stands on the column ${shown(column)}, which the model ${shown(type.model?.name)} does not have`,
      remedy: `name ${oneOf(known)} with ${way}`,
    },
  ]
}
