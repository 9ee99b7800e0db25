import { defineResource, id, model } from 'ashlar'

export interface DeviceRow {
  id: string
  label: string
}

/** The service mints the ids: ULIDs, which sort by the time they were made. */
export const devices = defineResource('devices', {
  model: model<DeviceRow>('devices'),
  id: id().ulid().generated(),
  attributes: (a) => ({ label: a.string().required() }),
  cacheHeaders: { max_age: 60, private: true },
})
