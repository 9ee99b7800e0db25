import type { FirstUser } from './access/first-tokens.js'

/** Four requests for a newcomer, from the address of a running catalogue on: by nobody, and by alice. */
export function requestsToTry(url: string, users: readonly FirstUser[]): readonly string[] {
  const artist = JSON.stringify({ data: { type: 'artists', attributes: { name: 'Portishead' } } })
  const own = users.some(({ name, isOwn }) => name === 'alice' && isOwn)
  const alice = own ? '-H "Authorization: Bearer $ALICE_TOKEN"' : "-H 'Authorization: Bearer dev-alice'"
  return [
    `curl -g '${url}/artists?filter[slug]=bjork'`,
    `curl -g '${url}/albums/1?include=artist,tracks&fields[tracks]=displayTitle' ${alice}`,
    `curl -g '${url}/tracks?filter[genres]=jazz,electronic&sort=-title&page[size]=3' ${alice}`,
    `curl -i '${url}/artists' ${alice} -H 'Content-Type: application/vnd.api+json' -d '${artist}'`,
  ]
}
