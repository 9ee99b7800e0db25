import { randomBytes } from 'node:crypto'
import { belongsTo, defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { ProductRow } from '../tables.js'

/** A deprecated type: every response has headers with the date of removal and a link to more information. */
export const products = defineResource('products', {
  description: 'Products on sale. A product may be part of another.',
  model: table<ProductRow>('products'),
  id: id()
    .matchAs(/prod-[0-9a-f]+/)
    .generateUsing(() => `prod-${randomBytes(6).toString('hex')}`),
  attributes: (a) => ({ name: a.string().required().maxLength(200) }),
  relations: { parent: belongsTo('products') },
  policy: withToken,
  deprecation: true,
  sunset: 'Wed, 31 Dec 2031 23:59:59 GMT',
  sunsetLink: 'https://music.example/sunset',
})
