import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import { attributePlaces } from './attribute-places.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

interface Ignored {
  readonly modifier: string
  readonly isSaid: (spec: AttributeSpec) => boolean
  readonly remedy: string
}

const outside = 'say it of the attribute that it is in'
const always = 'say it without a predicate, or of the attribute that it is in'

/** What nobody looks at inside a composite. */
const ignored: readonly Ignored[] = Object.freeze([
  { modifier: 'sortable()', isSaid: ({ sortable }) => sortable, remedy: 'declare a sort of its own under sorts' },
  { modifier: 'on()', isSaid: ({ on }) => on !== null, remedy: 'declare the flattened attribute next to this one' },
  {
    modifier: 'fillUsing()',
    isSaid: ({ fill }) => fill !== null,
    remedy: 'say deserializeUsing(), or fillUsing() of the attribute that it is in',
  },
  { modifier: 'notSparseField()', isSaid: ({ sparseness }) => sparseness === 'always', remedy: outside },
  { modifier: 'sparseByDefault()', isSaid: ({ sparseness }) => sparseness === 'onDemand', remedy: outside },
  { modifier: 'hidden(predicate)', isSaid: ({ hidden }) => typeof hidden === 'function', remedy: always },
  { modifier: 'writeOnly(predicate)', isSaid: ({ writeOnly }) => typeof writeOnly === 'function', remedy: always },
  {
    modifier: 'readOnly() for some requests',
    isSaid: (spec) => {
      const both = [spec.readOnlyOnCreate, spec.readOnlyOnUpdate]
      return both.some((readOnly) => typeof readOnly === 'function') || both[0] !== both[1]
    },
    remedy: 'make the child read-only altogether, or the attribute that it is in',
  },
])

/** Children of composites carry no modifier that would be passed over. */
export const childModifiers: BuildRule = eachType(({ type }) =>
  attributePlaces(type)
    .filter((place) => place.of === 'composite')
    .flatMap(({ member, spec }) =>
      ignored
        .filter(({ isSaid }) => isSaid(spec))
        .map(({ modifier, remedy }) => ({ member, problem: `${modifier} does nothing inside a composite`, remedy })),
    ),
)
