import {
  belongsTo,
  belongsToMany,
  cursorPage,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  type ResourceHooks,
} from 'ashlar'

/*
 * Orders with lines, as in many shops: the primary key of a line has two columns, which are foreign keys too. Claims
 * refer to a line by a foreign key of two columns, and so do the join rows between lines and tags.
 */

export interface OrderRow {
  id: number
  customer: string
}
export interface ProductRow {
  id: number
  name: string
}
export interface LineRow {
  orderId: number
  productId: number
  quantity: number
  note: string | null
  deletedAt: Date | null
}
export interface ClaimRow {
  id: number
  text: string
  orderId: number | null
  productId: number | null
}
export interface TagRow {
  id: number
  label: string
}

const orderModel = model<OrderRow>('orders', { columns: ['id', 'customer'] })
const productModel = model<ProductRow>('products', { columns: ['id', 'name'] })
const lineModel = model<LineRow>('order_lines', {
  columns: ['orderId', 'productId', 'quantity', 'note', 'deletedAt'],
})
const claimModel = model<ClaimRow>('claims', { columns: ['id', 'text', 'orderId', 'productId'] })
const tagModel = model<TagRow>('tags', { columns: ['id', 'label'] })

export const orders = defineResource('orders', {
  model: orderModel,
  id: id(),
  attributes: (a) => ({ customer: a.string().sortable() }),
  relations: {
    lines: hasMany('lines').countable().withData(),
    firstLine: hasOne('lines').via('orderId').readOnly(),
    products: belongsToMany('products').through('order_lines', { owner: 'orderId', member: 'productId' }).readOnly(),
  },
  filters: (f) => ({ 'firstLine.quantity': f.through(), noLines: f.doesntHave('lines') }),
  sorts: (s) => ({ 'firstLine.quantity': s.through() }),
})

export const products = defineResource('products', {
  model: productModel,
  id: id(),
  attributes: (a) => ({ name: a.string().sortable() }),
  relations: { lines: hasMany('lines').readOnly() },
})

export const lineId = id(['orderId', 'productId']).allowClientId().sortable()

export const linesWith = (declared: typeof lineId, hooks: ResourceHooks<LineRow> = {}) =>
  defineResource('lines', {
    model: lineModel,
    id: declared,
    attributes: (a) => ({
      quantity: a.integer().required().min(1).sortable(),
      note: a.string().nullable().sortable(),
    }),
    relations: {
      order: belongsTo('orders'),
      product: belongsTo('products'),
      claims: hasMany('claims').via(['orderId', 'productId']).countable(),
      review: hasOne('claims').via(['orderId', 'productId']).readOnly(),
      tags: belongsToMany('tags')
        .through('line_tags', { owner: ['orderId', 'productId'], member: 'tagId' })
        .fields((a) => ({ position: a.integer().nullable() })),
    },
    filters: (f) => ({
      id: f.idIn(),
      quantity: f.where('quantity'),
      claimed: f.has('claims'),
      label: f.through('tags.label'),
    }),
    sorts: (s) => ({ 'order.customer': s.through('order.customer') }),
    pagination: cursorPage({ size: 2, maxSize: 100 }),
    hooks,
  })

const lines = linesWith(lineId)

export const claims = defineResource('claims', {
  model: claimModel,
  id: id(),
  attributes: (a) => ({ text: a.string() }),
  relations: { line: belongsTo('lines').via(['orderId', 'productId']).nullable() },
  filters: (f) => ({ ofLine: f.through('line.id') }),
})

export const tags = defineResource('tags', {
  model: tagModel,
  id: id(),
  attributes: (a) => ({ label: a.string().sortable() }),
  relations: {
    lines: belongsToMany('lines')
      .through('line_tags', { owner: 'tagId', member: ['orderId', 'productId'] })
      .countable(),
  },
})

export const shop = [orders, products, lines, claims, tags] as const

export const shopRows = {
  orders: [
    { id: 1, customer: 'Ann' },
    { id: 2, customer: 'Ben' },
    { id: 10, customer: 'Cid' },
  ],
  products: [
    { id: 1, name: 'Tea' },
    { id: 2, name: 'Jam' },
    { id: 11, name: 'Rye' },
  ],
  order_lines: [
    { orderId: 1, productId: 1, quantity: 5, note: null, deletedAt: null },
    { orderId: 1, productId: 2, quantity: 3, note: 'soft', deletedAt: null },
    { orderId: 1, productId: 11, quantity: 1, note: null, deletedAt: null },
    { orderId: 2, productId: 1, quantity: 3, note: 'cold', deletedAt: null },
    { orderId: 10, productId: 2, quantity: 8, note: null, deletedAt: null },
  ],
  claims: [
    { id: 1, text: 'Broken', orderId: 1, productId: 2 },
    { id: 2, text: 'Late', orderId: 1, productId: 2 },
    { id: 3, text: 'Wrong', orderId: 2, productId: 1 },
    { id: 4, text: 'General', orderId: null, productId: null },
  ],
  tags: [
    { id: 1, label: 'gift' },
    { id: 2, label: 'rush' },
  ],
  line_tags: [
    { orderId: 1, productId: 2, tagId: 1, position: 1 },
    { orderId: 1, productId: 2, tagId: 2, position: 2 },
    { orderId: 2, productId: 1, tagId: 1, position: null },
  ],
}
