import type { ContractRule } from '../compare/contract-rule.js'
import { listDifference, serviceFinding as finding } from '../compare/contract-rule.js'

/** Compares the addresses of the service, and the profiles that it supports. */
export const service: ContractRule = ({ before, after }) => {
  const addresses = listDifference(before.addresses, after.addresses)
  const profiles = listDifference(before.profiles, after.profiles)
  return [
    ...addresses.removed.map((url) => finding('address-removed', `The address '${url}' is gone.`)),
    ...addresses.added.map((url) => finding('address-added', `The address '${url}' is new.`)),
    ...profiles.removed.map((uri) => finding('profile-removed', `The profile '${uri}' is no longer supported.`)),
    ...profiles.added.map((uri) => finding('profile-added', `The profile '${uri}' is supported.`)),
  ]
}
