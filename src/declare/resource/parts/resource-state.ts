/** The key of a declaration's type information. Only the compiler sees it: the property does not exist at run time. */
export declare const resourceState: unique symbol

/** A declared type with rows of type `Row`. */
export interface DeclaredRows<Row> {
  readonly type: string
  readonly [resourceState]: { readonly row: Row }
}
