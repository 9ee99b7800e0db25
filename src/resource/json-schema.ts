/** A JSON Schema (2020-12) node, as far as declarations write one. */
export type JsonSchema = { readonly [keyword: string]: unknown }
