import type {
  AggregateFunction,
  AggregateGroup,
  AggregateMeasure,
  CompiledAggregate,
  DatePart,
} from '../../../declare/resource/aggregates/compiled-aggregate.js'
import { aggregateType } from '../../../declare/resource/aggregates/compiled-aggregate.js'
import type { MemberFault } from '../../../declare/resource/compiled/compiled-type.js'
import type { AggregateFieldSpec, AggregateSpec } from '../../../declare/resource/define/aggregate-kit.js'
import { aggregateKit } from '../../../declare/resource/define/aggregate-kit.js'
import { declaredMembers } from '../../../declare/resource/fields/declared-members.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'

interface ReadAggregates {
  readonly aggregates: readonly CompiledAggregate[]
  readonly faults: readonly MemberFault[]
}

const defaultPages = Object.freeze({ size: 100, maxSize: 1000 })

/** Reads the aggregates of a type. The build rule `aggregates` checks what they refer to. */
export function readAggregates(declared: unknown, type: string): ReadAggregates {
  const { members, faults: found } = declaredMembers(declared, aggregateKit(), 'aggregates: () => ({})')
  const faults: MemberFault[] = found.map((fault) => ({ ...fault, member: 'aggregates' }))
  const aggregates = members.flatMap(([name, value]): readonly CompiledAggregate[] => {
    const spec = specOf<AggregateSpec>(value, 'aggregate')
    if (spec !== null && isPlainObject(spec.fields)) return [compileAggregate(type, name, spec, faults)]
    const remedy = 'declare it with the kit, such as g.fields({ albums: g.count() })'
    faults.push({ member: `aggregates.${name}`, problem: 'is not an aggregate', remedy })
    return []
  })
  return { aggregates: Object.freeze(aggregates), faults }
}

function compileAggregate(type: string, name: string, spec: AggregateSpec, faults: MemberFault[]): CompiledAggregate {
  const groups: AggregateGroup[] = []
  const measures: AggregateMeasure[] = []
  const add = (field: string, problem: string, remedy: string): void => {
    faults.push({ member: `aggregates.${name}${field === '' ? '' : `.${field}`}`, problem, remedy })
  }
  for (const [field, declared] of Object.entries(spec.fields)) {
    const own = specOf<AggregateFieldSpec>(declared, 'group') ?? specOf<AggregateFieldSpec>(declared, 'measure')
    if (own === null) add(field, 'is not a field of an aggregate', 'declare it with the kit, such as g.count()')
    else if (own.role === 'group') groups.push(groupOf(field, own))
    else measures.push(measureOf(field, own))
  }
  const { minGroupSize } = spec
  if (!isCount(minGroupSize)) add('', 'has a minGroupSize() that is no whole number from 1', 'give a number of rows')
  return Object.freeze<CompiledAggregate>({
    name,
    type: aggregateType(type, name),
    groups: Object.freeze(groups),
    measures: Object.freeze(measures),
    minGroupSize: isCount(minGroupSize) ? minGroupSize : 1,
    pages: readPages(spec.pages, (problem, remedy) => add('', problem, remedy)),
    description: typeof spec.description === 'string' ? spec.description : null,
  })
}

function readPages(given: unknown, fault: (problem: string, remedy: string) => void): CompiledAggregate['pages'] {
  const pages = { ...defaultPages, ...(isPlainObject(given) ? given : {}) }
  const isValid = isPlainObject(given) && isCount(pages.size) && isCount(pages.maxSize) && pages.size <= pages.maxSize
  const isKnown = isPlainObject(given) && Object.keys(given).every((key) => Object.hasOwn(defaultPages, key))
  if (isValid && isKnown) return Object.freeze(pages)
  fault('has pages() of unknown sizes', 'give numbers of groups: pages({ size: 100, maxSize: 1000 })')
  return defaultPages
}

function groupOf(name: string, { use, field, description }: AggregateFieldSpec): AggregateGroup {
  return Object.freeze({ name, field: field ?? name, part: use === 'value' ? null : (use as DatePart), description })
}

/** `count` without a field counts rows; any other measure without a field takes the one that its key names. */
function measureOf(name: string, { use, field, description }: AggregateFieldSpec): AggregateMeasure {
  const measured = field ?? (use === 'count' ? null : name)
  return Object.freeze({ name, function: use as AggregateFunction, field: measured, description })
}

/** Checks the shape, not the identity, so that declarations of another copy of the package are accepted. */
function specOf<Spec extends { readonly role: string }>(declared: unknown, role: Spec['role']): Spec | null {
  const spec = (declared as { readonly spec?: Partial<Spec> } | null | undefined)?.spec
  return spec?.role === role ? (spec as Spec) : null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}
