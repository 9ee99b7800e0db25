import type { ServedRoute } from './messages.js'

interface RouteGroup {
  readonly methods: Set<string>
  readonly actions: Set<string>
  hasRelations: boolean
}

/** Returns a line for each type, with the methods of its collection and its resources, and a line for each other path. */
export function compactRoutes(routes: readonly ServedRoute[]): readonly string[] {
  const groups = new Map<string, RouteGroup>()
  for (const { method, path, name } of routes) {
    if (/\.(?:openapi\.ui(?:\.|$)|(?:openapi|schemas)\.json$)/.test(name)) continue
    const [base = path] = path.split(/\/(?:\{id\}|-actions\/)/)
    const group = groups.get(base) ?? { methods: new Set(), actions: new Set(), hasRelations: false }
    groups.set(base, group)
    if (path.includes('/-actions/')) group.actions.add(path)
    else if (path.endsWith('/{rel}')) group.hasRelations = true
    else group.methods.add(method)
  }
  const width = Math.max(...[...groups.keys()].map((base) => base.length))
  return [...groups].map(([base, group]) => `${base.padEnd(width)}  ${described(group)}`.trimEnd())
}

function described({ methods, actions, hasRelations }: RouteGroup): string {
  return [
    [...methods].join(' '),
    ...(hasRelations ? ['relationships'] : []),
    ...(actions.size === 0 ? [] : [`${actions.size} action${actions.size === 1 ? '' : 's'}`]),
  ].join(', ')
}
