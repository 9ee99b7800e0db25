import { isJsonObject } from '../../format/inspection/document-inspection.js'
import { type Exchange, isInconclusive, responded } from '../exchange/exchange.js'
import type { Maker } from './maker.js'
import { createdAddress, type WriteRun, write } from './write-run.js'

/** https://jsonapi.org/format/1.1/#crud-deleting */
export async function checkDeletion(maker: Maker, run: WriteRun): Promise<void> {
  const made = await write(run, maker.url, { method: 'POST', document: maker.fresh() }, 'create-http-semantics')
  const url = made === null ? null : createdAddress(made, run)
  if (url === null) return
  const exchange = await write(run, url, { method: 'DELETE' }, 'deleting-http-semantics')
  if (exchange === null || isInconclusive(exchange)) return
  const { status } = exchange.response
  if (status === 202) run.ledger.observe('delete-202-status')
  if (status < 200 || status > 299 || status === 202) return
  judgeDeleted(exchange, run)
  const again = await write(run, url, { method: 'DELETE' }, 'deleting-http-semantics')
  if (again === null || isInconclusive(again) || again.response.status < 400) return
  run.ledger.expect('delete-404-status', again.response.status === 404 || again.response.status === 410, {
    problem: `${responded(again)}, not 404, although the resource is deleted.`,
    exchange: again,
  })
}

/** Checks that a deletion responds with 204 without a body, or 200 with a document that has no primary data. */
function judgeDeleted(exchange: Exchange, { ledger }: WriteRun): void {
  const { status, text } = exchange.response
  if (text === '') {
    ledger.expect('delete-204-status', status === 204, {
      problem: `${responded(exchange)} without a body, not 204.`,
      exchange,
    })
    return
  }
  const hasData = isJsonObject(exchange.document) && Object.hasOwn(exchange.document, 'data')
  ledger.expect('delete-200-status', status === 200 && !hasData, {
    problem: `${responded(exchange)} with ${hasData ? 'primary data' : 'a body, not 200'}.`,
    exchange,
  })
}
