import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import type { DeprecationOptions } from '../parts/deprecation.js'
import { deprecationOf } from '../parts/deprecation.js'
import type { Condition, Constraint, ConstraintContext } from './constraint.js'
import { limitedTo } from './constraint.js'
import type { FieldSpec, FillValue, ReadValue, RequestPredicate, RowPredicate } from './field-spec.js'
import { rule } from './rule.js'

/**
 * The modifiers that every field has. This is a class because a fluent declaration is an object with methods. Its only
 * state is the frozen `spec`, and every modifier returns a new declaration.
 *
 * Nothing here throws: mistakes in a declaration are recorded in `spec.faults`, and the build reports all of them
 * together.
 */
export abstract class FieldDeclaration<Spec extends FieldSpec> {
  readonly spec: Spec

  constructor(spec: Spec) {
    Object.freeze(spec.constraints)
    for (const fault of spec.faults) Object.freeze(fault)
    Object.freeze(spec.faults)
    Object.freeze(spec.examples)
    this.spec = Object.freeze(spec)
    Object.freeze(this)
  }

  protected abstract next(spec: Spec): this

  protected with(patch: Partial<FieldSpec> | Partial<Spec>): this {
    return this.next({ ...this.spec, ...patch })
  }

  protected fault(problem: string, remedy: string): this {
    return this.with({ faults: [...this.spec.faults, { problem, remedy }] })
  }

  storedAs(column: string): this {
    return this.with({ storedAs: column })
  }

  hidden(predicate?: RowPredicate): this {
    return this.with({ hidden: predicate ?? true })
  }

  writeOnly(predicate?: RequestPredicate): this {
    return this.with({ writeOnly: predicate ?? true })
  }

  visibleIf(ability: string): this {
    return this.with({ visibleIf: ability })
  }

  readOnly(predicate?: RequestPredicate): this {
    return this.with({ readOnlyOnCreate: predicate ?? true, readOnlyOnUpdate: predicate ?? true })
  }

  readOnlyOnCreate(predicate?: RequestPredicate): this {
    return this.with({ readOnlyOnCreate: predicate ?? true })
  }

  readOnlyOnUpdate(predicate?: RequestPredicate): this {
    return this.with({ readOnlyOnUpdate: predicate ?? true })
  }

  notSparseField(): this {
    return this.with({ sparseness: 'always' })
  }

  sparseByDefault(): this {
    return this.with({ sparseness: 'onDemand' })
  }

  required(): this {
    return this.constrain(rule.required())
  }

  requiredOnCreate(): this {
    return this.constrain(rule.onCreate(rule.required()))
  }

  requiredOnUpdate(): this {
    return this.constrain(rule.onUpdate(rule.required()))
  }

  nullable(): this {
    return this.constrain(rule.nullable())
  }

  constrain(...constraints: readonly Constraint[]): this {
    return this.with({ constraints: [...this.spec.constraints, ...constraints] })
  }

  sequentially(...constraints: readonly Constraint[]): this {
    return this.constrain(rule.sequentially(...constraints))
  }

  atLeastOneOf(...alternatives: readonly Constraint[]): this {
    return this.constrain(rule.atLeastOneOf(...alternatives))
  }

  /** The constraints that the callback adds apply only if the condition returns true. */
  when(condition: Condition, add: (field: this) => this): this {
    return this.addFromCallback('when', add, (constraints) => [rule.when(condition, ...constraints)])
  }

  /** The constraints that the callback adds apply to creates only. */
  onCreate(add: (field: this) => this): this {
    return this.addFromCallback('onCreate', add, allLimitedTo('create'))
  }

  /** The constraints that the callback adds apply to updates only. */
  onUpdate(add: (field: this) => this): this {
    return this.addFromCallback('onUpdate', add, allLimitedTo('update'))
  }

  extractUsing(read: ReadValue): this {
    return this.with({ extract: read })
  }

  fillUsing(fill: FillValue): this {
    return this.with({ fill })
  }

  describedAs(description: string): this {
    return this.with({ description })
  }

  example(value: unknown): this {
    return this.with({ examples: [value] })
  }

  deprecated(options: DeprecationOptions = {}): this {
    return this.with({ deprecation: deprecationOf(options) })
  }

  /**
   * Adds the constraints that a callback declares, after `wrap` has changed them, and the faults that it recorded. The
   * callback receives this field without the constraints and faults that it already has.
   */
  private addFromCallback(
    modifier: string,
    add: (field: this) => this,
    wrap: (constraints: readonly Constraint[]) => readonly Constraint[],
  ): this {
    let spec: Partial<FieldSpec> | undefined
    try {
      const returned: Partial<FieldDeclaration<Spec>> | null | undefined = add(
        this.with({ constraints: [], faults: [] }),
      )
      spec = returned?.spec
    } catch (thrown) {
      return this.fault(`the function of ${modifier}() threw: ${thrownMessage(thrown)}`, 'fix the function')
    }
    if (!Array.isArray(spec?.constraints) || !Array.isArray(spec.faults)) {
      return this.fault(
        `the function of ${modifier}() does not return a field`,
        'return the field that it receives: (field) => field.required()',
      )
    }
    return this.with({
      constraints: [...this.spec.constraints, ...wrap(spec.constraints)],
      faults: [...this.spec.faults, ...spec.faults],
    })
  }
}

function allLimitedTo(context: ConstraintContext): (constraints: readonly Constraint[]) => readonly Constraint[] {
  return (constraints) => constraints.map((constraint) => limitedTo(constraint, context))
}
