import type { TestClient, TestResponse } from 'ashlar/testing'

/** The path of the page after this one. */
export function nextPath({ document }: TestResponse): string {
  const { pathname, search } = new URL(String(document?.links?.['next']))
  return `${pathname}${search}`
}

/** A cursor at the first of some tracks in an order: filters may change under it. */
export async function cursorAt(api: TestClient, sort: string, ids: string): Promise<string> {
  const next = nextPath(await api.get(`/tracks?sort=${sort}&filter[ids]=${ids}&page[size]=1`))
  const after = new URLSearchParams(next.slice(next.indexOf('?'))).get('page[after]')
  if (after === null) throw new Error('The next page has no cursor.')
  return after
}
