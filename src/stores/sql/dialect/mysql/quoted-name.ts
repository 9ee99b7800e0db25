/** Quotes a name for statements whose text is not built by Kysely. */
export function quotedName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

export function quotedTable(schema: string | null, name: string): string {
  return schema === null ? quotedName(name) : `${quotedName(schema)}.${quotedName(name)}`
}
