import type { Attributes } from '@ashlar/client'
import type { Api } from './api.js'

export type Status = Attributes<Api, 'albums'>['status']

/** The name of each status for users. The compiler reports a missing status. */
export const statusNames: Readonly<Record<Status, string>> = {
  upcoming: 'Upcoming',
  released: 'Released',
  withdrawn: 'Withdrawn',
}

export const statuses: readonly Status[] = ['upcoming', 'released', 'withdrawn']
