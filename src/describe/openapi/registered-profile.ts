import type { Profile } from '../../declare/profiles/profile.js'
import type { Api } from './described-server.js'

/** Whether a server has registered a profile. Parameters of other profiles are unknown. */
export function isRegistered({ server }: Pick<Api, 'server'>, { uri }: Profile): boolean {
  return server.profiles.some((profile) => profile.uri === uri)
}
