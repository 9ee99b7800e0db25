import type { Profile } from '../../declare/profiles/profile.js'
import type { Api } from './described-server.js'

/** Whether a server has registered a profile. Parameters of other profiles are unknown. */
export function isRegistered({ contract }: Api, { uri }: Profile): boolean {
  return contract.profiles.includes(uri)
}
