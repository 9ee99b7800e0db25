import type { AnyAttribute, AttributeState, attributeState, AttributeFlag } from './attribute-values.js'
import type { CompileError } from '../parts/compile-error.js'

/** The column types that an attribute of each kind can read. */
export interface StoredValues {
  string: string
  email: string
  url: string
  uuid: string
  slug: string
  ip: string
  integer: number | bigint
  bigint: bigint | string
  decimal: number | bigint | string
  boolean: boolean | number
  dateTime: Date | string
  date: Date | string
  time: Date | string
  arrayList: readonly unknown[] | string
  arrayHash: object | string
  map: unknown
  object: object | string
  oneOf: object | string
}

/** The attributes themselves if the row has matching columns, else a sentence that the compiler shows as an error. */
export type CheckedAttributes<R, Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends AnyAttribute
    ? CheckedAttribute<R, Name & string, Fields[Name], Fields[Name][typeof attributeState]>
    : CompileError<`'${Name & string}' is not an attribute: declare one with the kit, such as a.string(); declare ids under 'id' and relations under 'relations'.`>
}

type AnyState = AttributeState<string, unknown, AttributeFlag, string>

type CheckedAttribute<R, Name extends string, A, S extends AnyState> =
  NeedsColumn<S['kind'], S['flags']> extends false
    ? A
    : (S['column'] extends '' ? Name : S['column']) extends infer Column extends string
      ? Column extends keyof R
        ? CheckedColumn<R[Column], Column, A, S>
        : `No column '${Column}' in the model: correct the name, point to a column with storedAs(), or make it computed().`
      : never

/**
 * Whether a column is read or written. It is not if the attribute is a map, computed or flattened, or if neither its
 * read nor its write uses the column.
 */
type NeedsColumn<K extends string, F extends AttributeFlag> = K extends 'map'
  ? false
  : Extract<F, 'computed' | 'flattened'> extends never
    ? Extract<F, 'customRead' | 'writeOnly'> extends never
      ? true
      : Extract<F, 'customWrite' | 'readOnly'> extends never
        ? true
        : false
    : false

type CheckedColumn<Stored, Column extends string, A, S extends AnyState> = unknown extends Stored
  ? A
  : Extract<S['flags'], 'customRead' | 'hidden'> extends never
    ? Extract<S['flags'], 'nullable' | 'writeOnly'> extends never
      ? Extract<Stored, null | undefined> extends never
        ? CheckedValue<Stored, Column, A, S>
        : `Column '${Column}' may be null: add nullable().`
      : CheckedValue<Stored, Column, A, S>
    : A

type CheckedValue<Stored, Column extends string, A, S extends AnyState> = [NonNullable<Stored>] extends [
  StoredValues[S['kind'] & keyof StoredValues],
]
  ? CheckedList<NonNullable<Stored>, Column, A, S['value']>
  : ['writeOnly' | 'customCast'] extends [S['flags']]
    ? A
    : `Column '${Column}' has a type that a.${S['kind']}() cannot read: use another kind, or convert the value with extractUsing().`

/** A column of literals, such as an enumeration, holds every value that `in()` or `enum()` lists. */
type CheckedList<Stored, Column extends string, A, Value> = string extends Stored | Value
  ? A
  : [Value] extends [string]
    ? [Exclude<Value, Stored>] extends [never]
      ? A
      : `Column '${Column}' does not hold '${Exclude<Value, Stored> & string}': list only values of the column in in() or enum().`
    : A
