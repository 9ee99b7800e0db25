import { ClientError } from 'ashlar/client'

/** Returns the messages about a place: a field of what was sent, or a query parameter. */
export function messagesAt(error: unknown, ...places: readonly string[]): readonly string[] {
  if (!(error instanceof ClientError)) return []
  return places.flatMap((place) => error.at[place] ?? []).map(({ detail, title }) => detail || title || 'Not valid.')
}

/** Returns the messages about no place in particular, or about none of these. */
export function otherMessages(error: Error | null, places: readonly string[]): readonly string[] {
  if (error === null) return []
  if (!(error instanceof ClientError)) return ['The service cannot be reached. Try again in a moment.']
  const shown = new Set(places.flatMap((place) => error.at[place] ?? []))
  if (error.errors.length > 0 && error.errors.every((each) => shown.has(each))) return []
  switch (error.status) {
    case 403:
      return ['You are not allowed to do this.']
    case 404:
      return ['It does not exist any more.']
    default:
      return error.errors.length === 0
        ? [`The service responded with ${error.status}.`]
        : error.errors.filter((each) => !shown.has(each)).map(({ detail, title }) => detail || title || error.message)
  }
}
