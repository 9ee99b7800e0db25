/** The meta of tracks and of their identifiers. */
export function servedBy(): { readonly served_by: string } {
  return { served_by: 'music' }
}

/** The same for relations to several types: only tracks have the meta. */
export function servedByOfTracks(_owner: unknown, member: object): { readonly served_by?: string } {
  return 'trackNumber' in member ? servedBy() : {}
}
