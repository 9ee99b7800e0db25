import { queryMemo } from '../../operation/query-memo.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import { refuseCount, refuseListQuery } from '../query/refuse-query.js'
import type { Reading } from '../reading.js'
import { checkFieldsets } from './check-fieldsets.js'
import type { DocumentPlan } from './document-plan.js'
import { planDocument } from './document-plan.js'

const plans = queryMemo<ServedType, DocumentPlan>()

/** What showing one resource takes, checked before it is written or read: an answer that cannot be given comes first. */
export function planOne(served: ServedType, reading: Reading): DocumentPlan | Promise<DocumentPlan> {
  const known = plans.recall(reading, served)
  if (known !== undefined) return known
  return workOut(served, reading)
}

async function workOut(served: ServedType, reading: Reading): Promise<DocumentPlan> {
  checkFieldsets(reading)
  refuseListQuery(reading.query)
  const plan = await planDocument([served], reading)
  if (plan.primary.countsSelf) refuseCount(['_self_'])
  if (plan.isKept) plans.keep(reading, served, plan)
  return plan
}
