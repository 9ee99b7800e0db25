import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig, type MarkdownEnv, type MarkdownRenderer } from 'vitepress'
import { extendMarkdown } from '../markdown.js'
import { sections } from '../sidebar.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Files of the repository to which pages link. They are part of the site, as texts. */
const linked = new Set<string>()

/** Two rows of squared stones: the meaning of the word ashlar. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#128a7c"><path d="M1 2h8v5H1zM10 2h5v5h-5zM1 8h4v6H1zM6 8h9v6H6z"/></svg>',
  )

export default defineConfig({
  title: 'Ashlar',
  description: 'JSON:API 1.1 servers in TypeScript: declare resource types over your tables, get the whole service.',
  head: [['link', { rel: 'icon', href: icon }]],
  srcDir: '../docs',
  outDir: './dist',
  cacheDir: '../.cache/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  // The search index is a separate chunk, which is loaded when a reader searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    config: (md) => extendMarkdown(md, linked),
    theme: { light: 'github-light', dark: 'github-dark' },
  },
  themeConfig: {
    nav: sections.map(({ name, folder, groups }) => ({
      text: name,
      link: linkOf(groups[0]?.pages[0]?.[0] ?? ''),
      activeMatch: `/${folder}/`,
    })),
    sidebar: Object.fromEntries(
      sections.map(({ folder, groups }) => [
        `/${folder}/`,
        [...groups.map(sidebarGroup), ...(folder === 'reference' ? [apiGroup()] : [])],
      ]),
    ),
    search: { provider: 'local', options: { _render: renderForSearch } },
    outline: { level: [2, 3] },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  transformPageData: ({ relativePath }) =>
    relativePath === 'index.md' ? { frontmatter: { sidebar: false, aside: false, pageClass: 'home' } } : {},
  buildEnd({ outDir }) {
    for (const file of linked) {
      const target = join(outDir, 'source', `${file}.txt`)
      mkdirSync(dirname(target), { recursive: true })
      cpSync(join(root, file), target)
    }
  },
})

type Group = (typeof sections)[number]['groups'][number]

function sidebarGroup({ name, pages }: Group): DefaultTheme.SidebarItem {
  const written = pages.filter(([file]) => existsSync(join(root, 'docs', `${file}.md`)))
  return { text: name, collapsed: false, items: written.map(([file, text]) => ({ text, link: linkOf(file) })) }
}

/** The pages that `api-pages.mjs` has written. */
function apiGroup(): DefaultTheme.SidebarItem {
  const folder = join(root, 'docs/reference/api/ashlar')
  const items = readdirSync(folder).map((file) => {
    const [, title = file] = /^# (.*)/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
    return { text: title, link: `/reference/api/ashlar/${file.replace(/\.md$/, '')}` }
  })
  const sorted = items.toSorted((one, other) => one.text.localeCompare(other.text, 'en'))
  return { text: 'API: all exports', link: '/reference/api/', collapsed: true, items: sorted }
}

function linkOf(file: string): string {
  return `/${file.replace(/(^|\/)index$/, '$1')}`
}

/** What a search index needs of a renderer: VitePress has two versions of its type. */
type SearchRenderer = Pick<MarkdownRenderer, 'options' | 'render'> & {
  readonly utils: { escapeHtml(text: string): string }
}

/** Renders a page for the search index, without syntax highlighting, which takes most of the time. */
function renderForSearch(text: string, environment: MarkdownEnv, md: SearchRenderer): string {
  const { highlight } = md.options
  md.options.highlight = (code) => `<pre><code>${md.utils.escapeHtml(code)}</code></pre>`
  try {
    return md.render(text, environment)
  } finally {
    md.options.highlight = highlight
  }
}
