import { defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { internal } from '../access.js'

export interface OrderSubtotalRow {
  orderId: number
  subtotal: number | null
}

export const orderSubtotals = defineResource('order-subtotals', {
  model: table<OrderSubtotalRow>('Order Subtotals', { key: 'orderId' }),
  id: id(),
  attributes: (a) => ({
    subtotal: a.decimal().nullable(),
  }),
  readOnly: true,
  policy: internal,
})
