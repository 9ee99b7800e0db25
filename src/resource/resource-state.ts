/** Carries what the compiler knows of a declaration; nothing is there at run time. */
export declare const resourceState: unique symbol

/** A declared type over rows `Row`. */
export interface DeclaredRows<Row> {
  readonly type: string
  readonly [resourceState]: { readonly row: Row }
}
