import { randomBytes } from 'node:crypto'
import { belongsTo, defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { ProductRow } from '../tables.js'

/** On their way out: every answer says until when, and where to read more. */
export const products = defineResource('products', {
  description: 'Things on sale, some of them parts of others.',
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
