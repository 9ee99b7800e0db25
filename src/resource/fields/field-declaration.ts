import { thrownMessage } from '../../errors/describe-thrown.js'
import type { Condition, Constraint, ConstraintContext } from './constraint.js'
import { stamped } from './constraint.js'
import type { FieldSpec, FillValue, ReadValue, RequestPredicate, RowPredicate } from './field-spec.js'
import { rule } from './rule.js'

/**
 * The modifiers that every field has. A class, because a fluent declaration is an object with methods; it holds nothing
 * but its frozen `spec`, and every modifier answers a new declaration.
 *
 * Nothing here throws: what an author wrote in vain is noted in `spec.faults`, and the build reports all of it at once.
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

  /** Every constraint added inside holds only while the condition does. */
  when(condition: Condition, add: (field: this) => this): this {
    return this.adding('when', add, (constraints) => [rule.when(condition, ...constraints)])
  }

  /** Every constraint added inside holds on create only. */
  onCreate(add: (field: this) => this): this {
    return this.adding('onCreate', add, stampedAll('create'))
  }

  /** Every constraint added inside holds on update only. */
  onUpdate(add: (field: this) => this): this {
    return this.adding('onUpdate', add, stampedAll('update'))
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

  /** The constraints that a callback adds to this field, apart from those it had, with the faults that it noted. */
  private adding(
    modifier: string,
    add: (field: this) => this,
    wrap: (constraints: readonly Constraint[]) => readonly Constraint[],
  ): this {
    let spec: Partial<FieldSpec> | undefined
    try {
      const answered: Partial<FieldDeclaration<Spec>> | null | undefined = add(
        this.with({ constraints: [], faults: [] }),
      )
      spec = answered?.spec
    } catch (thrown) {
      return this.fault(`the function of ${modifier}() threw: ${thrownMessage(thrown)}`, 'mend it')
    }
    if (!Array.isArray(spec?.constraints) || !Array.isArray(spec.faults)) {
      return this.fault(
        `the function of ${modifier}() answers no field`,
        'answer the field that it was given: (field) => field.required()',
      )
    }
    return this.with({
      constraints: [...this.spec.constraints, ...wrap(spec.constraints)],
      faults: [...this.spec.faults, ...spec.faults],
    })
  }
}

function stampedAll(context: ConstraintContext): (constraints: readonly Constraint[]) => readonly Constraint[] {
  return (constraints) => constraints.map((constraint) => stamped(constraint, context))
}
