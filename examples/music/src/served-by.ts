/** Meta of every track, and of every identifier that names one. */
export function servedBy(): { readonly served_by: string } {
  return { served_by: 'music' }
}

/** The same for relations that lead to other types too. */
export function servedByOfTracks(_owner: unknown, member: object): { readonly served_by?: string } {
  return 'trackNumber' in member ? servedBy() : {}
}
