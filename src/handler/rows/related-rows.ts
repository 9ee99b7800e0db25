import type { RelatedGroup } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'

/** The rows related to several parents, past the border to providers. */
export interface RelatedRows {
  readonly sets: readonly { readonly served: ServedType; readonly rows: RowSet }[]
  /** One for each parent, in their order. */
  readonly groups: readonly RelatedGroup[]
}
