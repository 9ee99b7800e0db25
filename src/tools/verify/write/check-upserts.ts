import { responded } from '../exchange/exchange.js'
import type { Maker } from './maker.js'
import { type WriteRun, write } from './write-run.js'

/** Checks PUT requests that create resources or update them, where the OpenAPI document has them. */
export async function checkUpserts(maker: Maker, run: WriteRun): Promise<void> {
  const id = maker.freshId()
  const url = `${maker.url.replace(/\/$/, '')}/${encodeURIComponent(id)}`
  const operation = run.description?.find('PUT', url) ?? null
  // `default` describes errors, and not a create.
  if (operation === null || !operation.statuses.includes('201')) return
  const document = { data: { ...maker.fresh().data, id } }
  const put = () => write(run, url, { method: 'PUT', document }, 'create-http-semantics')
  const created = await put()
  if (created === null || !isSuccess(created.response.status)) return
  run.ledger.expect('upsert-create', [201, 202, 204].includes(created.response.status), {
    problem: `${responded(created)}, not 201 or 204, although the resource is new.`,
    exchange: created,
  })
  if (created.response.status === 202) return
  const updated = await put()
  if (updated === null) return
  run.ledger.expect('upsert-update', [200, 202, 204].includes(updated.response.status), {
    problem: `${responded(updated)}, not 200 or 204, although the same request has created the resource.`,
    exchange: updated,
  })
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
