/**
 * The names of the columns of groups: each contains a character that no column of a model has, so that the rows of a group never have
 * the same name for two values.
 */

/** The column with the id of a group. */
export const groupKeyColumn = 'group()'

/** Returns the column of a field of the groups, or of a column of its key. */
export function groupColumn(field: string, column = ''): string {
  return `group(${field})${column}`
}
