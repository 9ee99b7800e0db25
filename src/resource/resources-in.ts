import { isRawDeclaration } from './raw-declaration.js'
import type { AnyResource } from './resource-types.js'

/** The declarations among the exports of modules; any declaration if the compiler does not know the exports. */
type DeclaredIn<Module> = unknown extends Module
  ? AnyResource
  : Module extends object
    ? unknown extends Module[keyof Module]
      ? AnyResource
      : Extract<Module[keyof Module], AnyResource>
    : never

/**
 * Returns the declarations that modules export, in the order of the modules. A declaration that several modules export counts
 * once, and other exports are ignored. Throws a `TypeError` if there is no declaration at all.
 *
 * `ashlar snapshot` writes a module that calls it. It also takes what `import.meta.glob('./resources/*.ts', { eager: true })` of Vite
 * returns.
 *
 * @example
 * ```ts
 * const musicModule = { albums, artists } // import * as musicModule from './resources/music.js'
 * createServer({ resources: resourcesIn({ musicModule }), data: memoryData() })
 * ```
 */
export function resourcesIn<const Modules extends Readonly<Record<string, unknown>>>(
  modules: Modules,
): readonly DeclaredIn<Modules[keyof Modules]>[] {
  const resources = exportedDeclarations(Object.values(modules))
  if (resources.length === 0) {
    throw new TypeError('The modules export no declarations: pass modules, as `import * as` makes them.')
  }
  return resources as readonly DeclaredIn<Modules[keyof Modules]>[]
}

export function exportedDeclarations(modules: readonly unknown[]): readonly AnyResource[] {
  const exported = modules.flatMap((module) =>
    typeof module === 'object' && module !== null ? Object.values(module) : [],
  )
  return Object.freeze([...new Set(exported.filter(isRawDeclaration))]) as unknown as readonly AnyResource[]
}
