import { defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { catalogue } from '../access.js'

export interface AlbumRow {
  albumId: number
  title: string
  unitPrice: string
}

export const albums = defineResource('albums', {
  model: table<AlbumRow>('Album', { key: 'albumId' }),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(160).sortable(),
    unitPrice: a.decimal().required().min(0),
  }),
  relations: {
    orderDetails: hasMany('order-details').readOnly(),
  },
  filters: (f) => ({
    title: f.where(),
  }),
  policy: catalogue,
})
