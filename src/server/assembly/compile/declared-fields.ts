import type { MemberFault } from '../../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import { attributeKit } from '../../../declare/resource/fields/attribute-kit.js'
import type { IdSpec } from '../../../declare/resource/fields/id-declaration.js'
import type { RawDeclaration } from '../../../declare/resource/define/raw-declaration.js'
import { relationKit } from '../../../declare/resource/relations/relation-kit.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import type { DeclaredMembers } from '../../../declare/resource/fields/declared-members.js'
import { declaredMembers } from '../../../declare/resource/fields/declared-members.js'
import { specOf } from '../../../declare/resource/relations/spec-shape.js'

interface Named<Spec> {
  readonly name: string
  readonly spec: Spec
}

/** The ids, attributes and relations of a declaration, with the faults of their declaration. */
export interface DeclaredFields {
  /** `name` is `null` for the member `id`. For an id among the fields, it is the name of the field. */
  readonly ids: readonly { readonly name: string | null; readonly spec: IdSpec }[]
  readonly attributes: readonly Named<AttributeSpec>[]
  readonly relations: readonly Named<RelationSpec>[]
  readonly faults: readonly MemberFault[]
}

export function readDeclaredFields({ members }: RawDeclaration): DeclaredFields {
  const ids: { name: string | null; spec: IdSpec }[] = []
  const attributes: Named<AttributeSpec>[] = []
  const relations: Named<RelationSpec>[] = []
  const faults: MemberFault[] = []

  for (const declared of asList(members['id'])) {
    const spec = specOf(declared)
    if (spec?.role === 'id') ids.push({ name: null, spec })
    else faults.push(fault('id', 'is not an id', 'declare it with id()'))
  }
  const read = (member: string, kit: unknown): DeclaredMembers['members'] => {
    const { members: declared, faults: found } = declaredMembers(members[member], kit, `${member}: () => ({})`)
    faults.push(...found.map(({ problem, remedy }) => fault(member, problem, remedy)))
    return declared
  }
  const fields = members['fields'] === undefined ? 'attributes' : 'fields'
  for (const [name, declared] of read(fields, attributeKit())) {
    const spec = specOf(declared)
    if (spec?.role === 'id') ids.push({ name, spec })
    else if (spec?.role === 'attribute') attributes.push({ name, spec })
    else if (spec?.role === 'relation')
      faults.push(fault(name, 'is a relation among the attributes', "move it to 'relations'"))
    else faults.push(fault(name, 'is not an attribute', 'declare it with the kit, such as a.string()'))
  }
  for (const [name, declared] of read('relations', relationKit())) {
    const spec = specOf(declared)
    if (spec?.role === 'relation') relations.push({ name, spec })
    else
      faults.push(
        fault(name, 'is not a relation', "declare it with one of the six kinds, such as belongsTo('artists')"),
      )
  }
  return { ids, attributes, relations, faults }
}

function asList(declared: unknown): readonly unknown[] {
  if (declared === undefined || declared === null) return []
  return Array.isArray(declared) ? declared : [declared]
}

function fault(member: string, problem: string, remedy: string): MemberFault {
  return Object.freeze({ member, problem, remedy })
}
