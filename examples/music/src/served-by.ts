/** Meta of every track, and of every identifier that names one. */
export function servedBy(): { readonly served_by: string } {
  return { served_by: 'music' }
}
