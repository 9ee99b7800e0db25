/** A JSON Schema (2020-12) object. Declarations write only some of its keywords. */
export type JsonSchema = { readonly [keyword: string]: unknown }
