import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { isRawDeclaration } from './raw-declaration.js'
import type { AnyResource } from './resource-types.js'

/** The declarations among the exports of modules; any declaration if the compiler does not know the exports. */
type DeclaredIn<Module> = unknown extends Module
  ? AnyResource
  : Module extends object
    ? unknown extends Module[keyof Module]
      ? AnyResource
      : Extract<Module[keyof Module], AnyResource> | DeclaredInDefault<Module>
    : never

/** The declarations in the exports of a CommonJS module, which are the default export of the imported module. */
type DeclaredInDefault<Module> = Module extends { readonly default: infer Exports extends object }
  ? Exports extends AnyResource
    ? never
    : Extract<Exports[keyof Exports], AnyResource>
  : never

/**
 * Returns the declarations that modules export, in the order of the modules. A declaration that several modules export counts
 * once, and other exports are ignored. Throws a `TypeError` if there is no declaration at all.
 *
 * `ashlar snapshot` writes a module that calls it. It also takes the result of `import.meta.glob('./resources/*.ts', { eager: true })` of Vite.
 *
 * @example
 * ```ts
 * const musicModule = { albums, artists } // import * as musicModule from '../resources/music.js'
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
  const exported = modules.flatMap((module) => {
    const values: readonly unknown[] = isObject(module) ? Object.values(module) : []
    return [...values, ...commonJsExports(module)]
  })
  return Object.freeze([...new Set(exported.filter(isRawDeclaration))]) as unknown as readonly AnyResource[]
}

/** Node does not see all exports of a CommonJS module by their names, but the default export has all of them. */
function commonJsExports(module: unknown): readonly unknown[] {
  const exported: unknown = isObject(module) ? module['default'] : null
  return isPlainObject(exported) && !isRawDeclaration(exported) ? Object.values(exported) : []
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
