/** Returns whether the address of a database is a URL of PostgreSQL, and not the path of an SQLite file. */
export function isPostgresUrl(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address)
}
