/**
 * Returns the SQL command of a statement, in upper case: `SELECT`. A statement that starts with `with` has the first command in it
 * that writes, or else `SELECT`.
 */
export function statementOperation(sql: string): string {
  const first = /[a-z]+/i.exec(sql)?.[0].toUpperCase() ?? 'UNKNOWN'
  if (first !== 'WITH') return first
  return (/\b(insert into|update|delete from|merge into)\b/i.exec(sql)?.[0].split(' ')[0] ?? 'SELECT').toUpperCase()
}
