import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildContext, DeclaredType } from '../declared/build-rule.js'
import { typeLabel } from '../declared/build-rule.js'

interface UnenforcedFeature {
  /** The reason for the fault, as the end of its sentence. */
  readonly missing: string
  /** Returns the members that declare the feature. */
  readonly declaredAt: (context: BuildContext) => readonly Pick<BuildFault, 'type' | 'member'>[]
}

/** The features that can be declared, but are not enforced yet. Delete an entry once its feature is enforced. */
const notEnforced: readonly UnenforcedFeature[] = Object.freeze([
  {
    missing: 'access rules are not enforced yet',
    declaredAt: ofTypes(({ type }) =>
      type.relations.filter(({ spec }) => spec.security !== null).map(({ name }) => `${name}.security`),
    ),
  },
])

/** Rejects features that would expose data or permit access if they were ignored, until they are enforced. */
export const notEnforcedYet: BuildRule = (context) =>
  notEnforced.flatMap(({ missing, declaredAt }) =>
    declaredAt(context).map((member) => ({
      ...member,
      problem: `is declared, but ${missing}`,
      remedy: 'remove it until then',
    })),
  )

function ofTypes(members: (declared: DeclaredType) => readonly string[]): UnenforcedFeature['declaredAt'] {
  return ({ types }) =>
    types.flatMap((declared) => members(declared).map((member) => ({ type: typeLabel(declared), member })))
}
