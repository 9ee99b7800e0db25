import type { FirstUser } from './access/first-tokens.js'

/** Returns four curl commands for a running catalogue: one without a token, and three of Alice. */
export function requestsToTry(url: string, users: readonly FirstUser[]): readonly string[] {
  const artist = JSON.stringify({ data: { type: 'artists', attributes: { name: 'Portishead' } } })
  const isSet = users.some((user) => user.name === 'alice' && user.isSet)
  const alice = isSet ? '-H "Authorization: Bearer $ALICE_TOKEN"' : "-H 'Authorization: Bearer dev-alice'"
  return [
    `curl -g '${url}/artists?filter[slug]=bjork'`,
    `curl -g '${url}/albums/1?include=artist,tracks&fields[tracks]=displayTitle' ${alice}`,
    `curl -g '${url}/tracks?filter[genres]=jazz,electronic&sort=-title&page[size]=3' ${alice}`,
    `curl -i '${url}/artists' ${alice} -H 'Content-Type: application/vnd.api+json' -d '${artist}'`,
  ]
}
