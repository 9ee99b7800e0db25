import { deepFreeze } from '../../../core/util/deep-freeze.js'
import type { DeprecationOptions } from '../parts/deprecation.js'
import { deprecationOf } from '../parts/deprecation.js'
import type { Constraint } from '../fields/constraint.js'
import { uuidVersionFault } from '../fields/patterns.js'
import { namedPattern, rule } from '../fields/rule.js'
import type { UseCondition } from '../request/use-guard.js'
import { givenCondition } from '../request/use-guard.js'
import type { FilterOperator, FilterShape, FilterSpec, FilterTest } from './filter-spec.js'

/** Numbers as text: `-12`, `3.5`. */
export const numericText: Constraint = namedPattern('numeric', '^-?[0-9]+(?:\\.[0-9]+)?$')
const integerText: Constraint = namedPattern('integer', '^-?[0-9]+$')
export const booleanText: Constraint = namedPattern(
  'boolean',
  '^\\s*(?:[tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|1|0|[oO][nN]|[oO][fF][fF]|[yY][eE][sS]|[nN][oO])?\\s*$',
)

const operators: readonly string[] = ['=', '===', '!=', '>', '>=', '<', '<=', 'like', 'starts', 'ends']

/** Other spellings of operators, which other systems use. */
const synonyms: Readonly<Record<string, FilterOperator>> = Object.freeze({ '==': '=', '<>': '!=' })

export function filterOf(test: FilterTest, shape: FilterShape, overrides: Partial<FilterSpec> = {}): FilterDeclaration {
  return new FilterDeclaration({
    test,
    shape,
    operatorFixed: true,
    coercion: 'field',
    singular: false,
    delimiter: ',',
    deserialize: null,
    default: null,
    fixed: null,
    constraints: Object.freeze([]),
    usableIf: null,
    useGuard: null,
    description: null,
    examples: Object.freeze([]),
    deprecation: null,
    faults: Object.freeze([]),
    ...overrides,
  })
}

/**
 * Any filter. Like fields, it never throws: mistakes are recorded in `spec.faults`, and the build reports them. A
 * {@link FilterKit} describes it to the compiler as a {@link Filter}.
 */
export class FilterDeclaration {
  readonly spec: FilterSpec

  constructor(spec: FilterSpec) {
    this.spec = deepFreeze(spec)
    Object.freeze(this)
  }

  /** On a primary collection the response has the first match, or `null`, instead of a list. */
  singular(): FilterDeclaration {
    const { shape, test } = this.spec
    const fits = (shape === 'value' || shape === 'set') && test.kind !== 'trashed'
    return fits ? this.with({ singular: true }) : this.misplaced('singular()')
  }

  /** The separator between the items of a set; an empty string means the comma. */
  delimiter(delimiter: string): FilterDeclaration {
    if (this.spec.shape !== 'set') return this.misplaced('delimiter()')
    return this.with({ delimiter: delimiter === '' ? ',' : delimiter })
  }

  deserializeUsing(deserialize: (value: unknown) => unknown): FilterDeclaration {
    const { shape, test } = this.spec
    const misplaced = shape === 'presence' || ['all', 'any', 'trashed'].includes(test.kind)
    return misplaced ? this.misplaced('deserializeUsing()') : this.with({ deserialize })
  }

  asBoolean(): FilterDeclaration {
    const fits = this.spec.shape === 'value' && this.spec.test.kind !== 'search'
    return fits ? this.with({ coercion: 'boolean' }) : this.misplaced('asBoolean()')
  }

  default(value: unknown): FilterDeclaration {
    const { kind } = this.spec.test
    const fits = kind === 'compare' || kind === 'in' || kind === 'idIn'
    return fits ? this.with({ default: { value } }) : this.misplaced('default()')
  }

  fixed(value: unknown): FilterDeclaration {
    const { kind } = this.spec.test
    const fits = kind === 'compare' || kind === 'through' || kind === 'in' || kind === 'idIn'
    if (!fits) return this.misplaced('fixed()')
    return this.with({ fixed: { value }, shape: 'presence', constraints: [] })
  }

  operator(operator: FilterOperator | '==' | '<>'): FilterDeclaration {
    const canonical = synonyms[operator] ?? operator
    const { test } = this.spec
    if (!operators.includes(canonical)) {
      return this.fault(`'${operator}' is not a filter operator`, `use one of ${operators.join(' ')}`)
    }
    if (
      (test.kind !== 'compare' && test.kind !== 'through') ||
      (this.spec.operatorFixed && test.operator !== canonical)
    ) {
      return this.fault(`operator('${operator}') contradicts the kind of the filter`, 'use where() with the operator')
    }
    return this.with({ test: { ...test, operator: canonical as FilterOperator } })
  }

  numeric(): FilterDeclaration {
    return this.constrain(numericText)
  }

  integer(): FilterDeclaration {
    return this.constrain(integerText)
  }

  uuid(version?: number): FilterDeclaration {
    const fault = uuidVersionFault(version)
    return fault === null ? this.constrain(rule.uuid(version)) : this.fault(fault.problem, fault.remedy)
  }

  boolean(): FilterDeclaration {
    return this.constrain(booleanText)
  }

  pattern(expression: RegExp | string): FilterDeclaration {
    return this.constrain(rule.pattern(expression))
  }

  constrain(...constraints: readonly Constraint[]): FilterDeclaration {
    if (this.spec.shape === 'presence') return this.misplaced('constrain()')
    return this.with({ constraints: [...this.spec.constraints, ...constraints] })
  }

  /**
   * Only requests that meet the condition may send the filter. For all others it does not exist: 400, and no error lists
   * it. A default applies to everybody.
   */
  usableIf(condition: UseCondition): FilterDeclaration {
    return this.with({ usableIf: givenCondition(condition) })
  }

  describedAs(description: string): FilterDeclaration {
    return this.with({ description })
  }

  example(value: unknown): FilterDeclaration {
    return this.with({ examples: [value] })
  }

  /** Clients should no longer send it. It works as before. */
  deprecated(options: DeprecationOptions = {}): FilterDeclaration {
    return this.with({ deprecation: deprecationOf(options) })
  }

  private with(patch: Partial<FilterSpec>): FilterDeclaration {
    return new FilterDeclaration({ ...this.spec, ...patch })
  }

  private fault(problem: string, remedy: string): FilterDeclaration {
    return this.with({ faults: [...this.spec.faults, { problem, remedy }] })
  }

  private misplaced(refinement: string): FilterDeclaration {
    return this.fault(`${refinement} does not fit a filter by ${this.spec.test.kind}`, `remove ${refinement}`)
  }
}
