import type { Attributes } from 'ashlar/client'
import type { Api } from './api.js'

export type Status = Attributes<Api, 'albums'>['status']

/** What users read for each status. The compiler reports a status that is missing here. */
export const statusNames: Readonly<Record<Status, string>> = {
  upcoming: 'Upcoming',
  released: 'Released',
  withdrawn: 'Withdrawn',
}

export const statuses: readonly Status[] = ['upcoming', 'released', 'withdrawn']
