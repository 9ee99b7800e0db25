/** Separates the columns in the name of a composite key. No column of a model has this character in its name. */
const separator = '\u001f'

/**
 * Returns the name of a key: the name of its column, or of all its columns if there are several. Everything that
 * refers to a key column by name (`id.column`, the key of a model, the keys of relations, conditions) uses this name.
 *
 * @example
 * ```ts
 * keyColumn(['id']) // 'id'
 * keyColumns(keyColumn(['orderId', 'productId'])) // ['orderId', 'productId']
 * ```
 */
export function keyColumn(columns: readonly string[]): string {
  return columns.join(separator)
}

/**
 * Returns the columns of a key by its name: one, or several for a composite key.
 *
 * @example
 * ```ts
 * const columnsOf = ({ id }: CompiledType) => keyColumns(id.column)
 * ```
 */
export function keyColumns(name: string): readonly string[] {
  return name.includes(separator) ? name.split(separator) : [name]
}

/** Returns whether a name is that of a composite key. */
export function isComposite(name: string): boolean {
  return name.includes(separator)
}

/** Describes the columns of a key for messages: `'id'`, or `'orderId', 'productId'`. */
export function describeKey(name: string): string {
  return keyColumns(name)
    .map((column) => `'${column}'`)
    .join(', ')
}
