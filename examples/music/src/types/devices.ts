import { defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { DeviceRow } from '../tables.js'

/** The service generates the ids: ULIDs, which sort by creation time. A deleted device can be restored. */
export const devices = defineResource('devices', {
  description: 'The devices that a user listens on. A deleted device can be restored.',
  model: table<DeviceRow>('devices'),
  id: id().ulid().generated(),
  attributes: (a) => ({ label: a.string().required().maxLength(120) }),
  filters: (f) => ({ onlyTrashed: f.onlyTrashed() }),
  policy: withToken,
  softDeletes: true,
  cacheHeaders: { max_age: 60, vary: 'Accept-Language', operations: { read: { max_age: 600 } } },
})
