import { belongsTo, defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { internal } from '../access.js'

export interface ReturnRow {
  returnId: number
  orderId: number
  albumId: number
  reason: string
}

export const returns = defineResource('returns', {
  model: table<ReturnRow>('Return', { key: 'returnId' }),
  id: id(),
  attributes: (a) => ({
    reason: a.string().required().maxLength(200),
  }),
  relations: {
    orderDetail: belongsTo('order-details').via(['orderId', 'albumId']).required(),
  },
  policy: (p) => ({ ...internal(), create: p.signedIn() }),
})
