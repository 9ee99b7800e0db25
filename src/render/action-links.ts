import type { CompiledAction } from '../resource/actions/compiled-action.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import type { RequestContext } from '../resource/request-context.js'

/** The addresses of actions by their paths, of the resource at an address. */
type ActionLinks = (url: string, row: RowObject | null, context: RequestContext) => Readonly<Record<string, string>>

/**
 * Links to the actions that the caller may call on a resource; `null` for a type that links none. Whether the caller may
 * is asked as it will be asked when the action is called: in the context of the action.
 */
export function actionLinks(type: CompiledType): ActionLinks | null {
  const linked = linkedActions(type)
  if (linked.length === 0) return null
  return (url, row, context) => {
    const called: RequestContext = { ...context, type: type.type, operation: 'CustomAction' }
    const links: Record<string, string> = {}
    for (const { path, linkedWhen, allowed } of linked) {
      const isShown = (linkedWhen?.(row ?? {}, called) ?? true) && (allowed?.(row, called) ?? true)
      if (isShown) links[path] = `${url}/-actions/${path}`
    }
    return links
  }
}

/** Whether a row decides which links are shown. */
export function linksLookAtRow(type: CompiledType): boolean {
  return linkedActions(type).some(({ allowed, linkedWhen }) => allowed !== null || linkedWhen !== null)
}

function linkedActions({ actions }: CompiledType): readonly CompiledAction[] {
  return actions.filter(({ asLink }) => asLink)
}
