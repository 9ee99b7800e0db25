import { dirname, posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/** Adds the extensions of CommonMark that the pages of `docs/` use. They are readable on GitHub, too. */
export function extendMarkdown(md: MarkdownRenderer, linked: Set<string>): void {
  md.core.ruler.after('normalize', 'tabs', (state) => {
    state.src = withTabs(state.src)
  })
  md.core.ruler.push('file-names', ({ tokens }) => {
    for (const token of tokens) if (token.type === 'fence') token.info = vitepressInfo(token.info)
  })
  md.core.ruler.push('source-links', ({ tokens, env }) => {
    const page: unknown = env?.relativePath
    if (typeof page !== 'string') return
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      const file = href === null ? null : repositoryFile(page, href)
      if (file === null) continue
      linked.add(file)
      token.attrSet('href', `/source/${file}.txt`)
      token.attrSet('target', '_blank')
    }
  })
  titleFences(md)
}

/**
 * Turns blocks between `<!-- tabs -->` and `<!-- /tabs -->` into tabs. The name of a tab is the bold line before its block:
 * on GitHub, this line is a heading.
 */
export function withTabs(text: string): string {
  return text.replaceAll(/^<!-- tabs -->$(.*?)^<!-- \/tabs -->$/gms, (_, inside: string) => {
    const named = inside.replaceAll(/^\*\*([^*\n]+)\*\*\n+(`{3,}\w+)/gm, (_line, name: string, fence: string) => {
      return `${fence} tab=${name.replaceAll(' ', '_')}`
    })
    return `::: code-group\n\n${named.trim()}\n\n:::`
  })
}

/** Converts the info of a fence: `ts file=music.ts ends` for the tests is `ts [music.ts]` for VitePress. A tab name has priority. */
export function vitepressInfo(info: string): string {
  const [, language = '', rest = ''] = /^(\S*)(.*)$/.exec(info.trim()) ?? []
  const valueOf = (key: string): string | undefined => new RegExp(`\\s${key}=(\\S+)`).exec(rest)?.[1]
  const title = valueOf('tab')?.replaceAll('_', ' ') ?? valueOf('file') ?? valueOf('from') ?? valueOf('shows')
  const vitepressParts = rest.match(/\[[^\]]*\]|\{[^}]*\}|:\S+/g) ?? []
  return [language, ...vitepressParts, ...(title === undefined ? [] : [`[${title}]`])].join(' ')
}

/** Returns the path in the repository to which a page links outside of `docs/`, or null. */
function repositoryFile(page: string, href: string): string | null {
  if (/^(?:\w+:|\/|#)/.test(href)) return null
  const target = posix.normalize(posix.join('docs', dirname(page), decodeURI(href.replace(/#.*$/, ''))))
  return target.startsWith('docs/') || target === 'docs' ? null : target
}

/** Shows the title of a block above it. Tabs show it themselves. */
function titleFences(md: MarkdownRenderer): void {
  const render = md.renderer.rules.fence
  if (render === undefined) throw new Error('VitePress has no renderer for fences.')
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    // VitePress removes the title when it renders.
    const title = /\[(.*)\]/.exec(tokens[index]?.info ?? '')?.[1]
    const block = render(tokens, index, ...rest)
    if (title === undefined || isInTabs(tokens, index)) return block
    return `<div class="titled-block"><div class="block-title">${md.utils.escapeHtml(title)}</div>${block}</div>`
  }
}

function isInTabs(tokens: readonly { readonly type: string }[], index: number): boolean {
  const before = tokens.slice(0, index).findLast(({ type }) => type.startsWith('container_code-group'))
  return before?.type === 'container_code-group_open'
}
