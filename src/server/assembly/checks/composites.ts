import type { DeclaredAttribute } from './declared-attributes.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isMemberName } from '../../../core/document/member-name.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that composites have children, and that unions have variants that can be distinguished. */
export const composites: BuildRule = eachType(({ type }) => declaredAttributes(type).flatMap(compositeFaults))

function compositeFaults({ member, spec }: DeclaredAttribute): readonly TypeFault[] {
  switch (spec.kind.children) {
    case 'none':
      return strayFaults(member, Object.keys(spec.children).length, Object.keys(spec.variants).length)
    case 'columns':
    case 'value':
      if (Object.keys(spec.children).length > 0) return []
      return [{ member, problem: 'has no children', remedy: 'declare them: fields({ label: a.string() })' }]
    case 'variants':
      return variantFaults(member, spec)
  }
}

function strayFaults(member: string, children: number, variants: number): readonly TypeFault[] {
  if (children === 0 && variants === 0) return []
  return [
    {
      member,
      problem: 'has children, but an attribute of its kind cannot have any',
      remedy: 'declare it as a.object(), a.map() or a.oneOf()',
    },
  ]
}

interface Union {
  readonly discriminator: unknown
  readonly variants: Readonly<Record<string, object>>
}

function variantFaults(member: string, { discriminator, variants }: Union): readonly TypeFault[] {
  const isNamed = typeof discriminator === 'string' && isMemberName(discriminator)
  return [
    ...(Object.keys(variants).length > 0
      ? []
      : [{ member, problem: 'has no variants', remedy: "declare them: variant('card', { number: a.string() })" }]),
    ...(isNamed
      ? []
      : [
          {
            member,
            problem: `has the discriminator ${describeValue(discriminator)}, which is not a member name`,
            remedy: 'give a member name',
          },
        ]),
    ...Object.entries(variants)
      .filter(([, children]) => isNamed && Object.hasOwn(children, discriminator))
      .map(([variant]) => ({
        member,
        problem: `has a variant '${variant}' with a child that has the name of the discriminator, ${describeValue(discriminator)}`,
        remedy: "rename the child, or name another discriminator('…')",
      })),
  ]
}
