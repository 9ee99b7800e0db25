import { createServer, defineResource } from 'ashlar'
import { album } from './albums.js'

/** A user who may be without an artist: a rule must not match all albums without one. */
declare const user: { readonly artistId: number | null; readonly artistIds: readonly (number | null)[] }

export const ofNobody = defineResource('albums', {
  ...album,
  policy: (p) => ({
    viewAny: true,
    // refuses: Argument of type 'number | null' is not assignable to parameter of type 'number'.
    view: p.eq('artistId', user.artistId),
    // refuses: Argument of type 'null' is not assignable to parameter of type 'number'.
    update: p.eq('artistId', null),
    // refuses: Argument of type 'readonly (number | null)[]' is not assignable to parameter of type 'readonly number[]'.
    delete: p.in('artistId', user.artistIds),
    // refuses: Type 'number | null' is not assignable to type 'number'.
    create: p.range('artistId', { min: user.artistId }),
  }),
})

export const ofSomebody = defineResource('albums', {
  ...album,
  policy: (p) => ({
    viewAny: true,
    view: user.artistId !== null && p.eq('artistId', user.artistId),
    update: p.isNull('artistId'),
  }),
})

export const copied = ofSomebody.with({
  policy: (p) => ({
    view: p.eq('artistId', 1),
    // refuses: Argument of type '"artist"' is not assignable to parameter of type
    update: p.eq('artist', 1),
  }),
})

export const open = ofSomebody.with({ policy: 'public' })

/** Types with different columns share a policy of callers. */
export const shared = [ofNobody, ofSomebody.with({ type: 'records' })].map((each) =>
  each.with({ server: 'admin', policy: (p) => ({ viewAny: true, view: p.signedIn() }) }),
)

export const server = createServer({
  resources: [open],
  policy: (p) => ({
    viewAny: true,
    view: p.signedIn(),
    create: p.signedIn(({ caller }) => caller !== undefined),
    // refuses: Property 'eq' does not exist on type 'CallerKit<boolean>'.
    update: p.eq('artistId', 1),
  }),
})
