import { permissionIn } from '../../serve/read/query/permission.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { FieldSpec } from '../../declare/resource/fields/field-spec.js'
import { hasOwnMutateAbility, inheritsRead, mutateAbility } from '../../declare/resource/relations/relation-security.js'
import type { OperationKind, RequestContext } from '../../declare/resource/request/request-context.js'
import type { AccessExplanation } from './access-explanation.js'

/** The field of a question about access. */
export interface AccessField {
  /** The type and the field, as the reasons name it: `albums.owner`. */
  readonly label: string
  readonly served: ServedType
  readonly spec: FieldSpec
  /** `null` for an attribute. */
  readonly relation: ServedRelation | null
}

/** Returns the field with a name; `null` if the type has none. */
export function findField(served: ServedType, name: string): AccessField | null {
  const { type, relations } = served
  const relation = relations.get(name) ?? null
  const spec = relation?.spec ?? type.attributeNamed.get(name)?.spec
  return spec === undefined ? null : { label: `${type.type}.${name}`, served, spec, relation }
}

/** The abilities of fields: whether a field is shown, and whether it can be changed. */
export type FieldAbility = 'view' | 'update'

export function isFieldAbility(ability: string): ability is FieldAbility {
  return ability === 'view' || ability === 'update'
}

/** Returns the operation whose permission is checked: that of a relationship URL for relations, and that of the resource for attributes. */
export function operationOfField({ relation }: AccessField, ability: FieldAbility): OperationKind {
  if (relation === null) return ability === 'view' ? 'FetchResource' : 'UpdateResource'
  return ability === 'view' ? 'FetchRelationship' : 'UpdateRelationship'
}

/** A check of an ability. */
interface Step {
  /** `null` if only the resource must be visible. */
  readonly ability: string | null
  /** The declaration that names the ability; empty if it is that of the operation itself. */
  readonly reasons: readonly string[]
  /** The status if it is denied; `undefined` for the usual one. */
  readonly status?: 404 | null
}

/** Checks the abilities of a field in the order of a request. The first one that is denied decides. */
export async function explainField(
  field: AccessField,
  ability: FieldAbility,
  explain: (ability: string | null) => Promise<AccessExplanation>,
  context: RequestContext,
): Promise<AccessExplanation> {
  const reasons: string[] = []
  for (const step of stepsOf(field, ability, context)) {
    const explained = await explain(step.ability)
    reasons.push(...step.reasons, ...explained.reasons)
    if (explained.permitted) continue
    return { permitted: false, status: step.status === undefined ? explained.status : step.status, reasons }
  }
  return { permitted: true, status: null, reasons }
}

function stepsOf(field: AccessField, ability: FieldAbility, context: RequestContext): readonly Step[] {
  const { label, served, spec, relation } = field
  const isDenied = (needed: string): boolean => permissionIn(served, needed, context) === false
  const guard = spec.guard?.ability ?? null
  const visible: readonly Step[] =
    guard === null
      ? []
      : [
          {
            ability: guard,
            reasons: [`visibleIf() of '${label}' names '${guard}'.`],
            status: relation === null ? null : 404,
          },
        ]
  if (relation === null) return [{ ability, reasons: [] }, ...visible]
  const step = ability === 'view' ? readStep(label, relation) : mutateStep(label, relation)
  // A caller who has the ability for no row is denied before a row is read.
  const isDeniedFirst = step.ability !== null && isDenied(step.ability) && (guard === null || !isDenied(guard))
  return isDeniedFirst ? [step] : [...visible, step]
}

function readStep(label: string, { spec }: ServedRelation): Step {
  if (inheritsRead(spec)) return { ability: 'view', reasons: [] }
  return securityStep(label, 'read', spec.readGuard?.ability ?? null)
}

function mutateStep(label: string, { spec }: ServedRelation): Step {
  const ability = mutateAbility(spec)
  return hasOwnMutateAbility(spec) ? securityStep(label, 'mutate', ability) : { ability, reasons: [] }
}

function securityStep(label: string, option: 'read' | 'mutate', ability: string | null): Step {
  const named = ability === null ? 'requires no ability' : `names '${ability}'`
  return { ability, reasons: [`security().${option} of '${label}' ${named}.`] }
}
