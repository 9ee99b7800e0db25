/** A search for a text in a text. */
export interface TextSearch {
  readonly operator: 'like' | 'starts' | 'ends'
  readonly value: string
}

/** Returns the pattern of a search with `like`, where a backslash escapes what is no placeholder. */
export function likePattern({ operator, value }: TextSearch): string {
  const escaped = value.replaceAll(/[\\%_]/g, '\\$&')
  return `${operator === 'starts' ? '' : '%'}${escaped}${operator === 'ends' ? '' : '%'}`
}
