import { belongsTo, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { internal } from '../access.js'

export interface OrderDetailRow {
  orderId: number
  albumId: number
  quantity: number
  unitPrice: string
  lineTotal: string | null
}

export const orderDetails = defineResource('order-details', {
  model: table<OrderDetailRow>('Order Details', { key: ['orderId', 'albumId'] }),
  id: id(),
  attributes: (a) => ({
    quantity: a.integer().min(1).max(99),
    unitPrice: a.decimal().required(),
    lineTotal: a.decimal().nullable().readOnly(),
  }),
  relations: {
    order: belongsTo('orders').required().filterable(),
    album: belongsTo('albums').required().filterable(),
    returns: hasMany('returns'),
  },
  policy(p) {
    const mayUpdateOrder = p.granted('order', 'update')
    return { ...internal(), create: mayUpdateOrder, update: mayUpdateOrder, delete: mayUpdateOrder }
  },
})
