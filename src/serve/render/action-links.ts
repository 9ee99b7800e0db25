import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { isSet } from '../../core/rows/row-set.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'

/** A link to an action. Without the method, clients would send GET. */
interface ActionLink {
  readonly href: string
  /** The first method of the action. */
  readonly meta: { readonly method: string }
}

/** Returns the links to the actions of a resource, by the path of the action. */
type ActionLinks = (url: string, row: RowObject | null, context: RequestContext) => Readonly<Record<string, ActionLink>>

/**
 * Creates the links to the actions that the caller may call on a resource; `null` for a type without linked actions.
 * The permission check gets the context of the action, as when the action is called.
 */
export function actionLinks(type: CompiledType): ActionLinks | null {
  const linked = linkedActions(type)
  if (linked.length === 0) return null
  return (url, row, context) => {
    const actionContext: RequestContext = { ...context, type: type.type, operation: 'CustomAction' }
    const links: Record<string, ActionLink> = {}
    for (const { path, methods, linkedWhen, allowed, guard } of linked) {
      if (guard !== null && !isSet(row?.[guard.flag])) continue
      const isShown = (linkedWhen?.(row ?? {}, actionContext) ?? true) && (allowed?.(row, actionContext) ?? true)
      const [method = 'POST'] = methods
      if (isShown) links[path] = { href: `${url}/-actions/${path}`, meta: { method } }
    }
    return links
  }
}

/** Whether the action links of a resource depend on its row. */
export function linksDependOnRow(type: CompiledType): boolean {
  return linkedActions(type).some(
    ({ allowed, linkedWhen, guard }) => allowed !== null || linkedWhen !== null || guard !== null,
  )
}

function linkedActions({ actions }: CompiledType): readonly CompiledAction[] {
  return actions.filter(({ asLink }) => asLink)
}
