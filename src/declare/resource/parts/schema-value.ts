import type { JsonValue } from '../../../core/util/types.js'

/**
 * The values that a JSON Schema describes, by its keywords `const`, `enum`, `anyOf`, `oneOf`, `type`, `items`, `properties` and `required`.
 * Others only narrow the values. `schemaType` writes the same type.
 */
export type SchemaValue<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Each)[] }
      ? SchemaValue<Each>
      : S extends { readonly oneOf: readonly (infer Each)[] }
        ? SchemaValue<Each>
        : S extends { readonly type: infer Type }
          ? TypedValue<Type extends readonly (infer Each)[] ? Each : Type, S>
          : unknown

interface PlainValues {
  readonly string: string
  readonly integer: number
  readonly number: number
  readonly boolean: boolean
  readonly null: null
}

type TypedValue<Type, S> = Type extends keyof PlainValues
  ? PlainValues[Type]
  : Type extends 'array'
    ? S extends { readonly items: infer Items }
      ? readonly SchemaValue<Items>[]
      : readonly unknown[]
    : Type extends 'object'
      ? S extends { readonly properties: infer Members }
        ? ObjectValue<Members, S extends { readonly required: readonly (infer Name)[] } ? Name : never>
        : { readonly [key: string]: JsonValue }
      : unknown

/** The members of an object type; `& {}` makes editors show them. */
type ObjectValue<Members, Required> = Simplify<
  { -readonly [Name in keyof Members as Name & Required]: SchemaValue<Members[Name]> } & {
    -readonly [Name in keyof Members as Exclude<Name, Required>]?: SchemaValue<Members[Name]>
  }
>

type Simplify<T> = { [Name in keyof T]: T[Name] } & {}
