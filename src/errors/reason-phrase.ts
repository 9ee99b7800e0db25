const phrases: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [409, 'Conflict'],
  [415, 'Unsupported Media Type'],
  [422, 'Unprocessable Entity'],
])

/** Returns the title of an error that has a status but no code. */
export function reasonPhrase(status: number): string {
  return phrases.get(status) ?? (status >= 500 ? 'Server Error' : 'Error')
}
