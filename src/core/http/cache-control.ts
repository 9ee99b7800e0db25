/** Adds `private` to a value of `Cache-Control` that does not say which caches may store the response. */
export function inPrivate(value: string): string {
  return decisive.test(value) ? value : `private, ${value}`
}

const decisive = /(?:^|,)\s*(?:public|private|no-store|s-maxage)\s*(?:[,=]|$)/i

/**
 * Returns the value of `Cache-Control` of a response in an application that has set one too. The value of the response
 * replaces it, except `private`, which says nothing about time: then both are sent. Only a type can let shared caches store
 * its responses: the value of an application is for all its responses, also for those that are the same for all callers.
 */
export function combinedCacheControl(ofResponse: string, ofApplication: string | undefined): string {
  if (ofApplication === undefined || ofResponse !== 'private') return ofResponse
  const directives = ofApplication.split(',').map((directive) => directive.trim())
  const others = directives.filter((directive) => !shared.test(directive))
  return others.length === 0 ? ofResponse : inPrivate(others.join(', '))
}

const shared = /^(?:public|s-maxage\s*(?:=.*)?)?$/i
