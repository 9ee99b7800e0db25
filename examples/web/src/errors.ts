import { ClientError, type ErrorCode, type ErrorObject } from '@ashlar/client'

/** Messages for users, for errors whose detail is written for programmers. The code of an error never changes. */
const messagesByCode: Readonly<Partial<Record<string, string>>> = {
  FILTERING_UNRECOGNIZED: 'Only an admin may filter by this.',
  CURSOR_MALFORMED: 'There is no such page.',
  CURSOR_STALE: 'The page belongs to another order.',
  PRECONDITION_FAILED: 'Somebody else has changed it meanwhile.',
  RELATED_RESOURCE_NOT_FOUND: 'It does not exist any more.',
} satisfies Partial<Record<ErrorCode, string>>

/** Messages for statuses that need no details. */
const messagesByStatus: Readonly<Partial<Record<number, string>>> = {
  403: 'You are not allowed to do this.',
  404: 'It does not exist, or not any more.',
}

/** Returns the messages about a field of the request body, or about a query parameter. */
export function messagesAt(error: Error | null, name: string): readonly string[] {
  return error instanceof ClientError ? distinct((error.at[name] ?? []).map(messageOf)) : []
}

/** Returns the messages of errors that are not shown at one of these fields or parameters. */
export function otherMessages(error: Error | null, names: readonly string[] = []): readonly string[] {
  if (error === null) return []
  if (!(error instanceof ClientError)) return ['The service cannot be reached. Try again in a moment.']
  const known = messagesByStatus[error.status]
  if (error.errors.length === 0) return [known ?? error.message]
  return distinct(error.notAt(names).map((each) => known ?? messageOf(each)))
}

function distinct(messages: readonly string[]): readonly string[] {
  return [...new Set(messages)]
}

function messageOf({ code, detail, title }: ErrorObject): string {
  return (code === undefined ? undefined : messagesByCode[code]) ?? (detail || title || 'Something is wrong.')
}
