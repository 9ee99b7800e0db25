import { authenticate, HttpError, rowRules } from 'ashlar'

export interface User {
  readonly id: number
  readonly admin: boolean
}

const callers: Readonly<Record<string, User>> = {
  alice: { id: 1, admin: false },
  bob: { id: 2, admin: false },
  root: { id: 9, admin: true },
}

/** Authenticates the callers alice, bob and root by their names. */
export const byName: ReturnType<typeof authenticate> = authenticate({
  challenge: 'Name',
  caller(request) {
    const name = request.header('authorization')
    if (name === undefined) return null
    const user = callers[name]
    if (user === undefined) throw new HttpError(401)
    return user
  },
})

const owned = rowRules<{ readonly ownerId: number }>()

export const own: ReturnType<typeof owned.signedIn> = owned.signedIn(({ caller }) =>
  owned.eq('ownerId', (caller as User).id),
)

export const isAdmin = (caller: unknown): boolean => (caller as User | null)?.admin === true
