/** Three requests for a newcomer, from the address of a running catalogue on. */
export function requestsToTry(url: string): readonly string[] {
  const artist = JSON.stringify({ data: { type: 'artists', attributes: { name: 'Portishead' } } })
  return [
    `curl -g '${url}/albums/1?include=artist,tracks&fields[tracks]=displayTitle'`,
    `curl -g '${url}/tracks?filter[genres]=jazz,electronic&sort=-title&page[size]=3'`,
    `curl -i '${url}/artists' -H 'Content-Type: application/vnd.api+json' -d '${artist}'`,
  ]
}
