import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

interface IgnoredModifier {
  readonly modifier: string
  readonly isUsed: (spec: AttributeSpec) => boolean
  readonly remedy: string
}

const onParent = 'put it on the attribute that contains this one'
const withoutPredicate = 'use it without a predicate, or put it on the attribute that contains this one'

/** Modifiers that have no effect inside a composite. */
const ignored: readonly IgnoredModifier[] = Object.freeze([
  {
    modifier: 'sortable()',
    isUsed: ({ sortable, sortableIf }) => sortable && sortableIf === null,
    remedy: 'declare a sort under sorts',
  },
  {
    modifier: 'sortableIf()',
    isUsed: ({ sortableIf }) => sortableIf !== null,
    remedy: 'declare a sort with usableIf() under sorts',
  },
  {
    modifier: 'on()',
    isUsed: ({ on }) => on !== null,
    remedy: 'declare the flattened attribute on the type, outside the composite',
  },
  {
    modifier: 'fillUsing()',
    isUsed: ({ fill }) => fill !== null,
    remedy: 'use deserializeUsing(), or put fillUsing() on the attribute that contains this one',
  },
  { modifier: 'notSparseField()', isUsed: ({ sparseness }) => sparseness === 'always', remedy: onParent },
  { modifier: 'sparseByDefault()', isUsed: ({ sparseness }) => sparseness === 'onDemand', remedy: onParent },
  { modifier: 'hidden(predicate)', isUsed: ({ hidden }) => typeof hidden === 'function', remedy: withoutPredicate },
  {
    modifier: 'writeOnly(predicate)',
    isUsed: ({ writeOnly }) => typeof writeOnly === 'function',
    remedy: withoutPredicate,
  },
  { modifier: 'visibleIf()', isUsed: ({ visibleIf }) => visibleIf !== null, remedy: onParent },
  {
    modifier: 'readOnly() for some requests',
    isUsed: (spec) => {
      const both = [spec.readOnlyOnCreate, spec.readOnlyOnUpdate]
      return both.some((readOnly) => typeof readOnly === 'function') || both[0] !== both[1]
    },
    remedy: 'make the child, or the attribute that contains it, read-only in all requests',
  },
])

/** Checks that children of composites have no modifier that would be ignored. */
export const childModifiers: BuildRule = eachType(({ type }) =>
  declaredAttributes(type)
    .filter(({ declaredOn: of }) => of === 'composite')
    .flatMap(({ member, spec }) =>
      ignored
        .filter(({ isUsed }) => isUsed(spec))
        .map(({ modifier, remedy }) => ({ member, problem: `${modifier} does nothing inside a composite`, remedy })),
    ),
)
