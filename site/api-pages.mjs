// @ts-check
/** Writes the pages of the API from the TSDoc of the entry points: docs/reference/api, which is not checked in. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application, Converter, DeclarationReflection, ReflectionKind } from 'typedoc'
import { packages } from '../scripts/packages.mjs'
import { addReferencedTypes, notExported } from './referenced-types.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = join(root, 'docs/reference/api')

/** The entry points of all packages, by the names of their files. */
const specifiers = new Map(
  packages.flatMap((each) =>
    each.entries.map((name, index) => /** @type {const} */ ([name, each.specifiers[index] ?? name])),
  ),
)
const entryPoints = [...specifiers.keys()].map((name) => join(root, 'src', `${name}.ts`))

/** The subjects of the exports of the root, by a prefix of the path in `src/`. The first match is used. */
const subjects = /** @type {const} */ ([
  ['declare/resource/fields/', 'attributes-and-ids'],
  ['declare/resource/relations/', 'relations'],
  ['declare/resource/filters/', 'filters-and-sorts'],
  ['declare/resource/sorts/', 'filters-and-sorts'],
  ['declare/pagination/', 'pagination'],
  ['declare/profiles/', 'pagination'],
  ['declare/resource/policy/', 'access'],
  ['serve/access/', 'access'],
  ['server/explain/access', 'access'],
  ['declare/resource/define/action-kit', 'actions'],
  ['serve/handler/', 'actions'],
  ['declare/resource/events/', 'hooks-and-events'],
  ['serve/operation/', 'hooks-and-events'],
  ['declare/resource/', 'resource-types'],
  ['core/errors/', 'errors'],
  ['', 'server'],
])

/** The options of typedoc-plugin-markdown, which are not in the types of typedoc. */
const markdownOptions = {
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  outputFileStrategy: 'modules',
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  useCodeBlocks: false,
}

const application = await Application.bootstrapWithPlugins({
  entryPoints,
  tsconfig: join(root, 'tsconfig.build.json'),
  plugin: ['typedoc-plugin-markdown'],
  // `npm run check:types` reports errors.
  skipErrorChecking: true,
  validation: false,
  logLevel: 'Warn',
  readme: 'none',
  out: pages,
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  githubPages: false,
  groupOrder: ['*', notExported],
  ...markdownOptions,
})

application.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
  const { project } = context
  addReferencedTypes(context)
  for (const module of project.children ?? []) {
    if (module.name === 'index') splitBySubject(project, module)
    module.name = module.name === 'index' ? 'ashlar' : `ashlar/${module.name}`
  }
})

// Inherited members are only on the page of the type that declares them. Otherwise they would be two thirds of all text.
application.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
  for (const reflection of Object.values(project.reflections)) {
    if ('inheritedFrom' in reflection && reflection.inheritedFrom !== undefined) project.removeReflection(reflection)
  }
})

const converted = await application.convert()
if (converted === undefined) throw new Error('typedoc could not read the entry points.')
rmSync(pages, { recursive: true, force: true })
await application.generateOutputs(converted)
writeTitles()
correctAnchors()
writeOverview()

/**
 * Moves the exports of the root to one page for each subject, because one page would be too long.
 * @param {import('typedoc').ProjectReflection} project
 * @param {import('typedoc').DeclarationReflection} module
 */
function splitBySubject(project, module) {
  /** @type {Map<string, DeclarationReflection>} */
  const parts = new Map()
  // A copy, because children are removed from the list.
  for (const reflection of Array.from(module.children ?? [])) {
    const file = project.getSymbolIdFromReflection(reflection)?.packagePath ?? ''
    const [, name = ''] = subjects.find(([path]) => file.startsWith(`src/${path}`)) ?? []
    if (name === '') throw new Error(`${reflection.name} of ${file} has no subject in site/api-pages.mjs.`)
    const part = parts.get(name) ?? new DeclarationReflection(name, ReflectionKind.Module, module)
    if (!parts.has(name)) project.registerReflection(part, undefined, undefined)
    parts.set(name, part)
    module.removeChild(reflection)
    reflection.parent = part
    part.addChild(reflection)
  }
  for (const part of parts.values()) module.addChild(part)
}

/** Writes titles to the pages of subjects, and removes the list of subjects. */
function writeTitles() {
  rmSync(join(pages, 'ashlar/index.md'))
  for (const [, name] of subjects) {
    const file = join(pages, 'ashlar', `${name}.md`)
    const words = name.replaceAll('-', ' ')
    writeTitle(file, `${words.charAt(0).toUpperCase()}${words.slice(1)}`)
  }
  // All pages are in one folder, whatever their package.
  for (const [name, specifier] of specifiers) {
    if (name !== 'index') writeTitle(join(pages, 'ashlar', `${name}.md`), specifier)
  }
}

/** @param {string} file @param {string} title */
function writeTitle(file, title) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^# .*/, `# ${title}`))
}

/** Corrects anchors: typedoc numbers some of them although there is only one heading with this name. */
function correctAnchors() {
  const folder = join(pages, 'ashlar')
  const texts = new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
  for (const [file, text] of texts) {
    const mended = text.replaceAll(/\]\(([\w-]+\.md)?#([\w-]+)-\d+\)/g, (link, target, anchor) => {
      const headings = [...(texts.get(target ?? file) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title)
      const isOnlyOne = headings.filter((title) => anchorOf(title) === anchor).length === 1
      return isOnlyOne ? `](${target ?? ''}#${anchor})` : link
    })
    if (mended !== text) writeFileSync(join(folder, file), mended)
  }
}

/** @param {string} title */
function anchorOf(title) {
  return title.toLowerCase().replaceAll(/[^\w-]/g, '')
}

/** Writes the page with links to all exports. */
function writeOverview() {
  const parts = ['root', 'subpaths'].flatMap((group) => {
    const files = readdirSync(join(pages, 'ashlar'))
      .filter((file) => isRoot(file) === (group === 'root'))
      .toSorted()
    return [group === 'root' ? '## `ashlar`' : '## Other entry points', ...files.map(exportsOf)]
  })
  const introduction =
    'All exports of the packages, with their TSDoc. The other pages of the reference describe how they work together.'
  writeFileSync(join(pages, 'index.md'), `${['# API', introduction, ...parts].join('\n\n')}\n`)
}

/** Whether a page has exports of the root. @param {string} file */
function isRoot(file) {
  return subjects.some(([, name]) => file === `${name}.md`)
}

/** @param {string} file */
function exportsOf(file) {
  const text = readFileSync(join(pages, 'ashlar', file), 'utf8')
  const [, title = ''] = /^# (.*)/.exec(text) ?? []
  const [exported = ''] = text.split(`\n## ${notExported}\n`)
  const names = [...exported.matchAll(/^### (?!Example)(.*)$/gm)].map(([, name = '']) => name)
  const links = names.map((name) => `[\`${name}\`](ashlar/${file}#${anchorOf(name)})`)
  return `### [${title}](ashlar/${file})\n\n${links.join(' · ')}`
}
