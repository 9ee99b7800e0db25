/** Adds `private` to a value of `Cache-Control` that does not say which caches may store the response. */
export function inPrivate(value: string): string {
  return decisive.test(value) ? value : `private, ${value}`
}

const decisive = /(?:^|,)\s*(?:public|private|no-store|s-maxage)\s*(?:[,=]|$)/i

/**
 * Returns the value of `Cache-Control` of a response in an application that has set one too. The value of the response
 * replaces it, except `private`, which says nothing about time: then both are sent.
 */
export function combinedCacheControl(ofResponse: string, ofApplication: string | undefined): string {
  return ofApplication === undefined || ofResponse !== 'private' ? ofResponse : inPrivate(ofApplication)
}
