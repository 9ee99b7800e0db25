import { belongsTo, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { orderPolicy } from '../access.js'

export interface OrderRow {
  orderId: number
  orderDate: string
  status: string
  soldBy: number | null
}

export const orders = defineResource('orders', {
  model: table<OrderRow>('Order', { key: 'orderId' }),
  id: id(),
  attributes: (a) => ({
    orderDate: a.date().required(),
    status: a.string().in(['open', 'paid', 'sent']),
  }),
  relations: {
    soldBy: belongsTo('employees').via('soldBy').nullable().filterable(),
    orderDetails: hasMany('order-details').readOnly(),
  },
  policy: orderPolicy,
})
