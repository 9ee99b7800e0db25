/**
 * Returns the SQL command of a statement, in upper case: `SELECT`. A statement that begins with `with` is what it does in the end:
 * one that writes in any of its parts is a write.
 */
export function statementOperation(sql: string): string {
  const first = /[a-z]+/i.exec(sql)?.[0].toUpperCase() ?? 'UNKNOWN'
  if (first !== 'WITH') return first
  return (/\b(insert into|update|delete from|merge into)\b/i.exec(sql)?.[0].split(' ')[0] ?? 'SELECT').toUpperCase()
}
