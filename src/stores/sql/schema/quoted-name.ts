/** Returns a name in the quotes of SQL. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quotedTable(schema: string | null, name: string): string {
  return schema === null ? quotedName(name) : `${quotedName(schema)}.${quotedName(name)}`
}
