import { ClientError, type ErrorCode, type ErrorObject } from 'ashlar/client'

/** Errors whose detail speaks to programmers, in words for users. The code of an error is never renamed. */
const wordsByCode: Readonly<Partial<Record<string, string>>> = {
  FILTERING_UNRECOGNIZED: 'Only an admin may filter by this.',
  CURSOR_MALFORMED: 'There is no such page.',
  CURSOR_STALE: 'The page belongs to another order.',
  PRECONDITION_FAILED: 'Somebody else has changed it meanwhile.',
  RELATED_RESOURCE_NOT_FOUND: 'It does not exist any more.',
} satisfies Partial<Record<ErrorCode, string>>

/** Responses that need no details. */
const wordsByStatus: Readonly<Partial<Record<number, string>>> = {
  403: 'You are not allowed to do this.',
  404: 'It does not exist, or not any more.',
}

/** Returns what is wrong with a field of what was sent, or with a query parameter. */
export function messagesAt(error: Error | null, place: string): readonly string[] {
  return error instanceof ClientError ? distinct((error.at[place] ?? []).map(wordsOf)) : []
}

/** Returns the messages of errors at no field that the user sees. */
export function otherMessages(error: Error | null, places: readonly string[] = []): readonly string[] {
  if (error === null) return []
  if (!(error instanceof ClientError)) return ['The service cannot be reached. Try again in a moment.']
  const known = wordsByStatus[error.status]
  if (error.errors.length === 0) return [known ?? error.message]
  return distinct(error.notAt(places).map((each) => known ?? wordsOf(each)))
}

function distinct(messages: readonly string[]): readonly string[] {
  return [...new Set(messages)]
}

function wordsOf({ code, detail, title }: ErrorObject): string {
  return (code === undefined ? undefined : wordsByCode[code]) ?? (detail || title || 'Something is wrong.')
}
