import type { Constraint } from '../fields/constraint.js'
import type { DeprecationOptions } from '../parts/deprecation.js'
import type { UseCondition } from '../request/use-guard.js'
import type { FilterDeclaration } from './filter-declaration.js'
import type { FilterOperator, FilterSpec } from './filter-spec.js'

/**
 * The form of the value that a client sends for a filter of a {@link FilterKit}. `field` is a value of the attribute that the filter compares, and `any` a text, a number or a
 * boolean. `open` is the same, for a filter with a user-defined function that reads the value. Forms in the plural are lists.
 */
export type FilterForm =
  | 'field'
  | 'text'
  | 'number'
  | 'boolean'
  | 'any'
  | 'open'
  | 'fields'
  | 'texts'
  | 'numbers'
  | 'anys'
  | 'opens'
  | 'numberRange'
  | 'momentRange'
  | 'openRange'
  | 'presence'

/** The key of the type-level state of a filter. It exists for the compiler only, not at run time. */
export declare const filterState: unique symbol

export interface FilterState<Form extends FilterForm, Target extends string, Singular extends boolean> {
  readonly form: Form
  /** The attribute or column that the filter compares; `''` if its key names it. */
  readonly target: Target
  readonly singular: Singular
}

/** Any filter. It has only the member that all filters have in common, so that the compiler does not compare the other members. */
export interface AnyFilter {
  readonly spec: FilterSpec
}

/** Filters by the key that clients use. */
export type NamedFilters = Readonly<Record<string, AnyFilter>>

/** The forms after a rule that the values are numbers. */
interface NumberForms {
  field: 'number'
  text: 'number'
  boolean: 'number'
  any: 'number'
  fields: 'numbers'
  texts: 'numbers'
  anys: 'numbers'
}

/** The forms after a rule that the values are booleans. */
interface BooleanForms {
  field: 'boolean'
  text: 'boolean'
  number: 'boolean'
  any: 'boolean'
}

/** The forms after `deserializeUsing()`. */
interface OpenForms {
  field: 'open'
  text: 'open'
  number: 'open'
  boolean: 'open'
  any: 'open'
  fields: 'opens'
  texts: 'opens'
  numbers: 'opens'
  anys: 'opens'
  numberRange: 'openRange'
  momentRange: 'openRange'
}

type ChangedForm<Form extends FilterForm, Changed> = Form extends keyof Changed ? Changed[Form] & FilterForm : Form

/** The form of a comparison: a search is for a part of a text, also if the attribute is not text. */
export type ComparedForm<Given, Form extends FilterForm> = Given extends 'like' | 'starts' | 'ends'
  ? Form extends 'field' | 'any'
    ? 'text'
    : Form
  : Form

type Operator = FilterOperator | '==' | '<>'

/**
 * A filter with its refinements, as a {@link FilterKit} creates it: the form of its value, the attribute or column that it compares,
 * and whether it is singular.
 */
export interface Filter<Form extends FilterForm, Target extends string, Singular extends boolean>
  extends FilterDeclaration {
  readonly [filterState]: FilterState<Form, Target, Singular>

  singular(): Filter<Form, Target, true>
  delimiter(delimiter: string): this
  deserializeUsing(deserialize: (value: unknown) => unknown): Filter<ChangedForm<Form, OpenForms>, Target, Singular>
  asBoolean(): Filter<ChangedForm<Form, BooleanForms>, Target, Singular>
  default(value: unknown): this
  fixed(value: unknown): Filter<'presence', Target, Singular>
  operator<const Given extends Operator>(operator: Given): Filter<ComparedForm<Given, Form>, Target, Singular>
  numeric(): Filter<ChangedForm<Form, NumberForms>, Target, Singular>
  integer(): Filter<ChangedForm<Form, NumberForms>, Target, Singular>
  uuid(version?: number): this
  boolean(): Filter<ChangedForm<Form, BooleanForms>, Target, Singular>
  pattern(expression: RegExp | string): this
  constrain(...constraints: readonly Constraint[]): this
  usableIf(condition: UseCondition): this
  describedAs(description: string): this
  example(value: unknown): this
  deprecated(options?: DeprecationOptions): this
}

interface ByKey {
  readonly [filterState]: FilterState<FilterForm, '', boolean>
}

/** The filters themselves if the keys of those without a target are names of the type, else a compiler message. */
export type CheckedFilters<Names extends string, Filters> = {
  readonly [Key in keyof Filters]: Filters[Key] extends ByKey
    ? Key extends Names
      ? Filters[Key]
      : `No attribute and no column '${Key & string}': correct the key, or name the target, as in f.where('…').`
    : Filters[Key]
}
