import type { CompiledRelation, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { relationKeyColumns } from '../../../declare/resource/compiled/relation-link.js'
import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import type { BuildRule, BuildContext, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { knownColumns } from './known-columns.js'
import { targetsOf } from './relation-paths.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** Checks that ids, attributes and relation keys use only columns that the model lists, if it lists any. */
export const columns: BuildRule = eachType((declared, context) => {
  const { type } = declared
  const mapsColumns = type.origin === 'resource' && (declared.serializer === null || declared.hydrator === null)
  return [
    ...(mapsColumns ? [...idFaults(type), ...attributeFaults(type)] : []),
    ...type.relations.flatMap((relation) => keyFaults(relation, declared, context)),
  ]
})

function idFaults(type: CompiledType): readonly TypeFault[] {
  // An id without its own column uses the key of the model, which the rule models checks.
  return type.ids.flatMap(({ column }) =>
    column === type.model?.key
      ? []
      : keyColumns(column).flatMap((each) => missingColumn(type, each, { member: 'id', modifier: "id('…')" })),
  )
}

function attributeFaults(type: CompiledType): readonly TypeFault[] {
  return type.attributes.flatMap(({ name, spec, column }) => {
    if (spec.kind.children === 'columns') return childFaults(type, name, spec)
    return column === null || !needsColumn(spec)
      ? []
      : missingColumn(type, column, { member: name, modifier: "storedAs('…')" })
  })
}

function childFaults(type: CompiledType, parent: string, spec: AttributeSpec): readonly TypeFault[] {
  return Object.entries(spec.children).flatMap(([name, child]) => {
    const member = `${parent}.${name}`
    if (child.kind.children === 'columns') return childFaults(type, member, child)
    if (child.computed || !needsColumn(child)) return []
    return missingColumn(type, child.storedAs ?? name, { member, modifier: "storedAs('…')" })
  })
}

/**
 * An attribute needs no column if a function reads its value, and if a function writes it or clients cannot write it.
 */
function needsColumn({ extract, serialize, fill, readOnlyOnCreate, readOnlyOnUpdate }: AttributeSpec): boolean {
  const isReadByFunction = extract !== null || serialize !== null
  const needsNoWrite = fill !== null || (readOnlyOnCreate === true && readOnlyOnUpdate === true)
  return !(isReadByFunction && needsNoWrite)
}

/** The key is in the owner's row or in the related rows. Only the store knows the columns of join rows. */
function keyFaults(relation: CompiledRelation, declared: DeclaredType, context: BuildContext): readonly TypeFault[] {
  const { key, traits } = relation.spec
  if (key === null || traits.joined) return []
  const owners = traits.ownerSide ? [declared] : targetsOf(context, declared, relation)
  const [owner] = owners
  if (owner === undefined) return []
  return relationKeyColumns(key).flatMap((column) =>
    missingColumn(owner.type, column, { member: relation.name, modifier: "via('…')" }),
  )
}

interface ColumnUse {
  readonly member: string
  /** The modifier that names another column. */
  readonly modifier: string
}

function missingColumn(type: CompiledType, column: unknown, { member, modifier }: ColumnUse): readonly TypeFault[] {
  const known = knownColumns(type)
  if (known === null || (typeof column === 'string' && known.includes(column))) return []
  return [
    {
      member,
      problem: `uses the column ${describeValue(column)}, which the model ${describeValue(type.model?.name)} does not have`,
      remedy: `name ${oneOf(known)} with ${modifier}`,
    },
  ]
}
